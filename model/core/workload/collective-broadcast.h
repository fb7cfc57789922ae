/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_BROADCAST_H
#define AIDC_COLLECTIVE_BROADCAST_H

#include "collective-schedule-settings.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The steps of a broadcast, by a binomial tree or a chain.
 *
 * The chain of a channel has the order of the channel's ring, from the root on.
 */
class CollectiveBroadcast
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveBroadcast(const CollectiveScheduleSettings& settings)
        : m_settings(settings)
    {
    }

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const;

  private:
    bool IsChain() const
    {
        return m_settings.algorithm == CollectiveAlgorithm::CHAIN;
    }

    /// @return how far behind the root it is
    uint32_t GetPlace(uint32_t member, uint32_t lane) const;

    uint32_t GetMember(uint32_t place, uint32_t lane) const;

    const CollectiveScheduleSettings& m_settings; //!< the collective
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_BROADCAST_H
