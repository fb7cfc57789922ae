/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DCQCN_REACTION_POINT_H
#define AIDC_DCQCN_REACTION_POINT_H

#include "../never.h"
#include "dcqcn-rates.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief DCQCN's reaction point: DcqcnRates with its timers and its byte counter.
 *
 * No timer runs before the first CNP, so that alpha still has its initial value then.
 *
 * - PAPER: a CNP cuts the rate at once, raises alpha, and restarts both timers and the byte
 *   counter. The alpha timer decays alpha; the rate timer and the byte counter raise the rates.
 * - MELLANOX: a CNP is only noted. A period of the alpha timer with a CNP raises alpha, a period
 *   without one decays it. The first CNP starts the timer and counts for no period. At the end of
 *   each decrease interval with a CNP, the rate is cut and the rate timer restarted. The first CNP
 *   starts the first interval, which is 1 ns longer than the others, so that alpha's timer is
 *   always ahead. R_T becomes R_C only if the rate timer has expired since the last cut, or always
 *   with clampTargetRate.
 *
 * There are no events: each call gives the time, which never goes back. The call first does what
 * all timers do that have expired by that time. Where a rate timer and a decrease interval end
 * together, the timer is first.
 */
class DcqcnReactionPoint
{
  public:
    /// The parameters. Times are in ns.
    struct Settings
    {
        DcqcnRates::Settings rates;     //!< arithmetic, with the variant
        double initialAlpha{1};         //!< alpha at the first CNP, from 0 to 1
        int64_t alphaTimer{55000};      //!< period of alpha's timer, > 0
        int64_t rateTimer{55000};       //!< period of the rate timer, > 0
        int64_t decreaseInterval{4000}; //!< least time between cuts in variant MELLANOX, > 0
        uint64_t byteCounter{10000000}; //!< bytes between raises in variant PAPER, 0 for none
        bool clampTargetRate{false};    //!< whether each cut lowers R_T in variant MELLANOX
    };

    /// Start, or start over, at line rate. @param settings the parameters
    void Start(const Settings& settings);

    /// @return whether bytes are counted; if not, NotifySent() does nothing
    bool IsCounting() const
    {
        return m_isCounting;
    }

    /// @param now the time in ns
    /// @param nBytes how many
    void NotifySent(int64_t now, uint32_t nBytes)
    {
        if (m_isCounting)
        {
            Count(now, nBytes);
        }
    }

    /// @param now the time in ns
    void NotifyCnp(int64_t now);

    /// @param now the time in ns @return R_C, the rate at which packets may leave, bit/s, from the
    /// least rate to the line rate
    double GetRate(int64_t now)
    {
        if (now >= m_due)
        {
            CatchUp(now);
        }
        return m_rates.GetRate();
    }

    /// @return when a timer changes R_C next, in ns; NEVER before the first CNP
    int64_t GetNextChange() const
    {
        return m_due;
    }

    /// @param now the time in ns @return R_T, the rate to return to, bit/s
    double GetTargetRate(int64_t now)
    {
        GetRate(now);
        return m_rates.GetTargetRate();
    }

    /// Compute alpha, decayed up to a time. The object does not change. @param now the time in ns,
    /// not before that of any other call @return alpha, from 0 to 1
    double GetAlpha(int64_t now) const;

    /// @param now the time in ns
    /// @return how often the rate timer has expired since the last cut: T, or the stage
    uint64_t GetTimerCount(int64_t now)
    {
        GetRate(now);
        return m_rates.GetTimerCount();
    }

    /// @return BC: how often the byte counter has expired since the last cut
    uint64_t GetByteCount() const
    {
        return m_rates.GetByteCount();
    }

  private:
    /// Apply to the rates the timers that have expired.
    void CatchUp(int64_t now);

    /// Let the rate timer expire.
    void RaiseRates(int64_t now);

    /// Let alpha's timer expire.
    void UpdateAlpha(int64_t now);

    /// nBytes: how many.
    void Count(int64_t now, uint32_t nBytes);

    Settings m_settings;         //!< the parameters
    DcqcnRates m_rates;          //!< alpha and the rates
    int64_t m_due{NEVER};        //!< GetNextChange()
    int64_t m_nextRaise{NEVER};  //!< when the rate timer expires
    int64_t m_nextCut{NEVER};    //!< end of the decrease interval, NEVER if no CNP is noted
    int64_t m_decreaseStart{0};  //!< when the first decrease interval began
    int64_t m_alphaTime{0};      //!< when alpha's timer has last expired or been started
    uint64_t m_nBytes{0};        //!< bytes since the byte counter has last expired
    bool m_hasCnp{false};        //!< whether there has been any CNP
    bool m_isAlphaRaised{false}; //!< whether the next period of the alpha timer raises alpha
    bool m_isCounting{false};    //!< whether bytes are counted
};

} // namespace ns3::aidc

#endif // AIDC_DCQCN_REACTION_POINT_H
