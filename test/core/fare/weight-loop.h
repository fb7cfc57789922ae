// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WEIGHT_LOOP_H
#define AIDC_WEIGHT_LOOP_H

#include "model/core/fare/available-bandwidth.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

// A fabric of three stages as a fluid, in which what links tell moves the traffic.

namespace aidctest
{

/// Leaves that send each other the same over spines by weights, min(up, down) of a path. All links
/// have the rate 1e9 bytes a second; what a link cannot carry is lost. All links look at one time,
/// so that all leaves move at once, and leaves know what links tell after a delay.
class WeightLoop
{
  public:
    /// What is sent, and how it is told.
    struct Settings
    {
        uint32_t nLeaves{2};                             //!< all send to all others
        uint32_t nSpines{2};                             //!< paths
        double load{0.5};                                //!< of the leaves' links up
        ns3::aidc::AvailableBandwidthSettings bandwidth; //!< of all links
        int64_t interval{50000000};                      //!< between two looks, in ns
        int64_t delay{0};                                //!< until leaves know, in ns
        bool isStatic{false};                            //!< weights are the links' full rates
        double slow{1};   //!< share of their rates that links of the first spine have left
        double other{0};  //!< share of the first spine's links down that is taken by others
        double uneven{0}; //!< hashes give the first spine this share more than its weight
    };

    /// Constructor: nothing is sent yet.
    explicit WeightLoop(const Settings& settings)
        : m_settings(settings)
    {
        const uint32_t n = settings.nLeaves * settings.nSpines;
        for (uint32_t i = 0; i < 2 * n; ++i)
        {
            m_rate.push_back(i % settings.nSpines == 0 ? settings.slow * RATE : RATE);
            m_links.emplace_back(settings.bandwidth, m_rate[i], 0);
        }
        m_known.assign(1 + settings.delay / settings.interval, GetTold());
    }

    /// Send for a time. time: in ns. Returns the share of all bytes sent that has arrived.
    double Run(int64_t time)
    {
        double sent = 0;
        double arrived = 0;
        double low = GetShare();
        double high = low;
        for (const int64_t end = m_now + time; m_now < end;)
        {
            m_now += m_settings.interval;
            Move(sent, arrived);
            m_known.push_back(GetTold());
            m_known.pop_front();
            low = std::min(low, GetShare());
            high = std::max(high, GetShare());
        }
        m_swing = high - low;
        return arrived / sent;
    }

    /// Change what others take of the first spine's links down.
    void SetOther(double share)
    {
        m_settings.other = share;
    }

    /// Get the share of the first spine of what the first leaf sends to the last one. Returns the
    /// share, from 0 to 1.
    double GetShare() const
    {
        const uint32_t last = m_settings.nLeaves - 1;
        double sum = 0;
        for (uint32_t p = 0; p < m_settings.nSpines; ++p)
        {
            sum += GetWeight(0, last, p);
        }
        return GetWeight(0, last, 0) / sum;
    }

    /// Get by how much that share has changed in the last Run(). Returns the largest minus the
    /// smallest share.
    double GetSwing() const
    {
        return m_swing;
    }

  private:
    static constexpr double RATE = 1e9; //!< bytes a second

    /// The number of a link up. The same link down has this number plus the number of links up.
    std::size_t GetUp(uint32_t leaf, uint32_t spine) const
    {
        return static_cast<std::size_t>(leaf) * m_settings.nSpines + spine;
    }

    /// The number of a link down.
    std::size_t GetDown(uint32_t leaf, uint32_t spine) const
    {
        return m_links.size() / 2 + GetUp(leaf, spine);
    }

    std::vector<double> GetTold() const
    {
        std::vector<double> told;
        for (const auto& link : m_links)
        {
            told.push_back(link.GetTold());
        }
        return told;
    }

    double GetWeight(uint32_t from, uint32_t to, uint32_t spine) const
    {
        const auto& known = m_known.front();
        const double uneven = spine == 0 ? 1 + m_settings.uneven : 1;
        return m_settings.isStatic
                   ? uneven
                   : uneven * std::min(known[GetUp(from, spine)], known[GetDown(to, spine)]);
    }

    /// Call a function with each path and the rate that is sent there.
    template <typename Function>
    void ForEachPath(Function function) const
    {
        const uint32_t n = m_settings.nLeaves;
        const double demand = m_settings.load * m_settings.nSpines * RATE / (n - 1);
        for (uint32_t i = 0; i < n * n; ++i)
        {
            double sum = 0;
            for (uint32_t p = 0; p < m_settings.nSpines; ++p)
            {
                sum += GetWeight(i / n, i % n, p);
            }
            for (uint32_t p = 0; p < m_settings.nSpines && i / n != i % n; ++p)
            {
                const double rate = demand * GetWeight(i / n, i % n, p) / sum;
                function(GetUp(i / n, p), GetDown(i % n, p), rate);
            }
        }
    }

    /// Send for one interval, and look at what links have sent.
    void Move(double& sent, double& arrived)
    {
        std::vector<double> load(m_links.size(), 0);
        ForEachPath([&load](std::size_t up, std::size_t, double rate) { load[up] += rate; });
        ForEachPath([&](std::size_t up, std::size_t down, double rate) {
            load[down] += rate * std::min(1.0, m_rate[up] / load[up]);
        });
        const double seconds = static_cast<double>(m_settings.interval) / 1e9;
        sent += m_settings.load * m_settings.nSpines * RATE * m_settings.nLeaves * seconds;
        for (std::size_t i = 0; i < m_links.size(); ++i)
        {
            const bool isDown = i >= m_links.size() / 2;
            const double other =
                isDown && i % m_settings.nSpines == 0 ? m_settings.other * m_rate[i] : 0;
            const double carried = std::min(load[i] + other, m_rate[i]);
            sent += other * seconds;
            arrived += isDown ? carried * seconds : 0;
            m_links[i].Update(m_now, static_cast<uint64_t>(carried * seconds), m_rate[i]);
        }
    }

    Settings m_settings;                                //!< what is sent, and how it is told
    std::vector<ns3::aidc::AvailableBandwidth> m_links; //!< up, by leaf, then spine; then down
    std::vector<double> m_rate;                         //!< of the links, bytes a second
    std::deque<std::vector<double>> m_known;            //!< what has been told, the oldest first
    int64_t m_now{0};                                   //!< in ns
    double m_swing{0};                                  //!< of the last Run()
};

} // namespace aidctest

#endif // AIDC_WEIGHT_LOOP_H
