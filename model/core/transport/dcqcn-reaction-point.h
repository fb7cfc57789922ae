// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DCQCN_REACTION_POINT_H
#define AIDC_DCQCN_REACTION_POINT_H

#include "../never.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/// DCQCN's notification point: decides which marked packets of a flow are answered by a
/// congestion notification packet (CNP).
///
/// The first marked packet is answered at once, then at most one in an interval (Zhu et al.,
/// "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.1).
class CnpGate
{
  public:
    /// Note a marked packet. now: the time in ns; interval: the least time from one CNP to
    /// the next, in ns. @return whether a CNP is due
    bool Pass(int64_t now, int64_t interval)
    {
        if (now < m_next)
        {
            return false;
        }
        m_next = now + interval;
        return true;
    }

  private:
    int64_t m_next{
        std::numeric_limits<int64_t>::min()}; //!< when the next CNP is due at the soonest
};

/// The parameters of DCQCN's reaction point. Rates are in bit/s, times in ns.
struct DcqcnSettings
{
    /// The variants.
    enum Variant : uint8_t
    {
        PAPER,    //!< Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM'15
        MELLANOX, //!< of network adapters, as in public simulators ("Mlx" in HPCC's)
        HPCC      //!< the rules of MELLANOX, with the values of the configuration of HPCC's authors
    };

    Variant variant{PAPER};         //!< which rules
    double gain{1.0 / 256};         //!< g, from 0 to 1
    uint32_t threshold{5};          //!< F
    double additiveIncrease{40e6};  //!< R_AI, at least 0
    double hyperIncrease{200e6};    //!< R_HAI, at least 0
    double minRate{100e6};          //!< least R_C, > 0; the line rate if that is less
    double lineRate{40e9};          //!< largest R_C and R_T, > 0
    double initialAlpha{1};         //!< alpha at the first CNP, from 0 to 1
    int64_t alphaTimer{55000};      //!< period of alpha's timer, > 0
    int64_t rateTimer{55000};       //!< period of the rate timer, > 0
    int64_t decreaseInterval{4000}; //!< least time between cuts in variant MELLANOX, > 0
    uint64_t byteCounter{10000000}; //!< bytes between raises in variant PAPER, 0 for none
    bool clampTargetRate{false};    //!< whether each cut lowers R_T in variant MELLANOX
};

/// So many steps are done one by one. After them, half of a distance so often is nothing.
constexpr uint64_t DCQCN_FEW_STEPS = 64;

/// Compute a power of a number between 0 and 1.
/// @param base the number
/// @param n the exponent
/// @return base to the n; for few factors it is their product
inline double
ComputeDecay(double base, uint64_t n)
{
    if (n > DCQCN_FEW_STEPS)
    {
        return std::pow(base, static_cast<double>(n));
    }
    double result = 1;
    for (; n > 0; --n)
    {
        result *= base;
    }
    return result;
}

/// Alpha, the rates and the stages of DCQCN's reaction point, without time: the caller tells
/// which timer or counter has expired.
///
/// R_C is the rate at which packets leave. R_T is the rate to return to: each step halves the
/// distance of R_C from R_T. Alpha estimates how congested the path is.
///
/// - Fast recovery keeps R_T; additive increase adds R_AI to it, hyper increase R_HAI.
/// - PAPER: with T expiries of the timer and BC of the byte counter since the last cut, it is fast
///   recovery if max(T, BC) < F, hyper increase if min(T, BC) > F, else additive increase.
/// - MELLANOX: with T expiries of the timer before this one (the stage), it is fast recovery if
///   T < F, additive increase if T = F, else hyper increase. There is no byte counter.
///
/// Several expiries in one call have the effect of as many calls, in constant time.
class DcqcnRates
{
  public:
    /// Begin at line rate. settings: the parameters; alpha: alpha, from 0 to 1.
    void Reset(const DcqcnSettings& settings, double alpha)
    {
        m_settings = settings;
        m_settings.minRate = std::min(settings.minRate, settings.lineRate);
        m_alpha = alpha;
        m_rate = settings.lineRate;
        m_targetRate = settings.lineRate;
        m_timerCount = 0;
        m_byteCount = 0;
    }

    /// @param n how many periods without congestion pass: alpha = (1 - g) alpha for each
    void DecayAlpha(uint64_t n)
    {
        m_alpha *= ComputeDecay(1 - m_settings.gain, n);
    }

