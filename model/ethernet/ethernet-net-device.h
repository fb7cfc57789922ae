// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_NET_DEVICE_H
#define AIDC_ETHERNET_NET_DEVICE_H

#include "../core/cache-line.h"
#include "../core/ethernet/ethernet-fields.h"
#include "ethernet-frame.h"
#include "ethernet-mac.h"
#include "ethernet-transmitter.h"

#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/// A full-duplex Ethernet port.
///
/// Frames are Ethernet II with 802.1Q and 802.1ad tags, and one more tag if there is an
/// EthernetTagProcessor for it. On the wire a frame occupies at least 64 bytes with its frame check
/// sequence, and 20 bytes of preamble and gap. Traced packets have no check sequence, as captures
/// do not have it either.
///
/// Packets wait in the root queue disc above the device; the device asks it for the next one when a
/// transmission is over. Without a queue disc they wait in a drop-tail queue of the device.
///
/// There is no address resolution, because each end of a link knows the address of the other one.
/// ns-3's stack then sends all packets to the broadcast address; the port sends packets with a
/// unicast IP destination to the other end. Set NeedsArp if there are bridges between hosts.
///
/// This class is ns-3's interface of a device, and takes what arrives. EthernetTransmitter chooses
/// what is sent, and EthernetMac has the link.
class alignas(CACHE_LINE) EthernetNetDevice : public EthernetPort
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Bytes of the frame check sequence.
    static constexpr uint32_t FCS_SIZE = EthernetMac::FCS_SIZE;

    /// Attach the device to a link. It has its node and address already. @param channel the link
    void Attach(Ptr<EthernetChannel> channel);

    /// @return whether a trace source of the port was ever connected
    bool IsWatched() const
    {
        return m_mac.traces != nullptr;
    }

    /// @return the statistics
    const EthernetPortStatistics& GetStatistics() const
    {
        return m_mac.statistics;
    }

    /// @return the other end's address, null if there is no other end yet
    const Address& GetRemoteAddress() const
    {
        return m_mac.remoteAddress;
    }

    /// @return the root queue disc, null if there is none
    Ptr<QueueDisc> GetQueueDisc();

    /// @return the bytes in the root queue disc, 0 if there is none
    uint64_t GetQueuedBytes();

    /// Set the processor of frame tags. @param processor the processor, null for none
    void SetTagProcessor(Ptr<EthernetTagProcessor> processor);

    /// Get the processor of frame tags. @return the processor, null if there is none
    Ptr<EthernetTagProcessor> GetTagProcessor() const
    {
        return m_mac.tagProcessor;
    }

    /// Set the handler that gets frames before ns-3's stack. @param handler it, null for none
    void SetFrameHandler(Ptr<EthernetFrameHandler> handler)
    {
        m_mac.frameHandler = handler;
    }

    /// Get the handler that gets frames before ns-3's stack. @return it, null if there is none
    Ptr<EthernetFrameHandler> GetFrameHandler() const
    {
        return m_mac.frameHandler;
    }

    /// Have packets keep their FrameContext on their way through ns-3's stack. A tag processor
    /// switches it on.
    void SetKeepContext(bool isKept)
    {
        m_mac.isContextKept = isKept;
    }

    /// Give a packet for ns-3's stack its context, if contexts are to be kept.
    void KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const;

    /// @return the priority code point that a packet of this context would be sent with,
    ///         FrameContext::NO_PRIORITY if the port's frames have no VLAN tag
    uint8_t GetTagPriority(const FrameContext& context) const
    {
        return m_vlans.GetPriority(context.priority);
    }

    /// Queue a transit packet, and send it when its turn comes. @param item the packet
    void Forward(const Ptr<EthernetQueueItem>& item)
    {
        m_transmitter.Forward(item);
    }

    /// Set the protocol of MAC control frames; without it, they are discarded on arrival.
    /// @param control the MAC control, null for none
    void SetMacControl(Ptr<EthernetMacControl> control)
    {
        m_mac.macControl = control;
    }

    /// Get the protocol of MAC control frames. @return the MAC control, null if there is none
    Ptr<EthernetMacControl> GetMacControl() const
    {
        return m_mac.macControl;
    }

    /// Ask the MAC control for a frame once the port is idle. The frame is sent before all
    /// that waits, even if that is paused.
    void RequestControl()
    {
        m_transmitter.RequestControl();
    }

    /// Set the source of frames in addition to the root queue disc. @param source it, null for none
    void SetFrameSource(Ptr<EthernetFrameSource> source);

    /// Get the source of frames in addition to the root queue disc. @return it, null for none
    Ptr<EthernetFrameSource> GetFrameSource() const
    {
        return m_mac.frameSource;
    }

    /// Ask the frame source for a frame once the port is idle.
    void RequestFrame()
    {
        m_transmitter.RequestFrame();
    }

    /// As RequestFrame(), but at once if the port is idle. Only for events without another frame.
    void PullFrame()
    {
        m_transmitter.PullFrame();
    }

    /// Get what a frame occupies on the wire in addition to its bytes.
    /// @return bytes of preamble, start of frame and gap to the next one
    uint32_t GetOverhead() const
    {
        return m_mac.overhead;
    }

    /// @return the rate
    DataRate GetDataRate() const
    {
        return m_mac.dataRate;
    }

    /// Take a frame from the link, as bytes. frame: the frame, whose last bit has arrived; it is
    /// changed; epoch: GetLinkEpoch() when it was sent.
    void Receive(Ptr<Packet> frame, uint32_t epoch);

    /// @return the number of times that the link has failed or was restored
    uint32_t GetLinkEpoch() const
    {
        return m_mac.linkEpoch;
    }

    // From EthernetPort
    void SetRemoteAddress(const Address& address) override
    {
        m_mac.remoteAddress = address;
        m_mac.remote = ToMacBytes(address);
    }

    void Receive(EthernetFrame& frame, uint32_t epoch) override;

    void NotifyLinkFailed(bool isFailed) override
    {
        m_mac.isFailed = isFailed;
        ++m_mac.linkEpoch;
    }

    void NotifyLinkState(bool isUp) override;

    // From NetDevice
    void SetIfIndex(uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    void SetNode(Ptr<Node> node) override
    {
        m_node = node;
    }

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    Ptr<Channel> GetChannel() const override
    {
        return m_mac.channel;
    }

    void SetAddress(Address address) override;

    Address GetAddress() const override
    {
        return ToMac48Address(m_mac.address);
    }

    bool SetMtu(uint16_t mtu) override;

    uint16_t GetMtu() const override
    {
        return m_mac.mtu;
    }

    bool IsLinkUp() const override
    {
        return m_mac.isUp;
    }

    bool IsPointToPoint() const override
    {
        return !m_mac.needsArp; // ns-3's parallel simulators look at such links only
    }

    bool NeedsArp() const override
    {
        return m_mac.needsArp;
    }

    bool IsBroadcast() const override
    {
        return true;
    }

    bool IsMulticast() const override
    {
        return true;
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool SupportsSendFrom() const override
    {
        return true;
    }

    Address GetBroadcast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;

    /// TracedCallback signature for a link that goes down or comes up.
    /// @param [in] isUp whether it is up
    typedef void (*LinkStateTracedCallback)(bool isUp);

    /// TracedCallback signature for frames whose headers need not be written.
    /// @param [in] packet the packet, without the headers that the port has parsed; packet tags
    ///             that are added to it stay with the frame
    /// @param [in] nBytes the bytes of the frame, without its check sequence
    typedef void (*FrameTracedCallback)(Ptr<const Packet> packet, uint32_t nBytes);

  protected:
    void DoDispose() override;

  private:
    /// Check a frame that has arrived, count it and trace it. whole: the whole frame, unchanged if
    /// nothing traces it. @return false if it is dropped; else its header has been read
    bool IsIntact(EthernetFrame& frame, uint32_t epoch, Ptr<const Packet>& whole);

    /// Take a MAC control frame, or discard it. whole: the whole frame, null if nothing traces it.
    void ReceiveControl(EthernetFrame& frame, const Ptr<const Packet>& whole);

    /// Hand a frame to ns-3's stack. whole: the whole frame, null if nothing traces it; packet: its
    /// payload; fields: its header.
    void Deliver(const Ptr<const Packet>& whole,
                 const Ptr<Packet>& packet,
                 const EthernetFields& fields);

    /// @return the trace sources, null if none has been connected
    std::unique_ptr<EthernetPortTraces>& GetTraces()
    {
        return m_mac.traces;
    }

    // What a transit packet touches comes first.
    EthernetMac m_mac;                                        //!< the end of the link
    EthernetTransmitter m_transmitter{*this, m_mac, m_vlans}; //!< sends
    VlanMembership m_vlans;                                   //!< the VLANs
    uint32_t m_ifIndex{0};                                    //!< the index in the node
    Ptr<Node> m_node;                                         //!< the node
    NetDevice::ReceiveCallback m_receive;                     //!< the node's callback
    NetDevice::PromiscReceiveCallback m_promiscReceive;       //!< the node's, for all frames
    TracedCallback<> m_linkChange;                            //!< the link change callbacks
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_NET_DEVICE_H
