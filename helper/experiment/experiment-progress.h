/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PROGRESS_H
#define AIDC_EXPERIMENT_PROGRESS_H

#include "ns3/nstime.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Tells the user which run of an experiment is under way, and about how long all will take.
 *
 * On a terminal it rewrites one line. Elsewhere it writes a line at the first run after each tenth
 * of them, and every 10 s within a long run. The remaining time is estimated from the runs so far.
 * It is not shown if it is below a second, nor before a hundredth of the first run is done. The run
 * under way counts by the share that it reports, such as the share of bytes delivered, or by the
 * simulated time as a share of its limit, whichever is more.
 */
class ExperimentProgress
{
  public:
    /// Tells how much of a run is done, from 0 to 1.
    using ShareCallback = std::function<double()>;

    /// @param os the stream to write to
    /// @param isTerminal whether a line can be written anew there
    /// @param nRuns the number of runs
    ExperimentProgress(std::ostream& os, bool isTerminal, std::size_t nRuns);

    /// Clears the line of a terminal.
    ~ExperimentProgress();

    ExperimentProgress(const ExperimentProgress&) = delete;
    ExperimentProgress& operator=(const ExperimentProgress&) = delete;

    /// @param name the name of the run that begins
    void Begin(const std::string& name);

    /// @param nFlows the number of flows of the run
    void Announce(std::size_t nFlows);

    /// Follow the simulation of the run, by events without a node. Call it before that begins.
    /// @param limit the simulated time at which it ends at the latest
    /// @param getDone tells how much of the run is done, from 0 to 1; null to use the simulated
    ///        time only
    void Follow(Time limit, ShareCallback getDone = nullptr);

  private:
    /// The clock of the wall time that is shown
    using Clock = std::chrono::steady_clock;

    /// Look at the simulation.
    /// @param limit the simulated time at which it ends at the latest
    void Look(Time limit);

    /// Write a line.
    /// @param text what of the run
    /// @param share how much of the run is done, from 0 to 1
    void Write(const std::string& text, double share);

    std::ostream& m_os;         //!< where to
    const bool m_isTerminal;    //!< whether a line can be written anew there
    const std::size_t m_nRuns;  //!< the number of runs
    std::size_t m_number{0};    //!< the run that is under way, from 1
    std::string m_name;         //!< its name
    Clock::time_point m_begin;  //!< when the first run has begun
    Clock::time_point m_last;   //!< when a line was written
    Clock::time_point m_looked; //!< when the simulation was looked at
    Time m_step;                //!< simulated time between two looks
    ShareCallback m_getDone;    //!< tells how much of the run is done, or null
    bool m_isOpen{false};       //!< whether a line of a terminal is not ended
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PROGRESS_H
