// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EDGE_SHAPER_H
#define AIDC_EDGE_SHAPER_H

#include "../core/pre-ecn/edge-rate-law.h"
#include "../core/pre-ecn/shaping.h"
#include "../core/simulator/window-calendar.h"
#include "../core/transport/vector-fifo.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"
#include "ns3/tunnel-traffic-controller.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace ns3::aidc
{

class SwitchPortQueueDisc;

/// The counters of an EdgeShaper for packets of limited flows.
///
/// Bytes count inner packets with their IPv4 header. Packets that were held and not released are
/// waiting.
struct EdgeShaperStatistics
{
    uint64_t passedPackets{0};   //!< packets that did not have to wait
    uint64_t passedBytes{0};     //!< their bytes
    uint64_t heldPackets{0};     //!< packets that had to wait
    uint64_t heldBytes{0};       //!< their bytes
    uint64_t releasedPackets{0}; //!< packets that have left after a wait
    uint64_t releasedBytes{0};   //!< their bytes
    uint64_t droppedPackets{0};  //!< packets that the buffer had no room for
    uint64_t droppedBytes{0};    //!< their bytes
};

/// The queues in which packets of limited flows wait before they enter a tunnel.
///
/// Each flow has a queue with a token bucket. A packet leaves when its bucket has enough, and
/// packets that are due at the same instant leave in the order in which their flows were first
/// limited.
///
/// The packets of some queues may have to pass a group, too. A group is a token bucket for all of
/// these queues, which the queues whose own buckets have enough share fairly (FairOrder). So
/// traffic beyond the rate of a group waits in the queues of flows, where a lower rate of a flow
/// has its effect at once.
///
/// Waiting packets take the memory of the node's SharedBuffer, as a queue of its own. But a packet
/// of a lossless class is charged to its ingress port and priority, as by SwitchPortQueueDisc, so
/// that the peer is paused in time and nothing is lost. The SwitchPortQueueDisc of the ingress port
/// knows which classes are lossless. Packets for which there is no room are dropped.
class EdgeShaper : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    EdgeShaper();

    /// Called when a packet leaves: its queue, its tunnel and the packet, which may be moved.
    ///
    /// It may neither close the queue nor add packets to it, but add the packet to another queue.
    using ReleaseCallback = Callback<void, uint32_t, IpTunnelNetDevice&, TunnelPacket&>;

    /// Draw on the memory of a node from now on: on its SharedBuffer, if it has one.
    /// @param node the node
    /// @param release takes the packets that leave
    void Install(Ptr<Node> node, ReleaseCallback release);

    /// The rate of a flow without a limit of its own.
    static constexpr uint64_t UNLIMITED = EdgeRateLaw::UNLIMITED;
    /// No group.
    static constexpr uint32_t NO_GROUP = std::numeric_limits<uint32_t>::max();

    /// Limit a flow.
    /// @param rate its rate in bit/s, at least 1, or UNLIMITED
    /// @return the flow's queue
    uint32_t Open(uint64_t rate);

    /// Change the rate of a flow.
    /// @param queue the flow's queue
    /// @param rate its rate in bit/s, at least 1, or UNLIMITED
    void SetRate(uint32_t queue, uint64_t rate);

    /// Make a group.
    /// @param rate its rate in bit/s, at least 1
    /// @param overhead bytes that count for the rate in addition to the packet in its tunnel
    /// @return the group
    uint32_t OpenGroup(uint64_t rate, uint32_t overhead);

    /// @return whether packets wait in a flow's queue
    bool IsWaiting(uint32_t queue) const
    {
        return !m_queues[queue].packets.IsEmpty();
    }

    /// @return whether packets wait in a flow's queue because of the flow's own rate
    bool IsHeldBack(uint32_t queue) const
    {
        return IsWaiting(queue) && !m_queues[queue].isReady;
    }

    /// Stop limiting a flow.
    ///
    /// It is an error if packets of the flow wait: later packets would overtake them.
    /// @param queue the flow's queue
    void Close(uint32_t queue);

    /// Decide on a packet.
    /// @param queue the flow's queue
    /// @param tunnel the tunnel that the packet is to enter
    /// @param [in,out] packet the packet; without payload if it was kept or dropped
    /// @param group the group that the packet has to pass, or NO_GROUP; while packets wait, it is
    ///        their group
    /// @return whether it may enter at once
    bool Pass(uint32_t queue,
              IpTunnelNetDevice& tunnel,
              TunnelPacket& packet,
              uint32_t group = NO_GROUP);

    /// Decide on a packet of a flow that has no queue. A packet that may not enter needs a queue.
    /// @param group the group that the packet has to pass
    /// @param tunnel the tunnel that the packet is to enter
    /// @param packet the packet
    /// @return whether it may enter at once
    bool PassGroup(uint32_t group, const IpTunnelNetDevice& tunnel, const TunnelPacket& packet);

    /// @return the share of the buffer of packets that are not lossless
    Ptr<SharedBufferQueue> GetBufferQueue() const
    {
        return m_share;
    }

    /// @return the statistics
    const EdgeShaperStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// TracedCallback signature for a packet that is dropped.
    /// @param [in] packet the packet
    /// @param [in] reason a reason of SharedBufferQueue, or IngressBuffer::INGRESS_DROP
    typedef void (*DropTracedCallback)(const TunnelPacket& packet, const char* reason);

  protected:
    void DoDispose() override;

  private:
    /// The class of packets that are not lossless.
    static constexpr uint8_t LOSSY = std::numeric_limits<uint8_t>::max();

    /// The classes of an ingress port.
    struct Port
    {
        SwitchPortQueueDisc* classes{nullptr}; //!< classifies packets, null for none
        uint32_t lossless{0};                  //!< the classes that are lossless, a bit each
        bool isKnown{false};                   //!< whether these are known
    };

    /// A packet that waits.
    struct Waiting
    {
        TunnelPacket packet;       //!< the packet
        IpTunnelNetDevice* tunnel; //!< where it goes
        uint8_t ingressClass;      //!< the lossless class that it is charged to, or LOSSY
    };

    /// The queue of a flow.
    struct Queue
    {
        VectorFifo<Waiting> packets; //!< the waiting packets
        TokenBucket bucket;          //!< decides when they may leave
        bool isLimited{false};       //!< whether the bucket decides
        bool isReady{false};         //!< whether the first packet waits for its group only
        uint64_t serial{0};          //!< the queues' order
        uint32_t group{NO_GROUP};    //!< the group of the waiting packets
        uint64_t finish{0};          //!< its finish tag in the group
    };

    /// A group, which several queues pass.
    struct Group
    {
        TokenBucket bucket;      //!< decides when packets may leave
        FairOrder ready;         //!< the queues whose first packets wait for nothing else
        bool isScheduled{false}; //!< whether the first one is in the heap, or is being sent
        uint64_t serial{0};      //!< its place in the order
        uint32_t overhead{0};    //!< bytes that count in addition to packets in tunnels
    };

    /// When the first packet of a queue or group may leave.
    struct Due
    {
        int64_t time;    //!< when, in ns
        uint64_t serial; //!< its place in the order
        uint32_t index;  //!< the queue or group
        bool isGroup;    //!< whether it is a group
    };

    /// The order in which packets leave.
    struct IsBefore
    {
        /// @return whether packet a leaves first
        bool operator()(const Due& a, const Due& b) const
        {
            return a.time != b.time ? a.time < b.time : a.serial < b.serial;
        }
    };

    /// Get the lossless class of a packet. @return the class, or LOSSY
    uint8_t FindIngressClass(const TunnelPacket& packet);

    /// now: the time in ns. @return when the queue's own rate lets the packet leave
    static int64_t GetReadyTime(Queue& queue, int64_t now, uint32_t bytes)
    {
        return queue.isLimited ? queue.bucket.GetReadyTime(now, bytes) : now;
    }

    /// @return the bytes that count for the group
    static uint32_t GetLinkBytes(const Group& group,
                                 const IpTunnelNetDevice& tunnel,
                                 uint32_t bytes);

    /// Schedule the first packet of a queue. SetEvent() is up to the caller. now: the time in ns.
    void Schedule(uint32_t queue, int64_t now);

    /// Let the first packets of a group leave, as far as they may. now: the time in ns.
    void ReleaseGroup(uint32_t index, int64_t now);

    /// Let the first packet of a queue leave. now: the time in ns.
    void ReleaseFirst(uint32_t index, int64_t now);

    /// Schedule the event of the next packet.
    void SetEvent();

    /// Let the packets that are due leave.
    void Release();

    QueueSize m_bufferSize;            //!< attribute BufferSize
    uint32_t m_burst{0};               //!< attribute Burst
    Ptr<Node> m_node;                  //!< the node
    Ptr<SharedBuffer> m_buffer;        //!< its memory
    Ptr<SharedBufferQueue> m_share;    //!< the share of packets that are not lossless
    std::vector<Port> m_ports;         //!< the ingress ports, by the index of the device
    ReleaseCallback m_release;         //!< takes the packets that leave
    std::deque<Queue> m_queues;        //!< the queues; their addresses do not change
    std::vector<uint32_t> m_free;      //!< the closed queues
    std::deque<Group> m_groups;        //!< the groups
    ItemHeap<Due, IsBefore> m_due;     //!< the queues and groups with packets
    EventId m_event;                   //!< the next release
    int64_t m_eventTime{0};            //!< when it is, in ns
    uint64_t m_serial{0};              //!< queues and groups that were opened
    EdgeShaperStatistics m_statistics; //!< the statistics
    TracedValue<uint64_t> m_bytes{0};  //!< bytes that wait
    TracedCallback<const TunnelPacket&, const char*> m_dropTrace; //!< trace of drops
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_SHAPER_H