    /// Let a period with congestion pass: alpha = (1 - g) alpha + g.
    void RaiseAlpha()
    {
        m_alpha = std::min(1.0, (1 - m_settings.gain) * m_alpha + m_settings.gain);
    }

    /// Cut R_C to (1 - alpha / 2) R_C, and restart the counts.
    /// @param lowersTarget whether R_T becomes the former R_C
    void Cut(bool lowersTarget)
    {
        if (lowersTarget)
        {
            m_targetRate = m_rate;
        }
        m_rate = std::max(m_settings.minRate, m_rate * (1 - m_alpha / 2));
        m_timerCount = 0;
        m_byteCount = 0;
    }

    /// Let the rate timer expire. @param n how often
    void ExpireTimer(uint64_t n)
    {
        Expire(m_timerCount, m_byteCount, n);
    }

    /// @param n how often the byte counter expires, in variant PAPER
    void ExpireByteCounter(uint64_t n)
    {
        Expire(m_byteCount, m_timerCount, n);
    }

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
    /// The effect of an expiry, and of the expiries after it with the same effect.
    struct Phase
    {
        double increase{0}; //!< added to R_T
        uint64_t n{0};      //!< for how many expiries
    };

    /// @return the effect of the next expiry, and how many have it while the other does not expire
    Phase GetPhase(uint64_t count, uint64_t other) const
    {
        constexpr auto ALL_THAT_FOLLOW = std::numeric_limits<uint64_t>::max();
        const uint64_t f = m_settings.threshold;
        if (m_settings.variant != DcqcnSettings::PAPER)
        {
            if (count < f)
            {
                return {0, f - count};
            }
            return count == f ? Phase{m_settings.additiveIncrease, 1}
                              : Phase{m_settings.hyperIncrease, ALL_THAT_FOLLOW};
        }
        const uint64_t next = count + 1;
        if (next < f && other < f)
        {
            return {0, f - next};
        }
        if (other <= f)
        {
            return {m_settings.additiveIncrease, ALL_THAT_FOLLOW};
        }
        return next <= f ? Phase{m_settings.additiveIncrease, f - count}
                         : Phase{m_settings.hyperIncrease, ALL_THAT_FOLLOW};
    }

    void Expire(uint64_t& count, uint64_t other, uint64_t n)
    {
        while (n > 0)
        {
            const auto phase = GetPhase(count, other);
            const auto steps = std::min(n, phase.n);
            Raise(phase.increase, steps);
            count += steps;
            n -= steps;
        }
    }

    void Raise(double increase, uint64_t n)
    {
        const double line = m_settings.lineRate;
        if (n <= DCQCN_FEW_STEPS)
        {
            for (; n > 0; --n)
            {
                m_targetRate = std::min(line, m_targetRate + increase);
                m_rate = (m_rate + m_targetRate) / 2;
            }
            return;
        }
        // The distance d = R_T - R_C becomes (d + increase) / 2 at each step in which R_T stays
        // below the line rate, so that d - increase is halved; once R_T is there, d is halved.
        double distance = m_targetRate - m_rate;
        if (increase > 0)
        {
            const double below = std::floor((line - m_targetRate) / increase);
            const auto steps = below < static_cast<double>(n) ? static_cast<uint64_t>(below) : n;
            distance = increase + (distance - increase) * ComputeDecay(0.5, steps);
            m_targetRate += static_cast<double>(steps) * increase;
            n -= steps;
            if (n > 0)
            {
                distance += line - m_targetRate;
                m_targetRate = line;
            }
        }
        distance *= ComputeDecay(0.5, n);
        m_targetRate = std::min(line, m_targetRate);
        m_rate = std::clamp(m_targetRate - distance, m_settings.minRate, m_targetRate);
    }

    DcqcnSettings m_settings; //!< the parameters
    double m_alpha{1};        //!< alpha
    double m_rate{0};         //!< R_C
    double m_targetRate{0};   //!< R_T
    uint64_t m_timerCount{0}; //!< T
    uint64_t m_byteCount{0};  //!< BC
};

