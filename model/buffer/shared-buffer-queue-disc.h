/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SHARED_BUFFER_QUEUE_DISC_H
#define AIDC_SHARED_BUFFER_QUEUE_DISC_H

#include "buffered-queue-disc.h"
#include "marking-queue.h"

#include "ns3/queue-disc.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A first-in-first-out queue disc of one MarkingQueue, alone or anywhere in a user's tree.
 *
 * Subclasses choose the queue, and have its attributes and trace sources. A SwitchPortQueueDisc has
 * such queues as its classes, without queue discs of their own.
 */
class SharedBufferQueueDisc : public BufferedQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the queue, with its policy and its share of the buffer
    Ptr<MarkingQueue> GetBufferQueue() const
    {
        return m_queue;
    }

    /// Assign a fixed random variable stream number to the random variables of this model.
    /// @param stream the first stream number to use
    /// @return the number of stream numbers used: 1
    int64_t AssignStreams(int64_t stream);

    // From PortBuffer
    PortBufferUse GetBufferUse() const override;

  protected:
    /// Constructor. @param queue the queue
    explicit SharedBufferQueueDisc(Ptr<MarkingQueue> queue);

    /**
     * @brief Give a type the attributes and trace sources of the queue of its objects.
     * @param tid the type
     * @param queue the type of the queue
     * @param base a parent of queue, whose attributes and trace sources are not taken
     * @return the type
     */
    static TypeId MirrorQueue(TypeId tid, TypeId queue, TypeId base = MarkingQueue::GetTypeId());

  private:
    // From QueueDisc
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    Ptr<MarkingQueue> m_queue; //!< admits and marks
};

} // namespace ns3::aidc

#endif // AIDC_SHARED_BUFFER_QUEUE_DISC_H
