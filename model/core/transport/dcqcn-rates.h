/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DCQCN_RATES_H
#define AIDC_DCQCN_RATES_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Alpha, the rates and the stages of DCQCN's reaction point, without time: the caller tells
 * which timer or counter has expired.
 *
 * R_C is the rate at which packets leave. R_T is the rate to return to: each step halves the
 * distance of R_C from R_T. Alpha estimates how congested the path is.
 *
 * - Fast recovery keeps R_T; additive increase adds R_AI to it, hyper increase R_HAI.
 * - PAPER: with T expiries of the timer and BC of the byte counter since the last cut, it is fast
 *   recovery if max(T, BC) < F, hyper increase if min(T, BC) > F, else additive increase.
 * - MELLANOX: with T expiries of the timer before this one (the stage), it is fast recovery if
 *   T < F, additive increase if T = F, else hyper increase. There is no byte counter.
 *
 * Several expiries in one call have the effect of as many calls, in constant time.
 */
class DcqcnRates
{
  public:
    /// The variants of the reaction point.
    enum Variant : uint8_t
    {
        PAPER,   //!< Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM'15
        MELLANOX //!< of network adapters, as in public simulators ("Mlx" in HPCC's)
    };

    /// The parameters. Rates are in bit/s.
    struct Settings
    {
        Variant variant{PAPER};        //!< which rules
        double gain{1.0 / 256};        //!< g, from 0 to 1
        uint32_t threshold{5};         //!< F
        double additiveIncrease{40e6}; //!< R_AI, at least 0
        double hyperIncrease{200e6};   //!< R_HAI, at least 0
        double minRate{100e6};         //!< least R_C, > 0; the line rate if that is less
        double lineRate{40e9};         //!< largest R_C and R_T, > 0
    };

    /// Begin at line rate. settings: the parameters; alpha: alpha, from 0 to 1.
    void Reset(const Settings& settings, double alpha);

    /// @param n how many periods without congestion pass: alpha = (1 - g) alpha for each
    void DecayAlpha(uint64_t n);

    /// Let a period with congestion pass: alpha = (1 - g) alpha + g.
    void RaiseAlpha();

    /// Cut R_C to (1 - alpha / 2) R_C, and restart the counts.
    /// @param lowersTarget whether R_T becomes the former R_C
    void Cut(bool lowersTarget);

    /// Let the rate timer expire. @param n how often
    void ExpireTimer(uint64_t n);

    /// @param n how often the byte counter expires, in variant PAPER
    void ExpireByteCounter(uint64_t n);

    /// @return alpha, from 0 to 1
    double GetAlpha() const
    {
        return m_alpha;
    }

    /// @return R_C, the rate at which packets leave, in bit/s, from the least rate to the line rate
    double GetRate() const
    {
        return m_rate;
    }

    /// @return R_T, the rate to return to, in bit/s, from R_C to the line rate
    double GetTargetRate() const
    {
        return m_targetRate;
    }

    /// @return T, in variant MELLANOX the stage: how often the timer has expired since the last cut
    uint64_t GetTimerCount() const
    {
        return m_timerCount;
    }

    /// @return BC: how often the byte counter has expired since the last cut
    uint64_t GetByteCount() const
    {
        return m_byteCount;
    }

  private:
    /// The effect of an expiry, and of those after it with the same effect.
    struct Phase
    {
        double increase{0}; //!< added to R_T
        uint64_t n{0};      //!< for how many expiries
    };

    /// Find the effect of the next expiry. @return the effect, and the number of expiries that have
    /// it while the other does not expire
    Phase GetPhase(uint64_t count, uint64_t other) const;

    /// Let a timer or counter expire.
    void Expire(uint64_t& count, uint64_t other, uint64_t n);

    /// n: how many steps.
    void Raise(double increase, uint64_t n);

    Settings m_settings;      //!< the parameters
    double m_alpha{1};        //!< alpha
    double m_rate{0};         //!< R_C
    double m_targetRate{0};   //!< R_T
    uint64_t m_timerCount{0}; //!< T
    uint64_t m_byteCount{0};  //!< BC
};

/// Compute a power of a number between 0 and 1.
/// @param base the number
/// @param n the exponent
/// @return base to the n; for few factors it is their product
double ComputeDecay(double base, uint64_t n);

} // namespace ns3::aidc

#endif // AIDC_DCQCN_RATES_H
