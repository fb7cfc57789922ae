/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_UDP_SINK_H
#define AIDC_CSIG_UDP_SINK_H

#include "csig-host.h"

#include "ns3/application.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Receives the datagrams of a CsigUdpSource, and answers some of them with a reflection of
 *        their tags (section 4.2.2 of draft-ravi-ippm-csig-01) and the number of bytes that have
 *        arrived.
 *
 * An answer goes to the source port of the datagram, so that each source port has its own signals.
 * Without a CsigHost on the node, answers have no reflection header.
 */
class CsigUdpSink : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the bytes of payload that have arrived
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    /// Tell whether all expected bytes have arrived.
    /// @return whether the attribute Size is above 0 and so many bytes have arrived
    bool IsDone() const
    {
        return m_size > 0 && m_receivedBytes >= m_size;
    }

    /// Get the time when the last expected byte has arrived.
    /// @return the time, 0 before
    Time GetFinish() const
    {
        return m_finish;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Receive the waiting datagrams of a socket.
    void Receive(Ptr<Socket> socket);

    /// Answer a datagram. @param from the address and port of its sender
    void Answer(const Address& from);

    Ipv4Address m_local;              //!< address of the node
    uint16_t m_port{0};               //!< the port
    uint32_t m_period{1};             //!< number of datagrams for each answer
    uint64_t m_size{0};               //!< expected bytes, or 0
    Ptr<Socket> m_socket;             //!< the socket
    Ptr<CsigHost> m_host;             //!< CSIG of the node
    uint64_t m_nReceived{0};          //!< datagrams
    uint64_t m_receivedBytes{0};      //!< bytes of payload
    Time m_finish;                    //!< when all bytes have arrived
    TracedCallback<Time> m_doneTrace; //!< all bytes have arrived
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_UDP_SINK_H
