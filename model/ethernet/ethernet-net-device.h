/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_NET_DEVICE_H
#define AIDC_ETHERNET_NET_DEVICE_H

#include "ethernet-port-hooks.h"
#include "ethernet-port-statistics.h"
#include "ethernet-port.h"
#include "ethernet-queue-item.h"

#include "ns3/cache-line.h"
#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/queue-size.h"
#include "ns3/recurring-event.h"
#include "ns3/traced-callback.h"
#include "ns3/wire-clock.h"

#include <cstdint>
#include <list>
#include <memory>

namespace ns3
{
class QueueDisc;
} // namespace ns3

namespace ns3::aidc
{

class EthernetChannel;
class EthernetTransmitQueue;
struct EthernetPortTraces;

/**
 * @ingroup aidc
 * @brief A full-duplex Ethernet port.
 *
 * Frames are Ethernet II, with 802.1Q and 802.1ad tags and one tag behind them if an
 * EthernetTagProcessor works on it. On the wire each occupies at least 64 bytes with its frame
 * check sequence, and the 20 bytes of preamble and gap; the check sequence is not in the packets
 * that traces show, as captures do not have it.
 *
 * Packets wait in the root queue disc above the device; the device asks it for the next one when a
 * transmission is over. Without a queue disc they wait in a drop-tail queue of the device.
 *
 * There is no address resolution: each end of a link knows the other's address. Set NeedsArp where
 * bridges stand between. An IPv4 or IPv6 packet to one destination that the stack sends to all is
 * sent to the other end's address then.
 */
class alignas(CACHE_LINE) EthernetNetDevice : public EthernetPort
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    EthernetNetDevice();
    ~EthernetNetDevice() override;

    /// Bytes of the frame check sequence.
    static constexpr uint32_t FCS_SIZE = 4;

    /**
     * @brief Attach the device, which has its node and address, to a link.
     * @param channel the link
     */
    void Attach(Ptr<EthernetChannel> channel);

    /// @return whether somebody has connected to a trace source of the port
    bool IsWatched() const
    {
        return m_traces != nullptr;
    }

    /// @return the statistics
    const EthernetPortStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// Get the other end's address. @return the address, null if there is no other end yet
    const Address& GetRemoteAddress() const;

    /// @return the root queue disc, null if there is none
    Ptr<QueueDisc> GetQueueDisc();

    /// @return what the root queue disc holds in bytes, 0 if there is none
    uint64_t GetQueuedBytes();

    /**
     * @brief Set what works on the tags of frames.
     * @param processor the processor, null for none
     */
    void SetTagProcessor(Ptr<EthernetTagProcessor> processor);

    /// Get what works on the tags of frames. @return the processor, null if there is none
    Ptr<EthernetTagProcessor> GetTagProcessor() const;

    /**
     * @brief Set what takes frames before ns-3's stack does.
     * @param handler the handler, null for none
     */
    void SetFrameHandler(Ptr<EthernetFrameHandler> handler);

    /// Get what takes frames before ns-3's stack does. @return the handler, null if there is none
    Ptr<EthernetFrameHandler> GetFrameHandler() const;

    /**
     * @brief Have packets keep their FrameContext on their way through ns-3's stack.
     *
     * A tag processor switches it on.
     *
     * @param isKept whether they do
     */
    void SetKeepContext(bool isKept);

    /**
     * @brief Give a packet that goes to ns-3's stack its context, if it is to be kept.
     * @param packet the packet
     * @param context what is known of it
     */
    void KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const;

    /**
     * @brief Get the priority code point that a packet would be sent with.
     * @param context what is known of the packet
     * @return the code point, FrameContext::NO_PRIORITY if the port's frames have no VLAN tag
     */
    uint8_t GetTagPriority(const FrameContext& context) const;

    /**
     * @brief Queue a transit packet, and send it when its turn comes.
     * @param item the packet
     */
    void Forward(const Ptr<EthernetQueueItem>& item);

    /**
     * @brief Set who sends and takes MAC control frames; without, those that arrive are discarded.
     * @param control the MAC control, null for none
     */
    void SetMacControl(Ptr<EthernetMacControl> control);

    /// Get who sends and takes MAC control frames. @return the MAC control, null if there is none
    Ptr<EthernetMacControl> GetMacControl() const;

    /**
     * @brief Ask the MAC control for a frame once the port is idle, ahead of all that waits, and
     * even if that may not be sent.
     */
    void RequestControl();

    /**
     * @brief Set what makes frames beside the root queue disc.
     * @param source the source, null for none
     */
    void SetFrameSource(Ptr<EthernetFrameSource> source);

    /// Get what makes frames beside the root queue disc. @return the source, null if there is none
    Ptr<EthernetFrameSource> GetFrameSource() const;

    /// Ask the frame source for a frame once the port is idle.
    void RequestFrame();

    /// The same, at once if the port is idle; for events in which no other frame is under way.
    void PullFrame();

