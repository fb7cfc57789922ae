/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_HIERARCHY_H
#define AIDC_COLLECTIVE_HIERARCHY_H

#include "collective-schedule-settings.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The steps of a hierarchical all-reduce.
 *
 * It has three phases: a reduce-scatter by a ring in each server, an all-reduce by a ring along
 * each rail (the members of equal numbers in their servers, which reduce their blocks), and an
 * all-gather by a ring in each server. A chunk enters a phase when the chunk before has left it, so
 * that chunks are in different phases, and use scale-up links and adapters at the same time.
 */
class CollectiveHierarchy
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveHierarchy(const CollectiveScheduleSettings& settings)
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

#endif // AIDC_COLLECTIVE_HIERARCHY_H
