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
 * @ingroup aidc
 * @brief Alpha, the rates and the stages of DCQCN's reaction point, without time: it is told which
 * timer or counter has expired.
 *
 * R_C is the rate at which packets leave, R_T the one that it returns to, by half of the distance
 * at each step. Alpha estimates how congested the path is.
 *
 * - Fast recovery keeps R_T; additive increase adds R_AI to it, hyper increase R_HAI.
 * - PAPER: with T expiries of the timer and BC of the byte counter since the last cut, it is fast
 *   recovery if max(T, BC) < F, hyper increase if min(T, BC) > F, else additive increase.
 * - MELLANOX: with T expiries of the timer before this one (the stage), it is fast recovery if
 *   T < F, additive increase if T = F, else hyper increase. There is no byte counter.
 *
 * Expiries that are told together are the same as one by one, in a time that does not depend on
 * how many they are.
 */
class DcqcnRates
{
  public:
    /// Which reaction point.
    enum Variant : uint8_t
    {
        PAPER,   //!< Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM'15
        MELLANOX //!< of network adapters, as public simulators have it ("Mlx" in HPCC's)
    };

    /// What it depends on. Rates are in bit/s.
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

    /// Begin at line rate.
    /// @param settings what it depends on
    /// @param alpha alpha, from 0 to 1
    void Reset(const Settings& settings, double alpha);

    /// @param n how many periods without congestion pass: alpha = (1 - g) alpha for each
    void DecayAlpha(uint64_t n);

    /// Let a period with congestion pass: alpha = (1 - g) alpha + g.
    void RaiseAlpha();

    /// Cut R_C to (1 - alpha / 2) R_C, and begin counting anew.
    /// @param lowersTarget whether R_T becomes R_C as it was
    void Cut(bool lowersTarget);

    /// Let the rate timer expire.
    /// @param n how often
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
    /// What one expiry and perhaps some that follow it do.
    struct Phase
    {
        double increase{0}; //!< added to R_T
        uint64_t n{0};      //!< for how many expiries
    };

    /// Find what the next expiry does.
    /// @param count how often this timer or counter has expired
    /// @param other how often the other one has
    /// @return that, and for how many it holds if the other one does not expire
    Phase GetPhase(uint64_t count, uint64_t other) const;

    /// Let a timer or counter expire.
    /// @param count how often it has expired
    /// @param other how often the other one has
    /// @param n how often it expires now
    void Expire(uint64_t& count, uint64_t other, uint64_t n);

    /// @param increase what is added to R_T at each step
    /// @param n how many steps
    void Raise(double increase, uint64_t n);

    Settings m_settings;      //!< what it depends on
    double m_alpha{1};        //!< alpha
    double m_rate{0};         //!< R_C
    double m_targetRate{0};   //!< R_T
    uint64_t m_timerCount{0}; //!< T
    uint64_t m_byteCount{0};  //!< BC
};

/// @ingroup aidc
/// Compute a power of a number between 0 and 1.
/// @param base the number
/// @param n the exponent
/// @return base to the n; for few factors it is their product
double ComputeDecay(double base, uint64_t n);

} // namespace ns3::aidc

#endif // AIDC_DCQCN_RATES_H
