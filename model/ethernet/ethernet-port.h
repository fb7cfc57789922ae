/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_PORT_H
#define AIDC_ETHERNET_PORT_H

#include "ethernet-frame.h"
#include "ethernet-port-record.h"

#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/// The interface of an EthernetNetDevice to its link, its transmit queue and its node.
class EthernetPort : public NetDevice
{
  public:
    /// Set the address of the other end; the link calls this. @param address the address
    virtual void SetRemoteAddress(const Address& address) = 0;

    /// Take a frame from the link. frame: the frame, whose last bit has arrived; unusable
    /// afterwards; epoch: GetLinkEpoch() when it was sent.
    virtual void Receive(EthernetFrame& frame, uint32_t epoch) = 0;

    /// Note that the link has failed or was restored. @param isFailed whether it has failed
    virtual void NotifyLinkFailed(bool isFailed) = 0;

    /// Notice the state of the link, after a delay. @param isUp whether the link is up
    virtual void NotifyLinkState(bool isUp) = 0;

    /// Tell whether a packet has to wait. If so, the queue disc is woken when the port is idle.
    /// @return whether the port is busy
    virtual bool MustWait() = 0;

    /// Note that a root queue disc is installed or removed. @param isInstalled whether there is one
    virtual void NotifyQueueDisc(bool isInstalled) = 0;

    // From NetDevice
    void SetIfIndex(uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    void SetNode(Ptr<Node> node) override;

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    void AddLinkChangeCallback(Callback<void> callback) override
    {
        m_linkChange.ConnectWithoutContext(callback);
    }

    bool IsBroadcast() const override
    {
        return true;
    }

    Address GetBroadcast() const override;

    bool IsMulticast() const override
    {
        return true;
    }

    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;

    bool IsBridge() const override
    {
        return false;
    }

    bool SupportsSendFrom() const override
    {
        return true;
    }

    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;

    /// TracedCallback signature for a link that goes down or comes up.
    /// @param [in] isUp whether it is up
    typedef void (*LinkStateTracedCallback)(bool isUp);

    /// TracedCallback signature for frames whose headers need not be written.
    /// @param [in] packet the packet, without the headers that the port has parsed; packet tags
    /// that
    ///             are added to it stay with the frame
    /// @param [in] nBytes the bytes of the frame, without its check sequence
    typedef void (*FrameTracedCallback)(Ptr<const Packet> packet, uint32_t nBytes);

  protected:
    void DoDispose() override;

    /// @return whether the node sees frames to other stations
    bool IsPromiscuous() const
    {
        return !m_promiscReceive.IsNull();
    }

    /// Call the link change callbacks: the link went up or down.
    void NotifyLinkChange();

    /// Hand a frame to ns-3's stack. whole: the whole frame, null if nothing traces it; packet: its
    /// payload; fields: its header; record: counts and traces its outcome.
    void Deliver(const MacBytes& address,
                 const Ptr<const Packet>& whole,
                 const Ptr<Packet>& packet,
                 const EthernetFields& fields,
                 EthernetPortRecord& record);

  private:
    uint32_t m_ifIndex{0};                              //!< the index in the node
    Ptr<Node> m_node;                                   //!< the node
    TracedCallback<> m_linkChange;                      //!< the link change callbacks
    NetDevice::ReceiveCallback m_receive;               //!< the node's callback
    NetDevice::PromiscReceiveCallback m_promiscReceive; //!< the node's callback for all frames
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_H
