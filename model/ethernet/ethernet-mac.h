/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_MAC_H
#define AIDC_ETHERNET_MAC_H

#include "../core/ethernet/wire-clock.h"
#include "../simulator/event-clock.h"
#include "ethernet-channel.h"
#include "ethernet-frame.h"
#include "ethernet-port-record.h"
#include "ethernet-port-settings.h"
#include "mac-bytes.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::aidc
{

/// A port's end of its link: puts one frame at a time on the wire, and knows the addresses of both
/// ends and the state of the link.
class EthernetMac
{
  public:
    /// Bytes of the frame check sequence.
    static constexpr uint32_t FCS_SIZE = 4;
    /// The highest rate in bit/s.
    static constexpr uint64_t MAX_RATE = 100000000000000;
    /// The least MTU, which IPv4 asks of a link (RFC 791, section 3.2).
    static constexpr uint16_t MIN_MTU = 68;

    /// Constructor. @param settings the settings, which outlive this object
    explicit EthernetMac(const EthernetPortSettings& settings);

    /// Become an end of a link.
    void Attach(EthernetPort& port, const Ptr<EthernetChannel>& channel);

    /// Release the link when the port is disposed of.
    void Detach();

    /// @return false before Attach() and after Detach()
    bool IsAttached() const
    {
        return m_link != nullptr;
    }

    /// @return the link, null if there is none
    const Ptr<EthernetChannel>& GetChannel() const
    {
        return m_channel;
    }

    /// Set the own address, and tell the other end. @param address the address
    void SetAddress(const MacBytes& address);

    /// @return the own address
    const MacBytes& GetAddress() const
    {
        return m_address;
    }

    /// Set the other end's address. @param address the address
    void SetRemoteAddress(const Address& address);

    /// @return the other end's address, null if there is no other end yet
    const Address& GetRemoteAddress() const
    {
        return m_remoteAddress;
    }

    /// @return the bytes of the other end's address
    const MacBytes& GetRemoteBytes() const
    {
        return m_remote;
    }

    /// Set the rate. @return false if it is not from 1 bit/s to MAX_RATE
    bool SetDataRate(DataRate rate);

    /// @return the rate
    DataRate GetDataRate() const
    {
        return m_dataRate;
    }

    /// Set the MTU in bytes of payload. @return false if it is below MIN_MTU
    bool SetMtu(uint16_t mtu);

    /// Get the MTU. @return bytes of payload
    uint16_t GetMtu() const
    {
        return m_mtu;
    }

    /// Note that the link has failed or was restored. @param isFailed whether it has failed
    void NotifyLinkFailed(bool isFailed)
    {
        m_isFailed = isFailed;
        ++m_linkEpoch;
    }

    /// Notice the state of the link, after a delay. @param isUp whether it is up
    void NotifyLinkState(bool isUp)
    {
        m_isUp = isUp;
    }

    /// @return whether the link is known to be up
    bool IsUp() const
    {
        return m_isUp;
    }

    /// @return the number of times that the link has failed or was restored
    uint32_t GetLinkEpoch() const
    {
        return m_linkEpoch;
    }

    /// Tell whether the link has lost a frame that would arrive now. @param epoch GetLinkEpoch()
    /// when it was sent @return whether the link has failed since then, or was not restored yet
    bool IsLost(uint32_t epoch) const
    {
        return epoch != m_linkEpoch || m_isFailed;
    }

    /// @return whether the wire is occupied
    bool IsBusy() const
    {
        return GetTimeStepNow() < m_clock.GetEnd();
    }

    /// @return the time until the wire is free
    Time GetTimeUntilIdle() const;

    /// Occupy the wire without sending a frame. @param octets as for a frame of this size, without
    /// check sequence and overhead
    void Occupy(uint32_t octets);

    /// Send a frame while the wire is free. @param [in,out] frame the frame, which belongs to the
    /// other end afterwards
    void Send(EthernetFrame& frame);

    /// @return the counters and trace sources
    EthernetPortRecord& GetRecord()
    {
        return m_record;
    }

    /// @return the counters and trace sources
    const EthernetPortRecord& GetRecord() const
    {
        return m_record;
    }

  private:
    // What a transit packet touches comes first.
    WireClock m_clock;                      //!< when the wire is free
    const EthernetPortSettings& m_settings; //!< the settings
    EthernetChannel* m_link{nullptr};       //!< the link, which m_channel owns
    uint32_t m_end{0};                      //!< which end of the link this is
    uint32_t m_linkEpoch{0};                //!< changes of the link's state
    uint16_t m_mtu{1500};                   //!< bytes of payload
    bool m_isFailed{false};                 //!< whether the link has failed
    bool m_isUp{false};                     //!< whether the link is known to be up
    MacBytes m_address{};                   //!< the own address
    MacBytes m_remote{};                    //!< the other end's address
    EthernetPortRecord m_record;            //!< counts frames

    Address m_remoteAddress;        //!< m_remote as an ns3::Address
    DataRate m_dataRate;            //!< the rate
    Ptr<EthernetChannel> m_channel; //!< the link
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_MAC_H
