/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How far flows may leap by their rates.

#include "model/core/leap/long-flows.h"
#include "test/core/core-test.h"

#include <functional>

using namespace ns3::aidc;

namespace
{

constexpr uint64_t MANY = 1000000; //!< intervals

/// Flows that send some bytes in each interval.
class Senders
{
  public:
    /// sizes: of the flows; rate: bytes by flow and interval
    Senders(std::vector<uint64_t> sizes, std::function<uint64_t(uint32_t, uint64_t)> rate)
        : m_unsent(std::move(sizes)),
          m_rate(std::move(rate))
    {
        Observe();
    }

    /// Go on for some intervals.
    void Run(uint64_t n)
    {
        for (uint64_t i = 0; i < n; ++i, ++m_now)
        {
            for (uint32_t flow = 0; flow < m_unsent.size(); ++flow)
            {
                m_unsent[flow] -= std::min(m_unsent[flow], m_rate(flow, m_now));
            }
            Observe();
        }
    }

    /// Go on until there is a leap, for at most some intervals.
    LongFlows::Leap RunToLeap(uint64_t most)
    {
        auto leap = flows.Find(MANY);
        for (uint64_t i = 0; i < most && leap.nIntervals == 0; i += 50)
        {
            Run(50);
            leap = flows.Find(MANY);
        }
        return leap;
    }

    /// Do a leap.
    void Take(const LongFlows::Leap& leap)
    {
        flows.Take(leap);
        for (uint32_t flow = 0; flow < m_unsent.size(); ++flow)
        {
            m_unsent[flow] -= leap.nBytes[flow];
        }
    }

    LongFlows flows{0.01};

  private:
    void Observe()
    {
        std::vector<LongFlows::Flow> now;
        for (uint32_t flow = 0; flow < m_unsent.size(); ++flow)
        {
            now.push_back({flow, 0, m_unsent[flow]});
        }
        flows.Observe(now);
    }

    std::vector<uint64_t> m_unsent;
    std::function<uint64_t(uint32_t, uint64_t)> m_rate;
    uint64_t m_now{0};
};

uint64_t
SendEvenly(uint32_t flow, uint64_t)
{
    return 1000000 * (flow + 1);
}

TEST(LongFlows, EvenOnesLeapEightTimesAsLongAsTheyWereObserved)
{
    Senders senders({1000000000000, 1000000000000}, SendEvenly);
    senders.Run(31);
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U);
    senders.Run(1);
    const auto leap = senders.flows.Find(MANY);
    EXPECT_EQ(leap.nIntervals, 8 * 32U);
    EXPECT_EQ(leap.nBytes, (std::vector<uint64_t>{256000000, 512000000}));
    EXPECT_LT(leap.error, 0.001);
    EXPECT_EQ(senders.flows.Find(100).nIntervals, 100U);
    EXPECT_EQ(senders.flows.Find(0).nIntervals, 0U);
    senders.Take(leap);
    senders.Run(8);
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 8 * 40U) << "what was observed stays";
}

TEST(LongFlows, NoneComesToItsEnd)
{
    Senders senders({1000000000000, 200000000}, SendEvenly);
    senders.Run(32);
    const auto leap = senders.flows.Find(MANY);
    EXPECT_EQ(leap.nIntervals, (200 - 64) / 2 - 1U); // 2 MB in each interval, one of which is left
    Senders done({1000000000000, 0}, SendEvenly);
    EXPECT_EQ(done.RunToLeap(100).nIntervals, 0U) << "all is sent, and not acknowledged";
    LongFlows none(0.01);
    for (int i = 0; i < 100; ++i)
    {
        none.Observe({});
    }
    EXPECT_EQ(none.Find(MANY).nIntervals, 0U);
}

TEST(LongFlows, AnotherOneMakesAllBeginAnew)
{
    Senders senders({1000000000000, 1000000000000}, SendEvenly);
    senders.Run(40);
    senders.flows.Observe({{0, 0, 900000000000}});
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U);
    senders.Run(32); // of which the first one begins
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U);
    senders.Run(1);
    EXPECT_GT(senders.flows.Find(MANY).nIntervals, 0U);
    senders.flows.Observe({{0, 0, 1}, {1, 1, 1}});
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U) << "another connection";
}

TEST(LongFlows, DriftsLeapHardly)
{
    // 0.2 % in each interval: what is ahead differs by 1 % from a window 5 intervals before it
    Senders senders({1000000000000}, [](uint32_t, uint64_t now) { return 1000000 + 2000 * now; });
    EXPECT_LT(senders.RunToLeap(500).nIntervals, 10U);
}

TEST(LongFlows, SawsLeapByTheirMeanAsOftenAsIntervalsSay)
{
    int nLeaps = 0;
    int nWrong = 0;
    for (const uint64_t period : {2, 3, 7, 16, 17, 33, 40})
    {
        for (const uint64_t depth : {5, 20, 35, 60}) // %
        {
            for (const uint64_t phase : {0, 11})
            {
                Senders senders({uint64_t{1} << 60, uint64_t{1} << 60},
                                [=](uint32_t flow, uint64_t now) {
                                    const uint64_t place = (now + phase * flow) % period;
                                    return 1000000 - 10000 * depth +
                                           20000 * depth * place / (period - 1);
                                });
                const auto leap = senders.RunToLeap(20000);
                nLeaps += leap.nIntervals > 0 ? 1 : 0;
                for (const uint64_t bytes : leap.nBytes)
                {
                    const auto n = static_cast<double>(leap.nIntervals);
                    nWrong += std::abs(static_cast<double>(bytes) / n / 1e6 - 1) > 0.01 ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GE(nLeaps, 50); // of 56, as long and deep saws need windows that are longer
    EXPECT_LE(nWrong, 5);  // 5 % of two flows each
}

} // namespace
