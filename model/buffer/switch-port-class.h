/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWITCH_PORT_CLASS_H
#define AIDC_SWITCH_PORT_CLASS_H

#include "marking-queue.h"
#include "shared-buffer-queue.h"

#include "ns3/queue-disc.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A traffic class of a SwitchPortQueueDisc: its share of the link, and its queue.
 *
 * Usually the queue is a MarkingQueue, which marks packets and draws on the shared buffer. Its
 * packets are in the port. Instead, a class may have a queue disc of ns-3's own, as a child of the
 * port.
 */
class SwitchPortClass : public QueueDiscClass
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Give the class its queue, before it is added to a port.
     * @param queue a MarkingQueue, or a queue disc. If it is a SharedBufferQueueDisc, such as
     *        CoupledEcnQueueDisc, only its MarkingQueue is used. A queue disc of ns-3's own becomes
     *        a child of the port.
     */
    void SetQueue(Ptr<Object> queue);

    /// @return the class's queue, null if it has a queue disc of ns-3's own
    Ptr<MarkingQueue> GetQueue() const;

    /// @return the quantum in bytes a round; 0 is strict priority
    uint32_t GetQuantum() const
    {
        return m_quantum;
    }

    /// @return whether packets are charged to their ingress ports
    bool IsLossless() const
    {
        return m_isLossless;
    }

    /// @return the class's share of the shared buffer
    Ptr<SharedBufferQueue> GetBufferQueue() const;

    /// @return the type of the queue disc that the queue was taken from, TypeId() if there was none
    TypeId GetQueueDiscType() const
    {
        return m_queueDiscType;
    }

  private:
    uint32_t m_quantum;     //!< attribute Quantum
    bool m_isLossless;      //!< attribute Lossless
    TypeId m_queueDiscType; //!< type of the queue disc that the queue was taken from
    /// the share of the buffer: the MarkingQueue, or else made when it is needed
    mutable Ptr<SharedBufferQueue> m_share;
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_PORT_CLASS_H
