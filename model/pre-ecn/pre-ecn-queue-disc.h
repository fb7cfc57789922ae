/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_QUEUE_DISC_H
#define AIDC_PRE_ECN_QUEUE_DISC_H

#include "pre-ecn-queue.h"

#include "ns3/shared-buffer-queue-disc.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The queue disc of a PreEcnQueue, which marks packets in two steps.
 *
 * It has the attributes and trace sources of its queue.
 */
class PreEcnQueueDisc : public SharedBufferQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PreEcnQueueDisc();

    /// @return the queue
    Ptr<PreEcnQueue> GetQueue() const
    {
        return StaticCast<PreEcnQueue>(GetBufferQueue());
    }
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_QUEUE_DISC_H