/// DCQCN's reaction point: DcqcnRates with its timers and its byte counter.
///
/// No timer runs before the first CNP, so that alpha still has its initial value then.
///
/// - PAPER: a CNP cuts the rate at once, raises alpha, and restarts both timers and the byte
///   counter. The alpha timer decays alpha; the rate timer and the byte counter raise the rates.
/// - MELLANOX: a CNP is only noted. A period of the alpha timer with a CNP raises alpha, a period
///   without one decays it. The first CNP starts the timer and counts for no period. At the end of
///   each decrease interval with a CNP, the rate is cut and the rate timer restarted. The first CNP
///   starts the first interval, which is 1 ns longer than the others, so that alpha's timer is
///   always ahead. R_T becomes R_C only if the rate timer has expired since the last cut, or always
///   with clampTargetRate.
///
/// There are no events: each call gives the time, which never goes back. The call first does what
/// all timers do that have expired by that time. Where a rate timer and a decrease interval end
/// together, the timer is first.
class DcqcnReactionPoint
{
  public:
    /// Start, or start over, at line rate. @param settings the parameters
    void Start(const DcqcnSettings& settings)
    {
        *this = DcqcnReactionPoint();
        m_settings = settings;
        m_rates.Reset(settings, settings.initialAlpha);
    }

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
    void NotifyCnp(int64_t now)
    {
        const bool isFirst = !m_hasCnp;
        m_hasCnp = true;
        if (isFirst)
        {
            m_alphaTime = now;
            m_decreaseStart = now + 1;
        }
        CatchUp(now);
        UpdateAlpha(now);
        if (m_settings.variant != DcqcnSettings::PAPER)
        {
            m_isAlphaRaised = !isFirst;
            if (m_nextCut == NEVER)
            {
                const auto interval = m_settings.decreaseInterval;
                const auto nIntervals = isFirst ? 0 : (now - m_decreaseStart) / interval;
                m_nextCut = m_decreaseStart + (nIntervals + 1) * interval;
            }
        }
        else
        {
            m_rates.Cut(true);
            m_rates.RaiseAlpha();
            m_alphaTime = now;
            m_nextRaise = now + m_settings.rateTimer;
            m_nBytes = 0;
            m_isCounting = m_settings.byteCounter > 0;
        }
        m_due = std::min(m_nextCut, m_nextRaise);
    }

    /// @param now the time in ns @return R_C, R_T and the counts of expiries, as they are then
    const DcqcnRates& GetRates(int64_t now)
    {
        if (now >= m_due)
        {
            CatchUp(now);
        }
        return m_rates;
    }

    /// @return when a timer changes R_C next, in ns; NEVER before the first CNP
    int64_t GetNextChange() const
    {
        return m_due;
    }

    /// Compute alpha, decayed up to a time. The object does not change. @param now the time in ns,
    /// not before the time of any other call @return alpha, from 0 to 1
    double GetAlpha(int64_t now) const
    {
        auto copy = *this;
        if (m_hasCnp)
        {
            copy.CatchUp(now);
            copy.UpdateAlpha(now);
        }
        return copy.m_rates.GetAlpha();
    }

  private:
    /// Apply to the rates the timers that have expired.
    void CatchUp(int64_t now)
    {
        if (m_nextCut <= now)
        {
            RaiseRates(m_nextCut);
            UpdateAlpha(m_nextCut);
            m_rates.Cut(m_settings.clampTargetRate || m_rates.GetTimerCount() > 0);
            m_nextRaise = m_nextCut + m_settings.rateTimer;
            m_nextCut = NEVER;
        }
        RaiseRates(now);
        m_due = std::min(m_nextCut, m_nextRaise);
    }

    /// Let the rate timer expire.
    void RaiseRates(int64_t now)
    {
        if (m_nextRaise <= now)
        {
            const auto n = (now - m_nextRaise) / m_settings.rateTimer + 1;
            m_rates.ExpireTimer(static_cast<uint64_t>(n));
            m_nextRaise += n * m_settings.rateTimer;
        }
    }

    void UpdateAlpha(int64_t now)
    {
        auto n = (now - m_alphaTime) / m_settings.alphaTimer;
        m_alphaTime += n * m_settings.alphaTimer;
        if (n > 0 && m_isAlphaRaised)
        {
            m_rates.RaiseAlpha();
            m_isAlphaRaised = false;
            --n;
        }
        m_rates.DecayAlpha(static_cast<uint64_t>(n));
    }

    void Count(int64_t now, uint32_t nBytes)
    {
        m_nBytes += nBytes;
        if (m_nBytes >= m_settings.byteCounter)
        {
            GetRates(now);
            m_rates.ExpireByteCounter(m_nBytes / m_settings.byteCounter);
            m_nBytes %= m_settings.byteCounter;
        }
    }

    DcqcnSettings m_settings;    //!< the parameters
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
