// SPDX-License-Identifier: GPL-2.0-only

// The signals of CSIG: how a host begins and what a device replaces.

#include "test/core/core-test.h"

#include "ns3/csig-signal.h"

constexpr CsigSignal ALL[]{CsigSignal::ABW,
                           CsigSignal::ABW_RATIO,
                           CsigSignal::HOP_DELAY,
                           CsigSignal::QUEUE_DEPTH};

/// Encodes a tag into bytes.
std::vector<uint8_t>
Encode(const CsigFields& fields)
{
    std::vector<uint8_t> bytes(GetCsigTagSize(fields.format));
    EncodeCsigTag(fields, {}, bytes.data());
    return bytes;
}

TEST(CsigSignal, Section4_1_3HostsBeginWithTheBestValue)
{
    using Bytes = std::vector<uint8_t>;
    const auto compact = CsigFormat::COMPACT;
    const auto expanded = CsigFormat::EXPANDED;
    EXPECT_EQ(Encode(MakeCsigRequest(compact, CsigSignal::ABW)), (Bytes{0x88, 0xb5, 0x0f, 0x80}));
    EXPECT_EQ(Encode(MakeCsigRequest(compact, CsigSignal::ABW_RATIO)),
              (Bytes{0x88, 0xb5, 0x2f, 0x80}));
    EXPECT_EQ(Encode(MakeCsigRequest(compact, CsigSignal::HOP_DELAY)),
              (Bytes{0x88, 0xb5, 0x40, 0x00}));
    EXPECT_EQ(Encode(MakeCsigRequest(compact, CsigSignal::QUEUE_DEPTH)),
              (Bytes{0x88, 0xb5, 0x60, 0x00}));
    EXPECT_EQ(Encode(MakeCsigRequest(expanded, CsigSignal::ABW)),
              (Bytes{0x88, 0xb6, 0x00, 0x00, 0x0f, 0xff, 0xff, 0x00}));
    EXPECT_EQ(Encode(MakeCsigRequest(expanded, CsigSignal::HOP_DELAY)),
              (Bytes{0x88, 0xb6, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00}));
}

TEST(CsigSignal, Section5_3_3SmallerAvailableBandwidthReplaces)
{
    for (const auto signal : {CsigSignal::ABW, CsigSignal::ABW_RATIO})
    {
        const auto aggregation = GetCsigAggregation(signal);
        CsigFields fields{CsigFormat::COMPACT, 0, 1, 7, 10};
        EXPECT_FALSE(CompareAndReplaceCsig(fields, aggregation, 11, 9));
        EXPECT_EQ(fields, (CsigFields{CsigFormat::COMPACT, 0, 1, 7, 10}));
        EXPECT_TRUE(CompareAndReplaceCsig(fields, aggregation, 9, 3));
        EXPECT_EQ(fields, (CsigFields{CsigFormat::COMPACT, 0, 1, 3, 9}));
    }
}

TEST(CsigSignal, Section5_4_2LargerDelayReplaces)
{
    for (const auto signal : {CsigSignal::HOP_DELAY, CsigSignal::QUEUE_DEPTH})
    {
        const auto aggregation = GetCsigAggregation(signal);
        CsigFields fields{CsigFormat::EXPANDED, 2, 0xaa, 7, 10};
        EXPECT_FALSE(CompareAndReplaceCsig(fields, aggregation, 9, 9));
        EXPECT_EQ(fields, (CsigFields{CsigFormat::EXPANDED, 2, 0xaa, 7, 10}));
        EXPECT_TRUE(CompareAndReplaceCsig(fields, aggregation, 11, 3));
        EXPECT_EQ(fields, (CsigFields{CsigFormat::EXPANDED, 2, 0xaa, 3, 11}));
    }
}

TEST(CsigSignal, Section4_1_3TieLeavesTheLocator)
{
    for (const auto signal : ALL)
    {
        CsigFields fields{CsigFormat::COMPACT, 0, 0, 7, 10};
        EXPECT_FALSE(CompareAndReplaceCsig(fields, GetCsigAggregation(signal), 10, 9));
        EXPECT_EQ(fields.locator, 7);
    }
}

