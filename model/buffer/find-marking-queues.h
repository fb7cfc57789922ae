/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FIND_MARKING_QUEUES_H
#define AIDC_FIND_MARKING_QUEUES_H

#include "marking-queue.h"

#include "ns3/queue-disc.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// A queue of a port.
struct PlacedQueue
{
    Ptr<MarkingQueue> queue; //!< the queue
    uint8_t index{0};        //!< its class among those of the root; 0 for the root's own queue
};

/**
 * @brief Find the queues that mark packets, below a root queue disc.
 *
 * These are the classes of a SwitchPortQueueDisc, and queue discs anywhere in a user's tree.
 *
 * @param root the root, may be null
 * @return the queues
 */
std::vector<PlacedQueue> FindMarkingQueues(const Ptr<QueueDisc>& root);

} // namespace ns3::aidc

#endif // AIDC_FIND_MARKING_QUEUES_H
