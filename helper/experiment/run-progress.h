/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RUN_PROGRESS_H
#define AIDC_RUN_PROGRESS_H

#include "ns3/nstime.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Tells how far a run of an experiment is, a few times a second of wall time.
 */
class RunProgress
{
  public:
    /// Takes what is told: a text that follows the name of the run, and the share of the run that
    /// is done, from 0 to 1.
    using Tell = std::function<void(const std::string& text, double share)>;

    /// Tells how much of a run is done, from 0 to 1.
    using ShareCallback = std::function<double()>;

    /// @param tell takes what is told
    explicit RunProgress(Tell tell);

    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    /// @param nFlows the number of flows of the run
    void Announce(std::size_t nFlows) const;

    /// Follow the simulation of the run, by events without a node. Call it before that begins.
    /// @param limit the simulated time at which it ends at the latest
    /// @param getDone tells how much of the run this process (MpiProcesses) has done, as a share of
    ///        all that is to be done, from 0 to 1; null to use the simulated time only
    void Follow(Time limit, ShareCallback getDone = nullptr);

  private:
    /// The clock of the wall time
    using Clock = std::chrono::steady_clock;

    /// Look at the simulation.
    void Look(Time limit);

    Tell m_tell;                //!< takes what is told
    Clock::time_point m_looked; //!< when the simulation was looked at
    Clock::time_point m_told;   //!< when something was told
    Time m_step;                //!< simulated time between two looks
    ShareCallback m_getDone;    //!< tells how much of the run is done, or null
};

} // namespace ns3::aidc

#endif // AIDC_RUN_PROGRESS_H