TEST(CsigSignal, Figure5BottlenecksAreHop5AndHop1AndHop3)
{
    // In units of 1 Gbit/s, 0.1 % and 1 us, with the hop's number as its locator
    const std::vector<uint32_t> abw{100, 95, 70, 90, 20};
    const std::vector<uint32_t> ratio{125, 950, 700, 900, 500};
    const std::vector<uint32_t> delay{10, 3, 18, 5, 8};
    const auto travel = [](CsigSignal signal, const std::vector<uint32_t>& hops) {
        auto fields = MakeCsigRequest(CsigFormat::EXPANDED, signal);
        for (uint16_t hop = 0; hop < hops.size(); ++hop)
        {
            CompareAndReplaceCsig(fields, GetCsigAggregation(signal), hops[hop], hop + 1);
        }
        return fields;
    };
    EXPECT_EQ(travel(CsigSignal::ABW, abw), (CsigFields{CsigFormat::EXPANDED, 0, 0, 5, 20}));
    EXPECT_EQ(travel(CsigSignal::ABW_RATIO, ratio),
              (CsigFields{CsigFormat::EXPANDED, 1, 0, 1, 125}));
    EXPECT_EQ(travel(CsigSignal::HOP_DELAY, delay),
              (CsigFields{CsigFormat::EXPANDED, 2, 0, 3, 18}));
}

/// Any path: the tag ends with the extreme value, and the locator of the first hop that has it.
RC_GTEST_PROP(CsigSignal, Section4_1_3TagHasTheExtremeAndItsFirstHop, ())
{
    const auto signal =
        *rc::gen::elementOf(std::vector<CsigSignal>(std::begin(ALL), std::end(ALL)));
    const auto hops = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, 32));
    auto fields = MakeCsigRequest(CsigFormat::COMPACT, signal);
    const auto initial = fields;
    for (std::size_t hop = 0; hop < hops.size(); ++hop)
    {
        const auto before = fields;
        const bool replaced = CompareAndReplaceCsig(fields,
                                                    GetCsigAggregation(signal),
                                                    hops[hop],
                                                    static_cast<uint16_t>(hop + 1));
        RC_ASSERT(replaced == (fields.value != before.value));
        RC_ASSERT(replaced == (fields.locator != before.locator));
        RC_ASSERT(fields.type == before.type && fields.reserved == before.reserved);
    }
    const auto extreme = GetCsigAggregation(signal) == CsigAggregation::MIN
                             ? std::min_element(hops.begin(), hops.end())
                             : std::max_element(hops.begin(), hops.end());
    if (extreme == hops.end() || *extreme == initial.value)
    {
        RC_ASSERT(fields == initial);
    }
    else
    {
        RC_ASSERT(fields.value == *extreme);
        RC_ASSERT(fields.locator == extreme - hops.begin() + 1);
    }
}

TEST(CsigSignal, TypesAreThoseOfFigures1And2)
{
    const CsigSignalSettings settings;
    EXPECT_EQ(settings.Find(0), CsigSignal::ABW);
    EXPECT_EQ(settings.Find(1), CsigSignal::ABW_RATIO);
    EXPECT_EQ(settings.Find(2), CsigSignal::HOP_DELAY);
    for (uint32_t type = 3; type < 256; ++type)
    {
        EXPECT_FALSE(settings.Find(static_cast<uint8_t>(type))) << type;
    }
}

TEST(CsigSignal, QueueDepthIsOffUntilAskedFor)
{
    CsigSignalSettings settings;
    EXPECT_FALSE(settings.Find(3));
    settings.queueDepth = true;
    EXPECT_EQ(settings.Find(3), CsigSignal::QUEUE_DEPTH);
}

