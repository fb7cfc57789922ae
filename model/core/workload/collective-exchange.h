/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_EXCHANGE_H
#define AIDC_COLLECTIVE_EXCHANGE_H

#include "collective-schedule-settings.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The steps of an all-to-all.
 *
 * There are n - 1 rounds. In each one, each member sends to another one, and no two to the same
 * one. Rounds inside of servers come first; then, for each distance between servers, the distances
 * between the numbers of members inside of them, as in NCCL's schedule of sends and receives
 * (ncclP2pSchedule() in src/init.cc), which takes the distances in another order. With one member a
 * server, member i sends to i + k in round k. Pairwise, a round is a step of a lane. Direct, each
 * round is a lane of one step, so that all messages are under way at once.
 *
 * Where nothing is to be sent, there is no message, as in PyTorch's all-to-alls over NCCL.
 */
class CollectiveExchange
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveExchange(const CollectiveScheduleSettings& settings)
        : m_settings(settings)
    {
    }

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const;

  private:
    const CollectiveScheduleSettings& m_settings; //!< the collective
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_EXCHANGE_H
