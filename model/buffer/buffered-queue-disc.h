/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BUFFERED_QUEUE_DISC_H
#define AIDC_BUFFERED_QUEUE_DISC_H

#include "../core/buffer/port-queues.h"
#include "shared-buffer.h"

#include "ns3/net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"

#include <cstdint>

namespace ns3::aidc
{

class RingQueue;

/**
 * @brief A queue disc whose packets are in one internal queue and draw on a SharedBuffer: a whole
 *        port (SwitchPortQueueDisc) or one queue (SharedBufferQueueDisc).
 *
 * The buffer is the one aggregated to the node, unless another one is set. Without either, the
 * queue disc makes its own.
 */
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

    /**
     * @brief Find the device that the queue disc serves, and the buffer.
     *
     * ns-3's traffic control layer tells a root its device. A child is searched for below the roots
     * of the node that is being initialized, at the cost of a walk over this node's queue discs.
     *
     * @return the device, null if there is none
     */
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