TEST(CsigSignal, DoNotUpdateBitIsOffUntilAskedFor)
{
    CsigSignalSettings settings;
    const CsigFields set{CsigFormat::EXPANDED, 0, 0x01, 0, 0};
    const CsigFields others{CsigFormat::EXPANDED, 0, 0xfe, 0, 0};
    EXPECT_FALSE(settings.IsFrozen(set));
    settings.doNotUpdate = true;
    EXPECT_TRUE(settings.IsFrozen(set));
    EXPECT_FALSE(settings.IsFrozen(others));
}

TEST(CsigSignal, TypesAreConfigurable)
{
    CsigSignalSettings settings;
    settings.types = {7, 6, 5, 4};
    EXPECT_NO_THROW(CheckCsigSignals(settings));
    EXPECT_EQ(settings.Find(5), CsigSignal::HOP_DELAY);
    EXPECT_FALSE(settings.Find(0));
    EXPECT_EQ(MakeCsigRequest(CsigFormat::COMPACT, CsigSignal::ABW, settings).type, 7);
}

TEST(CsigSignal, Section412ExpandedTagsHaveSixteenTypes)
{
    CsigSignalSettings settings;
    settings.types = {8, 15, 12, 0};
    EXPECT_NO_THROW(CheckCsigSignals(settings));
    EXPECT_EQ(settings.Find(15), CsigSignal::ABW_RATIO);
    EXPECT_FALSE(settings.Find(0));
    // LM=0, T=8, S=0xFFFFF, R=0
    EXPECT_EQ(Encode(MakeCsigRequest(CsigFormat::EXPANDED, CsigSignal::ABW, settings)),
              (std::vector<uint8_t>{0x88, 0xb6, 0x00, 0x00, 0x8f, 0xff, 0xff, 0x00}));
    EXPECT_FALSE(CanEncodeCsig(MakeCsigRequest(CsigFormat::COMPACT, CsigSignal::ABW, settings)));
}

TEST(CsigSignal, TypesThatCannotTellTheSignalsAreRefused)
{
    CsigSignalSettings settings;
    EXPECT_NO_THROW(CheckCsigSignals(settings));
    settings.types = {0, 1, 16, 3}; // no four bits
    EXPECT_THROW(CheckCsigSignals(settings), std::invalid_argument);
    settings.types = {0, 1, 1, 3};
    EXPECT_THROW(CheckCsigSignals(settings), std::invalid_argument);
    settings.types = {0, 1, 2, 2}; // the same as a signal that is off
    EXPECT_NO_THROW(CheckCsigSignals(settings));
    settings.queueDepth = true;
    EXPECT_THROW(CheckCsigSignals(settings), std::invalid_argument);
}

TEST(CsigSignal, SendersAskForSignalsThatAreOnAndFitTheFormat)
{
    CsigSignalSettings settings;
    const std::vector<CsigSignal> depth{CsigSignal::ABW, CsigSignal::QUEUE_DEPTH};
    EXPECT_THROW(CheckCsigRequests("Me", depth, CsigFormat::COMPACT, settings),
                 std::invalid_argument); // it is off
    settings.queueDepth = true;
    EXPECT_NO_THROW(CheckCsigRequests("Me", depth, CsigFormat::COMPACT, settings));
    settings.types = {0, 1, 2, 8}; // a compact tag has three bits of type
    EXPECT_NO_THROW(CheckCsigRequests("Me", depth, CsigFormat::EXPANDED, settings));
    EXPECT_THROW(CheckCsigRequests("Me", depth, CsigFormat::COMPACT, settings),
                 std::invalid_argument);
}

TEST(CsigSignal, SignalsHaveNames)
{
    EXPECT_STREQ(GetCsigName(CsigSignal::ABW), "min(ABW)");
    EXPECT_STREQ(GetCsigName(CsigSignal::ABW_RATIO), "min(ABW/C)");
    EXPECT_STREQ(GetCsigName(CsigSignal::HOP_DELAY), "max(PD)");
    EXPECT_STREQ(GetCsigName(CsigSignal::QUEUE_DEPTH), "max(nQD)");
}
