/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RING_QUEUE_H
#define AIDC_RING_QUEUE_H

#include "ns3/cache-line.h"
#include "ns3/queue-item.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <boost/circular_buffer.hpp>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief An internal queue for queue discs that decide by themselves what is dropped.
 *
 * It is a first-in, first-out queue without a limit, with the counters and trace sources of ns-3's
 * DropTailQueue. That allocates memory for each packet, and asks twice how long it is.
 */
class alignas(CACHE_LINE) RingQueue : public Queue<QueueDiscItem>
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    RingQueue();
    ~RingQueue() override;

    // From Queue
    bool Enqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> Dequeue() override;
    Ptr<QueueDiscItem> Remove() override;
    Ptr<const QueueDiscItem> Peek() const override;

    // The same without trace sources, by which ns-3's queue discs count.

    /**
     * @brief Put a packet behind the others.
     * @param item the packet
     */
    void Push(const Ptr<QueueDiscItem>& item);

    /**
     * @brief Take the first packet out.
     * @return the packet, null if there is none
     */
    Ptr<QueueDiscItem> Pop();

    /**
     * @brief Tell whether there are packets.
     * @return true if there is none
     */
    bool IsEmpty() const
    {
        return !m_first;
    }

  protected:
    void DoDispose() override;

  private:
    // What each packet touches comes first. Most queues never hold more than one packet.
    Ptr<QueueDiscItem> m_first;                                 //!< the first packet
    TracedCallback<Ptr<const QueueDiscItem>> m_enqueueTrace;    //!< trace Enqueue
    TracedCallback<Ptr<const QueueDiscItem>> m_dequeueTrace;    //!< trace Dequeue
    boost::circular_buffer<Ptr<QueueDiscItem>> m_others;        //!< the packets behind it
    TracedCallback<Ptr<const QueueDiscItem>> m_dropTrace;       //!< trace Drop
    TracedCallback<Ptr<const QueueDiscItem>> m_dropBeforeTrace; //!< trace DropBeforeEnqueue
    TracedCallback<Ptr<const QueueDiscItem>> m_dropAfterTrace;  //!< trace DropAfterDequeue
};

} // namespace ns3::aidc

#endif // AIDC_RING_QUEUE_H
