// SPDX-License-Identifier: GPL-2.0-only

// Writes what a WeightLoop delivers and how much its weights move, over loads, leaves and times, as
// CSV: the figure of doc/fare.rst.
//
// In case "settled", others disturb the first spine for a while; what is measured begins when they
// have been gone for a while. In "others" and "slow", they stay, or the first spine has half of its
// rate.

#include "weight-loop.h"

#include <cstdint>
#include <iostream>
#include <string>

namespace
{

/// In ns
constexpr int64_t SECOND = 1000000000;

/// Run a loop and write a line.
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
    std::cout << scenario << ',' << settings.nLeaves << ',' << settings.load << ','
              << aidctest::WeightLoop(byRates).Run(SECOND) << ',' << arrived << ','
              << loop.GetSwing() << '\n';
}

} // namespace

/// Write the sweep to the standard output. Returns 0.
int
main(int, char*[])
{
    std::cout << "case,leaves,load,arrived_by_rates,arrived,swing\n";
    for (uint32_t percent = 30; percent <= 95; percent += 5)
    {
        for (const uint32_t nLeaves : {2U, 4U, 16U})
        {
            aidctest::WeightLoop::Settings settings;
            settings.load = percent / 100.0;
            settings.nLeaves = nLeaves;
            settings.bandwidth.delay = settings.interval;
            auto others = settings;
            others.other = 0.5;
            Write("others", others);
            auto slow = settings;
            slow.slow = 0.5;
            Write("slow", slow);
            for (const int64_t interval : {int64_t(0), SECOND / 10, SECOND, 5 * SECOND})
            {
                for (const int64_t timeConstant : {SECOND / 10, 2 * SECOND})
                {
                    settings.bandwidth.updateInterval = interval;
                    settings.bandwidth.timeConstant = timeConstant;
                    for (const int64_t updates : {0, 1, 2})
                    {
                        settings.delay = updates * interval;
                        Write("settled", settings);
                    }
                }
            }
        }
    }
    return 0;
}
