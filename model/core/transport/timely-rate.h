// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TIMELY_RATE_H
#define AIDC_TIMELY_RATE_H

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/// The rate of TIMELY: Mittal et al., "TIMELY: RTT-based Congestion Control for the
/// Datacenter", SIGCOMM 2015, algorithm 1.
///
/// Each completion of a segment brings a round-trip time. Its gradient is
///
///      diff = (1 - alpha) diff + alpha (rtt - previous rtt),    gradient = diff / minRtt
///
/// Below tLow the rate grows by addStep, above tHigh it shrinks to (1 - beta (1 - tHigh / rtt)) of
/// itself. Between them, it grows by N addStep if the gradient is not positive, and otherwise
/// shrinks to (1 - beta gradient) of itself.
///
/// - PAPER: N is 5 from the fifth completion in a row on that grows by its gradient, else 1.
/// - HPCC: as the simulator of HPCC's authors has it. From the sixth growth in a row on, of either
///   kind, hyperStep takes the place of addStep. There is no N.
///
/// The first round-trip time is only remembered.
class TimelyRate
{
  public:
    /// The variants.
    enum Variant : uint8_t
    {
        PAPER, //!< SIGCOMM 2015
        HPCC   //!< of the simulator of HPCC's authors
    };

    /// The parameters. Times are in ns, rates in bit/s.
    struct Settings
    {
        Variant variant{PAPER}; //!< which rules
        int64_t tLow{50000};    //!< T_low, from 0 to tHigh
        int64_t tHigh{500000};  //!< T_high, > 0
        int64_t minRtt{20000};  //!< the round-trip time that gradients are relative to, > 0
        double alpha{0.875};    //!< weight of the newest difference, from 0 to 1
        double beta{0.8};       //!< share of a decrease, from 0 to 1
        double addStep{10e6};   //!< delta, at least 0
        double hyperStep{50e6}; //!< of variant HPCC, at least 0
        double minRate{100e6};  //!< least rate, > 0
        double maxRate{10e9};   //!< largest rate, at least minRate
    };

    /// Start, or start over. settings: the parameters, which bound the rate; rate: the rate in
    /// bit/s.
    void Start(const Settings& settings, double rate)
    {
        *this = TimelyRate();
        m_settings = settings;
        m_rate = std::clamp(rate, settings.minRate, settings.maxRate);
    }

    /// Note a completion. @param rtt its round-trip time in ns, > 0
    void NotifyRtt(int64_t rtt)
    {
        if (m_lastRtt == 0)
        {
            m_lastRtt = rtt;
            return;
        }
        const auto difference = static_cast<double>(rtt - m_lastRtt);
        m_difference += m_settings.alpha * (difference - m_difference);
        m_lastRtt = rtt;
        const double gradient = GetGradient();
        if (rtt < m_settings.tLow)
        {
            Increase(false);
        }
        else if (rtt > m_settings.tHigh)
        {
            const double excess =
                1 - static_cast<double>(m_settings.tHigh) / static_cast<double>(rtt);
            Decrease(1 - m_settings.beta * excess);
        }
        else if (gradient <= 0)
        {
            Increase(true);
        }
        else
        {
            Decrease(1 - m_settings.beta * gradient);
        }
    }

    /// @return the rate in bit/s, from the least to the largest one
    double GetRate() const
    {
        return m_rate;
    }

    /// @return the last gradient, relative to minRtt
    double GetGradient() const
    {
        return m_difference / static_cast<double>(m_settings.minRtt);
    }

  private:
    /// The growths in a row after which a rate grows faster.
    static constexpr uint32_t MANY_INCREASES = 5;

    /// How much faster, in variant PAPER.
    static constexpr double FASTER = 5;

    /// Let the rate grow. @param isByGradient whether a gradient is the reason
    void Increase(bool isByGradient)
    {
        double step = m_settings.addStep;
        if (m_settings.variant == HPCC)
        {
            step = m_nIncreases < MANY_INCREASES ? step : m_settings.hyperStep;
            ++m_nIncreases;
        }
        else
        {
            m_nIncreases = isByGradient ? m_nIncreases + 1 : 0;
            step *= m_nIncreases < MANY_INCREASES ? 1 : FASTER;
        }
        m_rate = std::min(m_rate + step, m_settings.maxRate);
    }

    /// Let the rate shrink. @param share what remains of it
    void Decrease(double share)
    {
        m_nIncreases = 0;
        m_rate = std::max(m_rate * std::max(share, 0.0), m_settings.minRate);
    }

    Settings m_settings;      //!< the parameters
    double m_rate{0};         //!< the rate
    int64_t m_lastRtt{0};     //!< the last round-trip time, 0 if there was none
    double m_difference{0};   //!< the weighted difference of round-trip times, ns
    uint32_t m_nIncreases{0}; //!< growths in a row, as the variant counts them
};

} // namespace ns3::aidc

#endif // AIDC_TIMELY_RATE_H
