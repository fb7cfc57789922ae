/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc-test
 * @brief Writes what a WeightLoop delivers and how much its weights move, over loads, leaves,
 *        intervals and delays, as CSV: the figure of doc/fare.rst.
 *
 * In case "settled", others disturb the first spine for a while; what is measured begins after
 * their end. In "others" and "slow", they stay, or the first spine has half of its rate.
 */

#include "weight-loop.h"

#include <cstdint>
#include <iostream>
#include <string>

namespace
{

/// In ns
constexpr int64_t SECOND = 1000000000;

/**
 * @brief Run a loop and write a line.
 * @param scenario its name
 * @param settings the loop
 */
void
Write(const std::string& scenario, aidctest::WeightLoop::Settings settings)
{
    const auto& times = settings.bandwidth;
    const int64_t time = 5 * SECOND + 10 * times.updateInterval + 3 * times.timeConstant;
    auto byRates = settings;
    byRates.isStatic = true;
    aidctest::WeightLoop loop(settings);
    if (scenario == "settled")
    {
        loop.SetOther(0.4);
        loop.Run(time);
        loop.SetOther(0);
    }
    loop.Run(2 * time);
    const double arrived = loop.Run(time);
    const ns3::aidc::AvailableBandwidth link(times, 1, 0);
    std::cout << scenario << ',' << settings.nLeaves << ',' << settings.nSpines << ','
              << settings.load << ',' << static_cast<double>(times.updateInterval) / SECOND << ','
              << static_cast<double>(times.timeConstant) / SECOND << ','
              << 2 * static_cast<double>(settings.delay) / SECOND << ',' << link.GetSteepness()
              << ',' << aidctest::WeightLoop(byRates).Run(SECOND) << ',' << arrived << ','
              << loop.GetSwing() << '\n';
}

} // namespace

/**
 * @brief Write the sweep to the standard output.
 * @return 0
 */
int
main()
{
    std::cout << "case,leaves,spines,load,update_interval_s,time_constant_s,rtt_s,steepness,"
                 "arrived_by_rates,arrived,swing\n";
    aidctest::WeightLoop::Settings settings;
    settings.interval = SECOND / 100;
    settings.isStaggered = true;
    for (uint32_t percent = 30; percent <= 95; percent += 5)
    {
        settings.load = percent / 100.0;
        for (const uint32_t nLeaves : {2U, 4U, 16U})
        {
            settings.nLeaves = nLeaves;
            for (const int64_t rtt : {int64_t(0), SECOND / 10, SECOND})
            {
                settings.delay = rtt / 2;
                // Staggered looks take seven intervals at most
                settings.bandwidth.delay = 7 * settings.interval + rtt;
                for (const int64_t interval : {int64_t(0), SECOND / 10, SECOND, 5 * SECOND})
                {
                    settings.bandwidth.updateInterval = interval;
                    for (const int64_t timeConstant : {SECOND / 10, SECOND})
                    {
                        settings.bandwidth.timeConstant = timeConstant;
                        Write("settled", settings);
                    }
                }
            }
            settings.delay = 0;
            settings.bandwidth = {};
            settings.bandwidth.delay = settings.interval;
            settings.isStaggered = false;
            settings.other = 0.5;
            Write("others", settings);
            settings.other = 0;
            settings.slow = 0.5;
            Write("slow", settings);
            settings.slow = 1;
            settings.isStaggered = true;
        }
    }
    return 0;
}
