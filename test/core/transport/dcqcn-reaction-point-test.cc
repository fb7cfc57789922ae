// SPDX-License-Identifier: GPL-2.0-only

// The timers and the byte counter of DCQCN's reaction point, in both variants.

#include "model/core/never.h"
#include "model/core/transport/dcqcn-reaction-point.h"
#include "test/core/core-test.h"

/// The reaction point of the worked trace of network adapters.
DcqcnSettings
MakeMellanox()
{
    DcqcnSettings settings{DcqcnSettings::MELLANOX, 1.0 / 256, 1, 40e6, 100e6, 100e6, 100e9};
    settings.alphaTimer = 1000;
    settings.decreaseInterval = 4000;
    settings.rateTimer = 300000;
    return settings;
}

// Computed independently, with CNPs at 0, 2.5, 9.5 and 320.5 us.
TEST(DcqcnReactionPoint, FollowsTheWorkedTraceOfNetworkAdapters)
{
    /// A time and what is true then.
    struct Row
    {
        int64_t time;   //!< ns
        double rate;    //!< R_C in Gbit/s
        double target;  //!< R_T in Gbit/s
        double alpha;   //!< alpha
        uint64_t stage; //!< the stage
    };

    const std::vector<Row> rows{
        {4001, 50.582135, 100, .988357306, 0},
        {12001, 26.258048, 100, .961765921, 0},
        {312001, 63.129024, 100, .297258253, 1},
        {324001, 54.054845, 63.129024, .287480423, 0},
        {624001, 58.591934, 63.129024, .088853147, 1},
        {924001, 60.880479, 63.169024, .027462328, 2},
        {1224001, 62.074752, 63.269024, .008487932, 3},
    };
    std::vector<int64_t> cnps{0, 2500, 9500, 320500};
    DcqcnReactionPoint point;
    point.Start(MakeMellanox());
    double before = 100;
    for (const auto& row : rows)
    {
        while (!cnps.empty() && cnps.front() < row.time)
        {
            point.NotifyCnp(cnps.front());
            cnps.erase(cnps.begin());
        }
        EXPECT_NEAR(point.GetRates(row.time - 1).GetRate() / 1e9, before, 1e-6) << row.time;
        EXPECT_NEAR(point.GetRates(row.time).GetRate() / 1e9, row.rate, 1e-6) << row.time;
        EXPECT_NEAR(point.GetRates(row.time).GetTargetRate() / 1e9, row.target, 1e-6) << row.time;
        EXPECT_NEAR(point.GetAlpha(row.time), row.alpha, 1e-9) << row.time;
        EXPECT_EQ(point.GetRates(row.time).GetTimerCount(), row.stage) << row.time;
        before = row.rate;
    }
}

TEST(DcqcnReactionPoint, NothingChangesBeforeTheFirstCnp)
{
    for (const auto variant : {DcqcnSettings::PAPER, DcqcnSettings::MELLANOX})
    {
        auto settings = MakeMellanox();
        settings.variant = variant;
        DcqcnReactionPoint point;
        point.Start(settings);
        point.NotifySent(1000000000, 1 << 30);
        EXPECT_EQ(point.GetRates(2000000000).GetRate(), 100e9);
        EXPECT_EQ(point.GetAlpha(2000000000), 1);
        EXPECT_EQ(point.GetRates(2000000000).GetTimerCount(), 0);
        EXPECT_EQ(point.GetRates(0).GetByteCount(), 0);
        EXPECT_FALSE(point.IsCounting());
        point.NotifyCnp(2000000000);
        EXPECT_EQ(point.IsCounting(), variant == DcqcnSettings::PAPER);
        EXPECT_EQ(point.GetRates(2000000000).GetRate(),
                  variant == DcqcnSettings::PAPER ? 50e9 : 100e9);
    }
}

