/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PROGRESS_H
#define AIDC_EXPERIMENT_PROGRESS_H

#include "remaining-time.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Tells the user which runs of an experiment are under way, and about how long all will
 * take.
 *
 * On a terminal it rewrites one line. Elsewhere it writes a line each tenth of the runs, and every
 * 10 s within a long run. One run at a time has its number in front, "[1/8] coupled@light", and
 * several at once the number of those that are done, "[0/8 done] coupled@light, coupled@incast".
 *
 * The remaining time is estimated from the runs so far (RemainingTime). It is not shown if it is
 * below a second, nor before a hundredth of the first run is done. A run under way counts by the
 * share that it tells, such as the share of bytes delivered, or by the simulated time as a share of
 * its limit, whichever is more (RunProgress).
 */
class ExperimentProgress
{
  public:
    /// @param os the stream to write to
    /// @param isTerminal whether a line can be written anew there
    /// @param kinds the kind of each run: those of one kind take about as long as each other
    /// @param nAtOnce how many runs are under way at once
    ExperimentProgress(std::ostream& os,
                       bool isTerminal,
                       const std::vector<std::string>& kinds,
                       std::size_t nAtOnce = 1);

    /// Clears the line of a terminal.
    ~ExperimentProgress();

    ExperimentProgress(const ExperimentProgress&) = delete;
    ExperimentProgress& operator=(const ExperimentProgress&) = delete;

    /// @param run the number of the run that begins, from 0
    /// @param name its name
    void Begin(std::size_t run, const std::string& name);

    /// @param run the number of a run that is under way
    /// @param text what it tells of itself, which follows its name
    /// @param share how much of it is done, from 0 to 1
    void Tell(std::size_t run, const std::string& text, double share);

    /// @param run the number of a run that is done
    void End(std::size_t run);

    /// Write what a run has printed, on lines of its own.
    /// @param said the text
    void Print(const std::string& said);

  private:
    /// The clock of the wall time that is shown
    using Clock = std::chrono::steady_clock;

    /// A run that is under way
    struct UnderWay
    {
        std::string name;    //!< its name
        std::string text;    //!< what it tells
        bool hasTold{false}; //!< whether it has told anything
    };

    /// @return the time since the first run has begun, in s
    double GetElapsed() const;

    /// @param nDone a number of runs that are done
    /// @return whether they fill a tenth more of all than one less does
    bool IsNewTenth(std::size_t nDone) const;

    /// @return whether the last line is old enough for another one
    bool IsTime() const;

    /// @return the names of the runs under way, as many as a line has room for
    std::string JoinNames() const;

    /// Write a line.
    void Write();

    std::ostream& m_os;                     //!< where to
    const bool m_isTerminal;                //!< whether a line can be written anew there
    const std::size_t m_nRuns;              //!< the number of runs
    const bool m_isParallel;                //!< whether several are under way at once
    std::size_t m_nDone{0};                 //!< how many are done
    std::map<std::size_t, UnderWay> m_runs; //!< those under way, by number
    RemainingTime m_remaining;              //!< estimates the remaining time
    Clock::time_point m_begin;              //!< when the first run has begun
    Clock::time_point m_last;               //!< when a line was written
    bool m_hasWritten{false};               //!< whether a line was written
    bool m_isOpen{false};                   //!< whether a line of a terminal is not ended
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PROGRESS_H
