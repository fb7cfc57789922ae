// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BUFFERED_QUEUE_DISC_H
#define AIDC_BUFFERED_QUEUE_DISC_H

#include "../core/buffer/port-queues.h"
#include "../core/cache-line.h"
#include "shared-buffer.h"

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// A trace source of packets whose first listener is called without a list.
///
/// The queue disc of a queue is its first listener: it counts packets that way, twice for each.
/// Users who listen as well are in the list. It is what MakeTraceSourceAccessor() asks for.
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

/// The internal queue of queue discs that decide by themselves which packets are dropped.
///
/// It has the packets of all classes of a port, and no limit. To ns-3 it is one queue, with the
/// counters and trace sources of ns-3's DropTailQueue. So the queue disc counts each packet once as
/// it arrives and once as it leaves. Users of ns-3's interface see the packets of class 0.
class alignas(CACHE_LINE) RingQueue : public Queue<QueueDiscItem>
{
  public:
    /// The packets by class. The queue adds a reference on entry and drops it on exit.
    using Packets = PortQueues<QueueDiscItem*>;

    /// @return the TypeId
    static TypeId GetTypeId();

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
    Packets m_packets{1};                                       //!< the packets
    QueueTrace m_enqueueTrace;                                  //!< trace Enqueue
    QueueTrace m_dequeueTrace;                                  //!< trace Dequeue
    TracedCallback<Ptr<const QueueDiscItem>> m_dropTrace;       //!< trace Drop
    TracedCallback<Ptr<const QueueDiscItem>> m_dropBeforeTrace; //!< trace DropBeforeEnqueue
    TracedCallback<Ptr<const QueueDiscItem>> m_dropAfterTrace;  //!< trace DropAfterDequeue
};

/// A queue disc whose packets are in one internal queue and draw on a SharedBuffer: a whole
/// port (SwitchPortQueueDisc) or one queue (SharedBufferQueueDisc).
///
/// The buffer is the one aggregated to the node, unless another one is set. Without either, the
/// queue disc makes its own.
class BufferedQueueDisc : public QueueDisc, public PortBuffer
{
  public:
    /// Set the buffer to draw on, before initialization. @param buffer the buffer
    void SetSharedBuffer(Ptr<SharedBuffer> buffer)
    {
        m_buffer = buffer;
    }

    /// @return the buffer, null before initialization unless one was set
    Ptr<SharedBuffer> GetSharedBuffer() const
    {
        return m_buffer;
    }

    using QueueDisc::Mark; // for the MarkingQueues, which decide on marks

  protected:
    using QueueDisc::QueueDisc;

    void DoDispose() override;

    /// Make the internal queue. @param nClasses the number of its classes
    void AddPackets(uint32_t nClasses);

    /// Find the device that the queue disc serves, and the buffer. ns-3's traffic control layer
    /// tells a root its device. A child is searched for below the roots of the node that is being
    /// initialized, at the cost of a walk over this node's queue discs. @return null for no device
    Ptr<NetDevice> FindPort();

    /// Get a queue's use of the buffer.
    /// @param queue the queue
    /// @return its occupancy, its threshold, and its part if all queues had equal parts; in bytes
    PortBufferUse GetUse(const SharedBufferQueue& queue) const;

    // What each packet touches comes first.
    RingQueue* m_packets{nullptr}; //!< the packets, in the internal queue
    Ptr<SharedBuffer> m_buffer;    //!< the buffer
    QueueSize m_bufferSize;        //!< attribute BufferSize
};

} // namespace ns3::aidc

#endif // AIDC_BUFFERED_QUEUE_DISC_H