TEST(DcqcnReactionPoint, APeriodOfAdaptersHasOneCutHoweverManyCnps)
{
    auto settings = MakeMellanox();
    settings.gain = 0; // each cut halves
    DcqcnReactionPoint point;
    point.Start(settings);
    for (int64_t time = 0; time <= 4000; time += 500)
    {
        point.NotifyCnp(time);
    }
    EXPECT_EQ(point.GetRates(4000).GetRate(), 100e9);
    EXPECT_EQ(point.GetRates(4001).GetRate(), 50e9);
    point.NotifyCnp(4001); // counts for the next one
    EXPECT_EQ(point.GetRates(8000).GetRate(), 50e9);
    EXPECT_EQ(point.GetRates(8001).GetRate(), 25e9);
    EXPECT_EQ(point.GetRates(8001).GetTargetRate(), 100e9);
    EXPECT_EQ(point.GetRates(200000).GetRate(), 25e9) << "no CNP, no cut";
    settings.clampTargetRate = true;
    point.Start(settings);
    point.NotifyCnp(0);
    EXPECT_EQ(point.GetRates(4001).GetTargetRate(), 100e9);
    point.NotifyCnp(4001);
    EXPECT_EQ(point.GetRates(8001).GetTargetRate(), 50e9);
}

TEST(DcqcnReactionPoint, ThePapersTimersAndCounterBeginAnewWithACnp)
{
    DcqcnSettings settings{DcqcnSettings::PAPER, 1.0 / 256, 5, 40e6, 400e6, 100e6, 40e9};
    settings.byteCounter = 1000;
    DcqcnReactionPoint point;
    point.Start(settings);
    point.NotifyCnp(100);
    EXPECT_EQ(point.GetRates(55099).GetRate(), 20e9);
    EXPECT_EQ(point.GetAlpha(55099), 1);
    EXPECT_EQ(point.GetRates(55100).GetRate(), 30e9);
    EXPECT_EQ(point.GetAlpha(55100), 255.0 / 256);
    point.NotifySent(60000, 999);
    EXPECT_EQ(point.GetRates(0).GetByteCount(), 0);
    point.NotifySent(60001, 1);
    EXPECT_EQ(point.GetRates(0).GetByteCount(), 1);
    EXPECT_EQ(point.GetRates(60001).GetRate(), 35e9);
    point.NotifySent(60002, 999);
    point.NotifyCnp(110099); // a nanosecond before both timers
    EXPECT_EQ(point.GetRates(110099).GetTargetRate(), 35e9);
    EXPECT_EQ(point.GetRates(110099).GetTimerCount(), 0);
    EXPECT_EQ(point.GetRates(0).GetByteCount(), 0);
    point.NotifySent(110100, 1);
    EXPECT_EQ(point.GetRates(0).GetByteCount(), 0);
    EXPECT_EQ(point.GetRates(165098).GetTimerCount(), 0);
    EXPECT_EQ(point.GetRates(165099).GetTimerCount(), 1);
    point.NotifySent(165099, 3000); // a packet larger than the counter
    EXPECT_EQ(point.GetRates(0).GetByteCount(), 3);
    settings.byteCounter = 0;
    point.Start(settings);
    point.NotifyCnp(0);
    point.NotifySent(1, 1 << 30);
    EXPECT_EQ(point.GetRates(0).GetByteCount(), 0) << "there is none";
    EXPECT_FALSE(point.IsCounting());
}

/// The same, one timer after the other as events would have it.
class Reference
{
  public:
    Reference(const DcqcnSettings& settings)
        : m_settings(settings)
    {
        rates.Reset(settings, settings.initialAlpha);
    }

    void AdvanceTo(int64_t now)
    {
        while (m_hasCnp && std::min({m_alpha, m_raise, m_decrease}) <= now)
        {
            if (m_alpha <= std::min(m_raise, m_decrease))
            {
                m_alphaFlag ? rates.RaiseAlpha() : rates.DecayAlpha(1);
                m_alphaFlag = false;
                m_alpha += m_settings.alphaTimer;
            }
            else if (m_raise <= m_decrease)
            {
                rates.ExpireTimer(1);
                m_raise += m_settings.rateTimer;
            }
            else
            {
                if (m_decreaseFlag)
                {
                    rates.Cut(m_settings.clampTargetRate || rates.GetTimerCount() != 0);
                    m_raise = m_decrease + m_settings.rateTimer;
                }
                m_decreaseFlag = false;
                m_decrease += m_settings.decreaseInterval;
            }
        }
    }

