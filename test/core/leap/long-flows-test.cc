// SPDX-License-Identifier: GPL-2.0-only

// How far flows may leap by their rates.

#include "model/core/leap/long-flows.h"
#include "test/core/core-test.h"

#include <functional>

using namespace ns3::aidc;

namespace
{

constexpr uint64_t MANY = 1000000;    //!< intervals
constexpr uint64_t IN_FLIGHT = 50000; //!< bytes that are not acknowledged

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
            now.push_back({flow, 0, m_unsent[flow], m_unsent[flow] + IN_FLIGHT});
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
    senders.Run(63);
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U);
    senders.Run(1);
    const auto leap = senders.flows.Find(MANY);
    EXPECT_EQ(leap.nIntervals, 8 * 64U);
    EXPECT_EQ(leap.nBytes, (std::vector<uint64_t>{512000000, 1024000000}));
    EXPECT_LT(leap.error, 0.001);
    EXPECT_EQ(senders.flows.Find(100).nIntervals, 100U);
    EXPECT_EQ(senders.flows.Find(15).nIntervals, 0U) << "not worth it";
    senders.Take(leap);
    senders.Run(8);
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 8 * 72U - 512) << "8 times in all";
}

TEST(LongFlows, NoneComesToItsEnd)
{
    Senders senders({1000000000000, 300000000}, SendEvenly);
    senders.Run(64);
    const auto leap = senders.flows.Find(MANY);
    EXPECT_EQ(leap.nIntervals, (300 - 128) / 2 - 1U); // 2 MB in each interval, one of which is left
    Senders done({1000000000000, 0}, SendEvenly);
    EXPECT_EQ(done.RunToLeap(100).nIntervals, 0U) << "all is sent, and not acknowledged";
    LongFlows none(0.01);
    for (int i = 0; i < 100; ++i)
    {
        none.Observe({});
    }
    EXPECT_EQ(none.Find(MANY).nIntervals, 0U);
}

TEST(LongFlows, WhatDoesNotArriveDoesNotLeap)
{
    LongFlows lost(0.01);
    LongFlows fine(0.01);
    for (uint64_t i = 0; i < 100; ++i)
    {
        const uint64_t unsent = 1000000000 - 1000000 * i;
        // What was sent in the last 9 intervals is not acknowledged
        lost.Observe({{0, 0, unsent, 1000000000 - 1000000 * std::min<uint64_t>(i, 91)}});
        fine.Observe({{0, 0, unsent, unsent + 8000000}});
    }
    EXPECT_EQ(lost.Find(MANY).nIntervals, 0U);
    EXPECT_GT(fine.Find(MANY).nIntervals, 0U);
}

TEST(LongFlows, AnotherOneMakesAllBeginAnew)
{
    Senders senders({1000000000000, 1000000000000}, SendEvenly);
    senders.Run(80);
    senders.flows.Observe({{0, 0, 900000000000, 900000000000}});
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U);
    senders.Run(64); // of which the first one begins
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U);
    senders.Run(1);
    EXPECT_GT(senders.flows.Find(MANY).nIntervals, 0U);
    senders.flows.Observe({{0, 0, 1, 1}, {1, 1, 1, 1}});
    EXPECT_EQ(senders.flows.Find(MANY).nIntervals, 0U) << "another connection";
}

TEST(LongFlows, DriftsStayWithinTheErrorHoweverOftenTheyLeap)
{
    for (const double drift : {2e-5, 2e-4, 2e-3}) // of the rate, in each interval
    {
        uint64_t leapt = 0; // intervals in which the drift would have gone on
        const auto rate = [drift](double now) { return 1000000 * (1 - drift * now); };
        Senders senders({1000000000000},
                        [&](uint32_t, uint64_t now) { return static_cast<uint64_t>(rate(now)); });
        double told = 0;
        double real = 0;
        for (int i = 0; i < 200; ++i)
        {
            senders.Run(1);
            const auto leap = senders.flows.Find(MANY);
            if (leap.nIntervals > 0)
            {
                senders.Take(leap);
                told += static_cast<double>(leap.nBytes[0]);
                const auto n = static_cast<double>(leap.nIntervals);
                real += n * rate(i + static_cast<double>(leapt) + n / 2);
                leapt += leap.nIntervals;
            }
        }
        EXPECT_LE(leapt, 8 * 200U);
        EXPECT_LE(std::abs(told - real), 0.01 * real) << drift << " " << leapt;
    }
}

TEST(LongFlows, PlateausAreNoMean)
{
    for (const uint64_t half : {9, 20, 33, 60, 200})
    {
        Senders senders({uint64_t{1} << 60}, [half](uint32_t, uint64_t now) {
            return now / half % 2 == 0 ? 1000000 : 600000;
        });
        senders.Run(4 * half); // the first plateau may be all that is known
        double worst = 0;
        for (uint64_t i = 0; i < 10 * half; ++i)
        {
            senders.Run(1);
            const auto leap = senders.flows.Find(MANY);
            const auto n = static_cast<double>(leap.nIntervals);
            const double bytes = n > 0 ? static_cast<double>(leap.nBytes[0]) : 0;
            worst = n > 0 ? std::max(worst, std::abs(bytes / n / 800000 - 1)) : worst;
        }
        EXPECT_LT(worst, 0.02) << half; // twice the accepted error, in 10 half periods
    }
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
    EXPECT_GE(nLeaps, 35); // of 56, as long and deep saws need windows that are longer
    EXPECT_LE(nWrong, 5);  // 5 % of two flows each
}

} // namespace
