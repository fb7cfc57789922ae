/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_SHAPER_H
#define AIDC_EDGE_SHAPER_H

#include "../core/simulator/item-heap.h"
#include "../core/transport/vector-fifo.h"
#include "../core/wan/token-bucket.h"
#include "edge-buffer.h"
#include "tunnel-traffic-controller.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer-queue.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The counters of an EdgeShaper for packets of limited flows.
 *
 * Bytes are those of inner packets with their IPv4 header. Packets that were held and not released
 * are waiting.
 */
struct EdgeShaperStatistics
{
    uint64_t passedPackets{0};   //!< packets that did not have to wait
    uint64_t passedBytes{0};     //!< bytes of them
    uint64_t heldPackets{0};     //!< packets that had to wait
    uint64_t heldBytes{0};       //!< bytes of them
    uint64_t releasedPackets{0}; //!< packets that have left after a wait
    uint64_t releasedBytes{0};   //!< bytes of them
    uint64_t droppedPackets{0};  //!< packets that the buffer had no room for
    uint64_t droppedBytes{0};    //!< bytes of them
};

/**
 * @ingroup aidc
 * @brief The queues in which packets of limited flows wait before they enter a tunnel.
 *
 * Each flow has a queue with a token bucket. Queues do not compete, so nothing chooses between
 * them: a packet leaves when its bucket has enough, and packets that are due at the same instant
 * leave in the order in which their flows were first limited.
 *
 * Waiting packets are in an EdgeBuffer. Packets for which it has no room are dropped.
 */
class EdgeShaper : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Called when a packet leaves: its queue, its tunnel and the packet, which may be moved.
     *
     * It may neither close the queue nor add packets to it, but add the packet to another queue.
     */
    using ReleaseCallback = Callback<void, uint32_t, IpTunnelNetDevice&, TunnelPacket&>;

    /// Draw on the memory of a node from now on: on its SharedBuffer, if it has one.
    /// @param node the node
    /// @param release takes the packets that leave
    void Install(Ptr<Node> node, ReleaseCallback release);

    /// Limit a flow, or a set of flows.
    /// @param rate its rate in bit/s, at least 1
    /// @param overhead bytes that count for the rate besides each packet's own
    /// @return the flow's queue
    uint32_t Open(uint64_t rate, uint32_t overhead = 0);

    /// Change the rate of a flow.
    /// @param queue the flow's queue
    /// @param rate its rate in bit/s, at least 1
    void SetRate(uint32_t queue, uint64_t rate);

    /// @return whether packets wait in a flow's queue
    bool IsWaiting(uint32_t queue) const
    {
        return !m_queues[queue].packets.IsEmpty();
    }

    /// @return bytes that wait in a flow's queue
    uint64_t GetWaitingBytes(uint32_t queue) const
    {
        return m_queues[queue].bytes;
    }

    /**
     * @brief Stop limiting a flow.
     *
     * It is an error if packets of the flow wait: later packets would overtake them.
     *
     * @param queue the flow's queue
     */
    void Close(uint32_t queue);

    /// Decide on a packet.
    /// @param queue the flow's queue
    /// @param tunnel the tunnel that the packet is to enter
    /// @param [in,out] packet the packet; without payload if it was kept or dropped
    /// @return whether it may enter at once
    bool Pass(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet);

    /// @return the share of the buffer of packets that are not lossless
    Ptr<SharedBufferQueue> GetBufferQueue() const
    {
        return m_buffer.GetQueue();
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
    /// A packet that waits.
    struct Waiting
    {
        TunnelPacket packet;       //!< the packet
        IpTunnelNetDevice* tunnel; //!< where it goes
        uint8_t ingressClass; //!< the lossless class that it is charged to, or EdgeBuffer::LOSSY
    };

    /// The queue of a flow.
    struct Queue
    {
        VectorFifo<Waiting> packets; //!< the waiting packets
        TokenBucket bucket;          //!< decides when they may leave
        uint64_t serial{0};          //!< the queues' order
        uint32_t overhead{0};        //!< bytes that count besides a packet's own
        uint64_t bytes{0};           //!< bytes of the waiting packets
    };

    /// When the first packet of a queue leaves.
    struct Due
    {
        int64_t time;    //!< when, in ns
        uint64_t serial; //!< the queue's place in the order
        uint32_t queue;  //!< the queue
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

    /// Schedule the first packet of a queue.
    /// @param queue the queue
    /// @param now the time in ns
    void Schedule(uint32_t queue, int64_t now);

    /// Schedule the event of the next packet.
    void SetEvent();

    /// Let the packets leave that are due.
    void Release();

    QueueSize m_bufferSize;            //!< attribute BufferSize
    uint32_t m_burst{0};               //!< attribute Burst
    EdgeBuffer m_buffer;               //!< the memory of waiting packets
    ReleaseCallback m_release;         //!< takes the packets that leave
    std::deque<Queue> m_queues;        //!< the queues; their addresses do not change
    std::vector<uint32_t> m_free;      //!< the closed queues
    ItemHeap<Due, IsBefore> m_due;     //!< the queues with packets
    EventId m_event;                   //!< the next release
    int64_t m_eventTime{0};            //!< when it is, in ns
    uint64_t m_serial{0};              //!< queues that were opened
    EdgeShaperStatistics m_statistics; //!< the statistics
    TracedValue<uint64_t> m_bytes{0};  //!< bytes that wait
    TracedCallback<const TunnelPacket&, const char*> m_dropTrace; //!< trace of drops
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_SHAPER_H
