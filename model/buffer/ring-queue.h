/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RING_QUEUE_H
#define AIDC_RING_QUEUE_H

#include "../core/buffer/port-queues.h"
#include "../core/cache-line.h"

#include "ns3/callback.h"
#include "ns3/ptr.h"
#include "ns3/queue-item.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @brief A trace source of packets whose first listener is called without a list.
 *
 * The queue disc of a queue is its first listener: it counts packets that way, twice for each.
 * Users who listen as well are in the list. It is what MakeTraceSourceAccessor() asks for.
 */
class QueueTrace
{
  public:
    /// Add a listener.
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        if (m_first.IsNull() && m_others.IsEmpty())
        {
            m_first.Assign(callback);
        }
        else
        {
            m_others.ConnectWithoutContext(callback);
        }
    }

    /// Add a listener that is told a context.
    void Connect(const CallbackBase& callback, std::string context)
    {
        m_others.Connect(callback, context);
    }

    /// Remove a listener.
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        if (!m_first.IsNull() && m_first.IsEqual(callback))
        {
            m_first.Nullify();
        }
        m_others.DisconnectWithoutContext(callback);
    }

    /// Remove a listener that is told a context.
    void Disconnect(const CallbackBase& callback, std::string context)
    {
        m_others.Disconnect(callback, context);
    }

    /// Tell the listeners. @param item the packet
    void operator()(const Ptr<QueueDiscItem>& item) const
    {
        if (!m_first.IsNull())
        {
            m_first(item);
        }
        if (!m_others.IsEmpty())
        {
            m_others(item);
        }
    }

  private:
    Callback<void, Ptr<const QueueDiscItem>> m_first;  //!< the queue disc
    TracedCallback<Ptr<const QueueDiscItem>> m_others; //!< all others
};

/**
 * @brief The internal queue of queue discs that decide by themselves which packets are dropped.
 *
 * It has the packets of all classes of a port, and no limit. To ns-3 it is one queue, with the
 * counters and trace sources of ns-3's DropTailQueue. So the queue disc counts each packet once as
 * it arrives and once as it leaves. Users of ns-3's interface see the packets of class 0.
 */
class alignas(CACHE_LINE) RingQueue : public Queue<QueueDiscItem>
{
  public:
    /// The packets by class. The queue adds a reference on entry and drops it on exit.
    using Packets = PortQueues<QueueDiscItem*>;

    /// @return the TypeId
    static TypeId GetTypeId();

    RingQueue();
    ~RingQueue() override;

    /// Set the number of classes, before packets come. @param nClasses from 1 to 8
    void SetNClasses(uint32_t nClasses);

    /// @return the packets by class; use Push() and Pop(), which count, to add and remove packets
    Packets& GetPackets()
    {
        return m_packets;
    }

    /// @return the packets by class
    const Packets& GetPackets() const
    {
        return m_packets;
    }

    /// Put a packet of so many bytes after the others of a class.
    void Push(uint32_t index, const Ptr<QueueDiscItem>& item, uint32_t bytes);

    /// Take the first packet of a class out. @param index the class
    /// @param [out] bytes its size @return the packet, null if there is none
    Ptr<QueueDiscItem> Pop(uint32_t index, uint32_t& bytes);

    // From Queue
    bool Enqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> Dequeue() override;
    Ptr<QueueDiscItem> Remove() override;

    Ptr<const QueueDiscItem> Peek() const override
    {
        return m_packets.GetFront(0);
    }

  protected:
    void DoDispose() override;

  private:
    /// Drop all packets.
    void Clear();

    // What each packet touches comes first.
    Packets m_packets;                                          //!< the packets
    QueueTrace m_enqueueTrace;                                  //!< trace Enqueue
    QueueTrace m_dequeueTrace;                                  //!< trace Dequeue
    TracedCallback<Ptr<const QueueDiscItem>> m_dropTrace;       //!< trace Drop
    TracedCallback<Ptr<const QueueDiscItem>> m_dropBeforeTrace; //!< trace DropBeforeEnqueue
    TracedCallback<Ptr<const QueueDiscItem>> m_dropAfterTrace;  //!< trace DropAfterDequeue
};

} // namespace ns3::aidc

#endif // AIDC_RING_QUEUE_H
