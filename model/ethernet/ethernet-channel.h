/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_CHANNEL_H
#define AIDC_ETHERNET_CHANNEL_H

#include "../core/cache-line.h"
#include "ethernet-frame.h"
#include "ethernet-port.h"

#include "ns3/channel.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A full-duplex link of exactly two EthernetNetDevices.
 *
 * A link that fails loses the frames that are on it, and those that are sent until it is restored.
 * Its ends notice after DetectionDelay, when their IsLinkUp() changes. They do not notice a shorter
 * failure.
 */
class alignas(CACHE_LINE) EthernetChannel : public Channel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Attach an end. Both ends come up when the second one is attached.
     *
     * A third end is refused.
     *
     * @param device the device
     */
    void Attach(Ptr<EthernetPort> device);

    /// Tell each end the address of the other one, after a change.
    void ExchangeAddresses();

    /**
     * @brief Carry a frame.
     * @param [in,out] frame the frame, which belongs to the other end afterwards
     * @param end the sending end, 0 or 1
     * @param epoch GetLinkEpoch() of that end; it is the same at the other end
     * @param duration the time until its last bit has left that end
     */
    void Carry(EthernetFrame& frame, uint32_t end, uint32_t epoch, Time duration);

    /**
     * @brief Fail the link; called by an event without a node.
     *
     * It changes both ends at once. In time windows (see TimeWindowSimulatorImpl), an event of one
     * node must not do so.
     */
    void Fail();

    /// Restore the link; called by an event without a node.
    void Restore();

    /// @return whether the link has failed and is not restored yet, even if no end has noticed
    bool IsFailed() const
    {
        return m_isFailed;
    }

    /// @return the propagation delay
    Time GetDelay() const
    {
        return m_delay;
    }

    /// Get an end of the link.
    /// @param end 0 or 1
    /// @return the device, null if it is not attached
    Ptr<EthernetPort> GetEnd(uint32_t end) const
    {
        return m_devices.at(end);
    }

    // From Channel
    std::size_t GetNDevices() const override;

    Ptr<NetDevice> GetDevice(std::size_t i) const override
    {
        return m_devices.at(i);
    }

    /**
     * @brief TracedCallback signature for a frame on the link.
     * @param [in] frame the frame
     * @param [in] sender the sending device
     * @param [in] receiver the receiving device
     * @param [in] duration the time until the last bit has left the sender
     * @param [in] arrival the time until the last bit arrives
     */
    typedef void (*FrameTracedCallback)(Ptr<const Packet> frame,
                                        Ptr<NetDevice> sender,
                                        Ptr<NetDevice> receiver,
                                        Time duration,
                                        Time arrival);

  protected:
    void DoDispose() override;

  private:
    /// Have a frame arrive at an end. end: the end that receives, 0 or 1; frame: the frame, which
    /// belongs to that end afterwards.
    virtual void Deliver(uint32_t end, uint32_t epoch, EthernetFrame& frame, Time delay);

    /// Fail or restore the link. @param isFailed whether it is to fail
    void SetFailed(bool isFailed);

    /// Tell the ends the state of the link.
    void Detect();

    /// An end.
    struct End
    {
        EthernetPort* device{nullptr}; //!< the device, which m_devices owns
        uint32_t node{0};              //!< the id of its node
    };

    // What a frame touches comes first.
    Time m_delay;              //!< attribute Delay
    std::array<End, 2> m_ends; //!< the ends
    TracedCallback<Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time>
        m_frameTrace; //!< trace of frames

    std::array<Ptr<EthernetPort>, 2> m_devices; //!< own the ends
    Time m_detectionDelay;                      //!< attribute DetectionDelay
    bool m_isFailed{false};                     //!< whether it has failed
    EventId m_detection;                        //!< when the ends notice the last change
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_CHANNEL_H
