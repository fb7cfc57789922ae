/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WEIGHT_LOOP_H
#define AIDC_WEIGHT_LOOP_H

#include "ns3/available-bandwidth.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

/**
 * @file
 * @ingroup aidc-test
 * @brief A fabric of three stages as a fluid, in which what links tell moves the traffic.
 */

namespace aidctest
{

/**
 * @ingroup aidc-test
 * @brief Leaves that send each other the same rate over spines by weights, min(up, down) a path.
 *
 * All links have the rate 1e9 bytes a second; what a link cannot carry is lost. The bandwidth of a
 * link up is known to its leaf at once, and that of a link down to the other leaves after a delay.
 */
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
        int64_t interval{1000000};                       //!< between two looks, in ns
        int64_t delay{0};                                //!< until others know, in ns
        bool isStaggered{false};                         //!< links do not look at one time
        bool isStatic{false};                            //!< weights are the links' rates
        double slow{1};                                  //!< share of the first spine's rates
        double other{0}; //!< share of the first spine's links down that is taken by others
    };

    /**
     * @brief Constructor: nothing is sent yet.
     * @param settings what is sent, and how it is told
     */
    explicit WeightLoop(const Settings& settings)
        : m_settings(settings)
    {
        const uint32_t n = settings.nLeaves * settings.nSpines;
        for (uint32_t i = 0; i < n; ++i)
        {
            const double rate = i % settings.nSpines == 0 ? settings.slow * RATE : RATE;
            m_up.emplace_back(settings.bandwidth, rate, 0);
            m_down.emplace_back(settings.bandwidth, rate, 0);
            m_rate.push_back(rate);
        }
        m_upSent.assign(n, 0);
        m_downSent.assign(n, 0);
        m_known.assign(1 + settings.delay / settings.interval, Told(m_down));
    }

    /**
     * @brief Send for a time.
     * @param time in ns
     * @return the share of all bytes sent that has arrived
     */
    double Run(int64_t time)
    {
        double sent = 0;
        double arrived = 0;
        m_swing = 0;
        const double first = GetShare();
        double low = first;
        double high = first;
        for (const int64_t end = m_now + time; m_now < end;)
        {
            m_now += m_settings.interval;
            arrived += Move(sent);
            ++m_nLooks;
            Look(m_up, m_upSent);
            Look(m_down, m_downSent);
            m_known.push_back(Told(m_down));
            m_known.pop_front();
            low = std::min(low, GetShare());
            high = std::max(high, GetShare());
        }
        m_swing = high - low;
        return arrived / sent;
    }

    /**
     * @brief Change what others take of the first spine's links down.
     * @param share of their rates
     */
    void SetOther(double share)
    {
        m_settings.other = share;
    }

    /**
     * @brief Get the share of the first spine of what the first leaf sends to the last one.
     * @return the share, from 0 to 1
     */
    double GetShare() const
    {
        double sum = 0;
        for (uint32_t p = 0; p < m_settings.nSpines; ++p)
        {
            sum += GetWeight(0, m_settings.nLeaves - 1, p);
        }
        return GetWeight(0, m_settings.nLeaves - 1, 0) / sum;
    }

    /**
     * @brief Get by how much that share has changed in the last Run().
     * @return the largest minus the smallest share
     */
    double GetSwing() const
    {
        return m_swing;
    }

  private:
    static constexpr double RATE = 1e9; //!< bytes a second

    using Links = std::vector<ns3::aidc::AvailableBandwidth>; //!< by leaf, then spine

    /// What links have told.
    static std::vector<double> Told(const Links& links)
    {
        std::vector<double> told;
        for (const auto& link : links)
        {
            told.push_back(link.GetTold());
        }
        return told;
    }

    /// The weight of a path.
    double GetWeight(uint32_t from, uint32_t to, uint32_t spine) const
    {
        const uint32_t up = from * m_settings.nSpines + spine;
        const uint32_t down = to * m_settings.nSpines + spine;
        if (m_settings.isStatic)
        {
            return RATE; // whatever has become of the link
        }
        return std::min(m_up[up].GetTold(), m_known.front()[down]);
    }

    /// Send for one interval.
    double Move(double& sent)
    {
        const uint32_t n = m_settings.nLeaves;
        const uint32_t s = m_settings.nSpines;
        std::vector<double> up(m_up.size(), 0);
        std::vector<double> down(m_down.size(), 0);
        std::vector<double> paths(static_cast<std::size_t>(n) * n * s, 0);
        const double demand = m_settings.load * s * RATE / (n - 1);
        for (uint32_t from = 0; from < n; ++from)
        {
            for (uint32_t to = 0; to < n; ++to)
            {
                double sum = 0;
                for (uint32_t p = 0; p < s && from != to; ++p)
                {
                    sum += paths[(from * n + to) * s + p] = GetWeight(from, to, p);
                }
                for (uint32_t p = 0; p < s && from != to; ++p)
                {
                    double& rate = paths[(from * n + to) * s + p];
                    rate *= demand / sum;
                    up[from * s + p] += rate;
                }
            }
        }
        for (uint32_t from = 0; from < n; ++from)
        {
            for (uint32_t to = 0; to < n; ++to)
            {
                for (uint32_t p = 0; p < s && from != to; ++p)
                {
                    const uint32_t link = from * s + p;
                    const double passed = std::min(1.0, m_rate[link] / up[link]);
                    down[to * s + p] += paths[(from * n + to) * s + p] * passed;
                }
            }
        }
        const double seconds = static_cast<double>(m_settings.interval) / 1e9;
        double arrived = 0;
        for (uint32_t link = 0; link < m_up.size(); ++link)
        {
            const double other = link % s == 0 ? m_settings.other * m_rate[link] : 0;
            const double all = down[link] + other;
            const double passed = std::min(1.0, m_rate[link] / all);
            m_upSent[link] += std::min(up[link], m_rate[link]) * seconds;
            m_downSent[link] += passed * all * seconds;
            arrived += passed * all * seconds;
            sent += other * seconds;
        }
        sent += m_settings.load * s * RATE * n * seconds;
        return arrived;
    }

    /// Look at what links have sent.
    void Look(Links& links, std::vector<double>& sent) const
    {
        constexpr uint32_t GROUPS = 7; // staggered links look at one of so many intervals
        for (uint32_t i = 0; i < links.size(); ++i)
        {
            if (m_settings.isStaggered && (m_nLooks + i) % GROUPS != 0)
            {
                continue;
            }
            links[i].Count(m_now, static_cast<uint64_t>(sent[i]));
            sent[i] -= static_cast<double>(static_cast<uint64_t>(sent[i]));
            links[i].Update(m_now);
        }
    }

    Settings m_settings;                     //!< what is sent, and how it is told
    Links m_up;                              //!< from leaves
    Links m_down;                            //!< to leaves
    std::vector<double> m_rate;              //!< of both
    std::vector<double> m_upSent;            //!< since the last look
    std::vector<double> m_downSent;          //!< since the last look
    std::deque<std::vector<double>> m_known; //!< what links down have told, the oldest first
    int64_t m_now{0};                        //!< in ns
    uint64_t m_nLooks{0};                    //!< at all links
    double m_swing{0};                       //!< of the last Run()
};

} // namespace aidctest

#endif // AIDC_WEIGHT_LOOP_H
