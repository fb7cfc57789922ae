/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PORT_QUEUE_H
#define AIDC_PORT_QUEUE_H

#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
class QueueDiscItem;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A root queue disc, as a port uses it that knows it: QueueDisc::Enqueue(), Dequeue() and
 * GetNPackets() without what ns-3 counts on the way.
 *
 * Whether it is counted nevertheless is up to the queue disc.
 */
class PortQueue
{
  public:
    virtual ~PortQueue() = default;

    /// Begin to use the queue disc by this interface, and by it alone for all that is dequeued.
    virtual void Attach() = 0;

    /**
     * @brief Queue a packet.
     * @param item the packet
     * @return false if it was dropped
     */
    virtual bool Push(const Ptr<QueueDiscItem>& item) = 0;

    /**
     * @brief Take the packet that is to be sent next.
     * @return the packet, null if none may be sent now
     */
    virtual Ptr<QueueDiscItem> Pop() = 0;

    /**
     * @brief Tell whether there are packets.
     * @return true if there are, even if none of them may be sent now
     */
    virtual bool HasPackets() const = 0;

    /**
     * @brief Get what is queued.
     * @return bytes
     */
    virtual uint64_t GetQueuedBytes() const = 0;
};

} // namespace ns3::aidc

#endif // AIDC_PORT_QUEUE_H