    /**
     * @brief Get what a frame occupies on the wire beside itself.
     * @return bytes of preamble, start of frame and gap to the next one
     */
    uint32_t GetOverhead() const
    {
        return m_overhead;
    }

    /// @return the rate
    DataRate GetDataRate() const;

    /**
     * @brief Take a frame from the link, as bytes.
     * @param frame the frame, the last bit of which has arrived; it is changed
     * @param epoch what GetLinkEpoch() was when it was sent
     */
    void Receive(Ptr<Packet> frame, uint32_t epoch);

    /**
     * @brief Take a frame from the link's other end in another rank of a parallel simulation.
     * @param frame the frame, the last bit of which has arrived
     */
    void ReceiveFromRank(Ptr<Packet> frame);

    /// @return the number of times that the link has failed or was restored
    uint32_t GetLinkEpoch() const
    {
        return m_linkEpoch;
    }

    // From EthernetPort
    void SetRemoteAddress(const Address& address) override;
    void Receive(EthernetFrame& frame, uint32_t epoch) override;
    void NotifyLinkFailed(bool isFailed) override;
    void NotifyLinkState(bool isUp) override;
    bool MustWait() override;
    void NotifyQueueDisc(bool isInstalled) override;

    // From NetDevice
    void SetIfIndex(uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    /// A packet that is to become a frame.
    struct Outgoing
    {
        /**
         * @brief Constructor.
         * @param packet the payload
         * @param destination where it goes
         * @param source the source address
         * @param etherType its EtherType
         */
        Outgoing(const Ptr<Packet>& packet,
                 const MacBytes& destination,
                 const MacBytes& source,
                 uint16_t etherType);

        EthernetFrame frame;   //!< the frame, still without tags
        FrameContext context;  //!< what is known of it
        bool isControl{false}; //!< whether it is MAC control, which has no tags
    };

    /**
     * @brief Set the rate.
     * @param rate the rate
     * @return false if it is not from 1 bit/s to 100 Tb/s
     */
    bool SetDataRate(DataRate rate);

    /**
     * @brief Set the address.
     * @param address the address
     */
    void SetMacAddress(Mac48Address address);

    /// @return the address
    Mac48Address GetMacAddress() const;

    /// @return the root queue disc, null if there is none
    QueueDisc* FindQueueDisc();

    /**
     * @brief Send a packet that has come from the root queue disc.
     * @param item the packet, with all of its headers
     */
    void TransmitItem(const Ptr<QueueDiscItem>& item);

    /**
     * @brief Queue a packet in the root queue disc, if flow control may stop its classes.
     * @param outgoing the packet, which would bypass it
     * @return false if there are no such classes
     */
    bool EnqueuePausable(const Outgoing& outgoing);

    /**
     * @brief Make a frame of a packet that the root queue disc has handed over.
     * @param item the packet
     * @return the frame
     */
    Outgoing MakeOutgoing(QueueDiscItem& item) const;

    /**
     * @brief Take the context off a packet that has come through the stack.
     * @param [in,out] outgoing the packet
     */
    void TakeContext(Outgoing& outgoing) const;

    /**
     * @brief Tell who watches that a packet is dropped before transmission.
     * @param frame its frame
     */
    void DropOutgoing(EthernetFrame& frame);

    /**
     * @brief Send a packet that has not come from the root queue disc, or queue it.
     * @param outgoing the packet
     * @return whether the packet is or will be sent
     */
    bool Submit(Outgoing outgoing);

    /**
     * @brief Get the address that a packet of the stack is to be sent to.
     * @param packet the packet
     * @param destination what the stack says
     * @param etherType the EtherType
     * @return that, or the address of the other end
     */
    MacBytes Resolve(const Packet& packet, const Address& destination, uint16_t etherType) const;

    /**
     * @brief Make a frame of a packet and begin to send it; the port is idle.
     * @param outgoing the packet
     */
    void Transmit(Outgoing& outgoing);

    /// @return whether the port is sending
    bool IsBusy() const;

    /// Send a frame of MAC control, if there is one; the port is idle.
    void TransmitControl();

    /**
     * @brief Take a MAC control frame, or discard it.
     * @param whole the whole frame, null if nobody is to see it
     * @param frame the frame
     */
    void ReceiveControl(const Ptr<const Packet>& whole, EthernetFrame& frame);

    /// Have Complete() called when the transmission is over.
    void ScheduleCompletion();

    /// Send what has waited for the end of a transmission.
    void Complete();

    /// Send the next frame of the frame source; the port is idle. @return false if there was none
    bool TransmitFromSource();

    /**
     * @brief Send the next packet of the root queue disc or of the own queue; the port is idle.
     * @return false if there was none
     */
    bool TransmitQueued();

    /**
     * @brief Send the next packet of the root queue disc; the port is idle.
     * @return false if there was none
     */
    bool Pull();

    /**
     * @brief Count a packet that is to be sent, and refuse it while the link is down, or if it is
     *        longer than the MTU or has no EtherType.
     * @param frame the packet's frame
     * @return false if it is refused
     */
    bool Accept(EthernetFrame& frame);

    /**
     * @brief Count a packet that is to be sent.
     * @param destination where it goes
     */
    void CountOut(const MacBytes& destination);

    /**
     * @brief Count a good frame of this port's VLAN.
     * @param destination where it goes
     */
    void CountIn(const MacBytes& destination);

    /**
     * @brief Drop a frame that has arrived.
     * @param frame the frame
     * @param [in,out] counter what to count it as
     */
    void DropReceived(EthernetFrame& frame, uint64_t& counter);

    /**
     * @brief Tell whether a frame is of this port's VLAN.
     * @param fields its header
     * @return whether it is
     */
    bool IsOfVlan(const EthernetFields& fields) const;

    /**
     * @brief Add the VLAN tags of the tunnel that ends at this port, if there is one.
     * @param fields where to add them, without tags so far
     */
    void AddOuterVlans(EthernetFields& fields) const;

    /**
     * @brief Hand a frame to the node.
     * @param frame the whole frame, null if nobody is to see it
     * @param packet its payload
     * @param fields its header
     */
    void Deliver(const Ptr<const Packet>& frame,
                 const Ptr<Packet>& packet,
                 const EthernetFields& fields);

    // What a transit packet touches comes first.
    WireClock m_clock;                //!< when the wire is free
    EthernetChannel* m_link{nullptr}; //!< the link, kept by m_channel
    RecurringEvent<&EthernetNetDevice::Complete> m_completion{this}; //!< calls Complete()
    QueueDisc* m_rootQueue{nullptr};              //!< the root queue disc, once it is known
    uint32_t m_end{0};                            //!< which end of the link this is
    uint32_t m_linkEpoch{0};                      //!< changes of the link's state
    uint32_t m_overhead{20};                      //!< attribute Overhead
    uint32_t m_ifIndex{0};                        //!< the index in the node
    uint32_t m_nodeId{0};                         //!< the node's id
    uint16_t m_mtu{1500};                         //!< attribute Mtu
    uint16_t m_vlanId{0};                         //!< attribute VlanId
    uint16_t m_serviceVlanId{0};                  //!< attribute ServiceVlanId
    uint8_t m_vlanPriority{0};                    //!< attribute VlanPriority
    bool m_isFailed{false};                       //!< whether the link has failed
    bool m_isUp{false};                           //!< whether the link is known to be up
    bool m_isCompletionScheduled{false};          //!< whether Complete() will be called
    bool m_isControlDue{false};                   //!< whether MAC control is to be sent
    bool m_isFrameDue{false};                     //!< whether the frame source has frames
    bool m_wasFromSource{false};                  //!< whether the last frame was the source's
    bool m_hasQueueDisc{false};                   //!< whether there is a root queue disc
    bool m_isContextKept{false};                  //!< whether the stack's packets have a context
    bool m_isPriorityKept{false};                 //!< attribute KeepPriority
    bool m_needsArp{false};                       //!< attribute NeedsArp
    bool m_hasChecksums{false};                   //!< whether nodes compute checksums
    KnownTags m_knownTags;                        //!< tags that frames may have
    MacBytes m_address{};                         //!< the own address
    MacBytes m_remote{};                          //!< the other end's address
    Address m_remoteAddress;                      //!< the same, as ns-3 has it
    uint16_t m_outerVlanId{0};                    //!< attribute OuterVlanId
    uint16_t m_outerServiceVlanId{0};             //!< attribute OuterServiceVlanId
    Ptr<EthernetTagProcessor> m_tagProcessor;     //!< works on tags
    Ptr<EthernetFrameHandler> m_frameHandler;     //!< takes frames first
    Ptr<ErrorModel> m_receiveErrorModel;          //!< attribute ReceiveErrorModel
    std::unique_ptr<EthernetPortTraces> m_traces; //!< the trace sources, null if none is connected
    std::list<Outgoing> m_queue;                  //!< what waits without a queue disc
    EthernetPortStatistics m_statistics;          //!< the statistics

    TracedCallback<> m_linkChange;                      //!< who wants to know of the link
    NetDevice::ReceiveCallback m_receive;               //!< the node's
    NetDevice::PromiscReceiveCallback m_promiscReceive; //!< the node's, for all frames
    Ptr<Node> m_node;                                   //!< the node
    Ptr<EthernetChannel> m_channel;                     //!< the link
    Ptr<EthernetTransmitQueue> m_transmitQueue;         //!< ties the root queue disc
    DataRate m_dataRate;                                //!< attribute DataRate
    Ptr<EthernetMacControl> m_macControl;               //!< sends and takes MAC control
    Ptr<EthernetFrameSource> m_frameSource;             //!< makes frames, too
    QueueSize m_queueSize;                              //!< attribute TxQueueSize
    uint64_t m_queuedBytes{0};                          //!< bytes in m_queue
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_NET_DEVICE_H
