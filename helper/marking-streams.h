/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MARKING_STREAMS_H
#define AIDC_MARKING_STREAMS_H

#include "ns3/queue-disc-container.h"

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Assign fixed random variable streams to queues that mark packets. Of several ranks
///        (MpiRanks), each one calls it at the same point. The numbers do not depend on how many
///        ranks there are if the queue discs are in the order of their nodes.
/// @param queueDiscs the root queue discs of ports of this rank, below which the queues are
/// @param stream the first stream number to use
/// @return the number of stream numbers used, by all ranks
int64_t AssignMarkingStreams(const QueueDiscContainer& queueDiscs, int64_t stream);

} // namespace ns3::aidc

#endif // AIDC_MARKING_STREAMS_H
