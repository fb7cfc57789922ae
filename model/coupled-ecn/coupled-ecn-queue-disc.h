/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COUPLED_ECN_QUEUE_DISC_H
#define AIDC_COUPLED_ECN_QUEUE_DISC_H

#include "coupled-ecn-queue.h"

#include "ns3/shared-buffer-queue-disc.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A queue disc with one CoupledEcnQueue, whose ECN threshold follows the dynamic buffer
 *        threshold.
 *
 * It has the attributes and trace sources of the queue.
 */
class CoupledEcnQueueDisc : public SharedBufferQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CoupledEcnQueueDisc();

    /// @return the queue
    Ptr<CoupledEcnQueue> GetQueue() const;
};

} // namespace ns3::aidc

#endif // AIDC_COUPLED_ECN_QUEUE_DISC_H
