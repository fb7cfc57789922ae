/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_REMAINING_TIME_H
#define AIDC_REMAINING_TIME_H

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Estimates how long the rest of some runs takes. Times are wall times, in s.
 *
 * Runs of a kind, such as a scheme in a scenario, take about as long as each other, and those of
 * another kind may take ten times as long. A kind costs the mean of its runs that are done; before
 * there is one, what a run under way predicts by the share of it that is done; before that, as much
 * as the most expensive kind so far.
 */
class RemainingTime
{
  public:
    /// @param kinds the kind of each run
    /// @param nAtOnce how many runs are under way at once
    RemainingTime(std::vector<std::string> kinds, std::size_t nAtOnce);

    /// @param run the number of the run that begins, from 0
    /// @param now the time
    void Begin(std::size_t run, double now);

    /// @param run the number of a run that is under way
    /// @param share how much of it is done, from 0 to 1
    void SetShare(std::size_t run, double share);

    /// @param run the number of a run that is done
    /// @param now the time
    void End(std::size_t run, double now);

    /// @param now the time
    /// @return how long the rest takes; none if nothing is known of any run
    std::optional<double> Estimate(double now) const;

  private:
    /// A run that is under way
    struct UnderWay
    {
        double begin{0}; //!< when it has begun
        double share{0}; //!< how much of it is done
    };

    /// What runs of a kind that are done have taken
    struct Done
    {
        double sum{0};    //!< in all
        std::size_t n{0}; //!< how many there are
    };

    /// @param now the time
    /// @return what a run costs, of each kind of which something is known
    std::map<std::string, double> GetCosts(double now) const;

    std::vector<std::string> m_kinds;         //!< the kind of each run
    std::size_t m_nAtOnce;                    //!< how many are under way at once
    std::map<std::string, Done> m_done;       //!< runs that are done, by kind
    std::map<std::string, std::size_t> m_due; //!< how many have not begun, by kind
    std::map<std::size_t, UnderWay> m_runs;   //!< those under way, by number
};

} // namespace ns3::aidc

#endif // AIDC_REMAINING_TIME_H
