/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_SHAPER_H
#define AIDC_EDGE_SHAPER_H

#include "tunnel-traffic-controller.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/item-heap.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer-queue.h"
#include "ns3/shared-buffer.h"
#include "ns3/token-bucket.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"
#include "ns3/vector-fifo.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace ns3::aidc
{

class SwitchPortQueueDisc;

/**
 * @ingroup aidc
 * @brief What an EdgeShaper has done with the packets of limited flows.
 *
 * Bytes are those of inner packets with their IPv4 header. What was held and not released is
 * waiting.
 */
struct EdgeShaperStatistics
{
    uint64_t passedPackets{0};   //!< packets that did not have to wait
    uint64_t passedBytes{0};     //!< bytes of them
    uint64_t heldPackets{0};     //!< packets that were taken to wait
    uint64_t heldBytes{0};       //!< bytes of them
    uint64_t releasedPackets{0}; //!< packets that have left after a wait
    uint64_t releasedBytes{0};   //!< bytes of them
    uint64_t droppedPackets{0};  //!< packets that the buffer had no room for
    uint64_t droppedBytes{0};    //!< bytes of them
};

/**
 * @ingroup aidc
 * @brief Where packets of limited flows wait before they enter a tunnel.
 *
 * Each flow has a queue with a token bucket. Queues do not compete, so nothing chooses between
 * them: a packet leaves when its bucket has enough, and packets that are due at the same instant
 * leave in the order in which their flows were first limited.
 *
 * What waits is in the memory of the router: it draws on the node's SharedBuffer as a queue of its
 * own, and what exceeds that is dropped. A packet of a lossless class is charged instead to the
 * port and priority that it came in by, as SwitchPortQueueDisc does, so that the peer is paused in
 * time and nothing is lost. Which classes are lossless is what the SwitchPortQueueDisc of the
 * ingress port says.
 */
class EdgeShaper : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    EdgeShaper();

    /**
     * @brief Tells that a packet leaves: its queue, its tunnel and itself, which may be moved.
     *
     * It may neither close the queue nor add packets to it.
     */
    using ReleaseCallback = Callback<void, uint32_t, IpTunnelNetDevice&, TunnelPacket&>;

    /// Begin to draw on the memory of a node; of its SharedBuffer, if it has one.
    /// @param node the node
    /// @param release takes the packets that leave
    void Install(Ptr<Node> node, ReleaseCallback release);

    /// Limit a flow. @param rate its rate in bit/s, at least 1 @return the flow's queue
    uint32_t Open(uint64_t rate);

    /// Change the rate of a flow.
    /// @param queue the flow's queue
    /// @param rate its rate in bit/s, at least 1
    void SetRate(uint32_t queue, uint64_t rate);

    /// Tell whether packets of a flow wait. @param queue the flow's queue @return whether they do
    bool IsWaiting(uint32_t queue) const;

    /**
     * @brief Limit a flow no longer.
     *
     * It is an error if packets of it wait: those behind them would overtake them.
     *
     * @param queue the flow's queue
     */
    void Close(uint32_t queue);

    /**
     * @brief Decide on a packet.
     * @param queue the flow's queue
     * @param tunnel the tunnel that it is to enter
     * @param [in,out] packet the packet; without payload if it was kept or dropped
     * @return whether it may enter at once
     */
    bool Pass(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet);

    /// @return the share of the buffer of packets that are not lossless
    Ptr<SharedBufferQueue> GetBufferQueue() const
    {
        return m_share;
    }

    /// @return what has been counted
    const EdgeShaperStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// TracedCallback signature for a packet that is dropped.
    /// @param [in] packet the packet
    /// @param [in] reason one of those of SharedBufferQueue, or IngressBuffer::INGRESS_DROP
    typedef void (*DropTracedCallback)(const TunnelPacket& packet, const char* reason);

  protected:
    void DoDispose() override;

  private:
    /// The class of what is not lossless.
    static constexpr uint8_t LOSSY = std::numeric_limits<uint8_t>::max();

    /// A packet that waits.
    struct Waiting
    {
        TunnelPacket packet;       //!< the packet
        IpTunnelNetDevice* tunnel; //!< where it goes
        uint8_t ingressClass;      //!< the lossless class that it is charged to, or LOSSY
    };

    /// What belongs to a flow.
    struct Queue
    {
        VectorFifo<Waiting> packets; //!< what waits
        TokenBucket bucket;          //!< when it may leave
        uint64_t serial{0};          //!< the queues' order
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
        /// Compare. @param a a packet @param b another one @return whether a leaves first
        bool operator()(const Due& a, const Due& b) const
        {
            return a.time != b.time ? a.time < b.time : a.serial < b.serial;
        }
    };

    /// What is known of an ingress port.
    struct Port
    {
        SwitchPortQueueDisc* classes{nullptr}; //!< tells the class of a packet, null for none
        uint32_t lossless{0};                  //!< the classes that are lossless, a bit each
        bool isKnown{false};                   //!< whether these are known
    };

    /// Get the lossless class of a packet. @param packet the packet @return the class, or LOSSY
    uint8_t FindIngressClass(const TunnelPacket& packet);

    /**
     * @brief Take memory for a packet, or drop it.
     * @param [in,out] packet the packet; without payload if it was dropped
     * @param bytes its size
     * @param ingressClass what to charge it to
     * @return whether there was room
     */
    bool Admit(TunnelPacket& packet, uint32_t bytes, uint8_t ingressClass);

    /// Give the memory of a packet back. @param waiting the packet @param bytes its size
    void Credit(const Waiting& waiting, uint32_t bytes);

    /// Have the first packet of a queue leave in its time.
    /// @param queue the queue
    /// @param now the time in ns
    void Schedule(uint32_t queue, int64_t now);

    /// Have the next event at the right time.
    void SetEvent();

    /// Let the packets leave that are due.
    void Release();

    QueueSize m_bufferSize;            //!< attribute BufferSize
    uint32_t m_burst{0};               //!< attribute Burst
    Ptr<Node> m_node;                  //!< the node
    Ptr<SharedBuffer> m_buffer;        //!< its memory
    Ptr<SharedBufferQueue> m_share;    //!< the share of what is not lossless
    ReleaseCallback m_release;         //!< takes the packets that leave
    std::deque<Queue> m_queues;        //!< the queues; they stay where they are
    std::vector<uint32_t> m_free;      //!< those that are closed
    std::vector<Port> m_ports;         //!< the ingress ports
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