    void NotifyCnp(int64_t now)
    {
        AdvanceTo(now);
        if (m_settings.variant == DcqcnSettings::PAPER)
        {
            rates.Cut(true);
            rates.RaiseAlpha();
            m_alpha = now + m_settings.alphaTimer;
            m_raise = now + m_settings.rateTimer;
            m_nBytes = 0;
        }
        else
        {
            m_alphaFlag = m_hasCnp;
            m_decreaseFlag = true;
            if (!m_hasCnp)
            {
                m_alpha = now + m_settings.alphaTimer;
                m_decrease = now + 1 + m_settings.decreaseInterval;
            }
        }
        m_hasCnp = true;
    }

    void NotifySent(int64_t now, uint32_t nBytes)
    {
        AdvanceTo(now);
        if (!m_hasCnp || m_settings.variant != DcqcnSettings::PAPER)
        {
            return;
        }
        for (m_nBytes += nBytes; m_nBytes >= m_settings.byteCounter;
             m_nBytes -= m_settings.byteCounter)
        {
            rates.ExpireByteCounter(1);
        }
    }

    DcqcnRates rates;

  private:
    DcqcnSettings m_settings;
    int64_t m_alpha{NEVER};
    int64_t m_raise{NEVER};
    int64_t m_decrease{NEVER};
    uint64_t m_nBytes{0};
    bool m_hasCnp{false};
    bool m_alphaFlag{false};
    bool m_decreaseFlag{false};
};

RC_GTEST_PROP(DcqcnReactionPoint, IsWhatEventsWouldMakeOfIt, ())
{
    auto settings = MakeMellanox();
    settings.variant = DrawElement({DcqcnSettings::PAPER, DcqcnSettings::MELLANOX});
    settings.threshold = DrawInRange(0U, 6U);
    settings.alphaTimer = DrawInRange<int64_t>(1, 30);
    settings.decreaseInterval = DrawInRange<int64_t>(1, 30);
    settings.rateTimer = DrawInRange<int64_t>(1, 30);
    settings.byteCounter = DrawInRange<uint64_t>(1, 30);
    settings.clampTargetRate = DrawAny<bool>();
    DcqcnReactionPoint seldom; // is told only what happens
    DcqcnReactionPoint often;  // is asked at each nanosecond as well
    seldom.Start(settings);
    often.Start(settings);
    Reference reference(settings);
    int64_t now = 0;
    const auto nSteps = DrawInRange(0, 40);
    for (int i = 0; i < nSteps; ++i)
    {
        const auto gap = DrawInRange<int64_t>(0, 150);
        for (int64_t t = 0; t < gap; ++t)
        {
            often.GetRates(now + t).GetRate();
        }
        now += gap;
        if (DrawInRange(0, 3) == 0)
        {
            seldom.NotifyCnp(now);
            often.NotifyCnp(now);
            reference.NotifyCnp(now);
        }
        else
        {
            const auto nBytes = DrawInRange(1U, 60U);
            seldom.NotifySent(now, nBytes);
            often.NotifySent(now, nBytes);
            reference.NotifySent(now, nBytes);
        }
        for (auto* point : {&seldom, &often})
        {
            // Asking for alpha changes nothing.
            const auto alpha = point->GetAlpha(now);
            RC_ASSERT(std::abs(alpha - reference.rates.GetAlpha()) <= 1e-9);
            RC_ASSERT(alpha >= 0);
            RC_ASSERT(alpha <= 1);
        }
        RC_ASSERT(often.GetRates(now).GetTimerCount() == reference.rates.GetTimerCount());
        RC_ASSERT(often.GetRates(0).GetByteCount() == reference.rates.GetByteCount());
        RC_ASSERT(std::abs(often.GetRates(now).GetRate() - reference.rates.GetRate()) <=
                  1e-9 * 100e9);
        RC_ASSERT(often.GetRates(now).GetTargetRate() <= 100e9);
    }
    reference.AdvanceTo(now);
    RC_ASSERT(seldom.GetRates(now).GetTimerCount() == reference.rates.GetTimerCount());
    RC_ASSERT(seldom.GetRates(0).GetByteCount() == reference.rates.GetByteCount());
    RC_ASSERT(std::abs(seldom.GetRates(now).GetRate() - reference.rates.GetRate()) <= 1e-9 * 100e9);
    RC_ASSERT(std::abs(seldom.GetRates(now).GetTargetRate() - reference.rates.GetTargetRate()) <=
              1e-9 * 100e9);
}
