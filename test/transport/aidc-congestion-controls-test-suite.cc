// SPDX-License-Identifier: GPL-2.0-only

#include "started-control.h"
#include "test/test-case.h"

#include "ns3/rate-controls.h"

// Congestion controls of any class, and DCQCN.
AIDC_TEST_SUITE("aidc-congestion-controls", UNIT);

/// An attribute.
struct Row
{
    const char* type;                 //!< TypeId without its namespace
    const char* name;                 //!< of the attribute
    const char* value;                //!< default
    std::vector<std::string> refused; //!< values that are refused
};

// Defaults of attributes as doc/congestion-control.rst has them, and values refused.
AIDC_TEST_CASE("attributes have the documented defaults and refuse what is out of range")
{
    const std::vector<Row> rows{
        {"DcqcnControl", "Variant", "Mellanox", {}},
        {"DcqcnControl", "EwmaGain", "0.00390625", {"-0.1", "1.1"}},
        {"DcqcnControl", "InitialAlpha", "1", {"-0.1", "1.1"}},
        {"DcqcnControl", "AlphaTimer", "0s", {"-1ns"}},
        {"DcqcnControl", "RateTimer", "0s", {"-1ns"}},
        {"DcqcnControl", "ByteCounter", "10000000", {}},
        {"DcqcnControl", "RateDecreaseInterval", "4us", {"0s"}},
        {"DcqcnControl", "FastRecoveryTimes", "0", {"4294967296"}},
        {"DcqcnControl", "AdditiveIncrease", "0bps", {}},
        {"DcqcnControl", "HyperIncrease", "0bps", {}},
        {"DcqcnControl", "MinRate", "100Mbps", {}},
        {"DcqcnControl", "ClampTargetRate", "false", {"2"}},
        {"SwiftControl", "GoverningDelay", "RoundTrip", {}},
        {"SwiftControl", "BaseTarget", "0s", {"-1ns"}},
        {"SwiftControl", "PerHopTarget", "3053ns", {"-1ns"}},
        {"SwiftControl", "ScalingRange", "100us", {"-1ns"}},
        {"SwiftControl", "ScalingMin", "0.1", {"0"}},
        {"SwiftControl", "ScalingMax", "100", {"0"}},
        {"SwiftControl", "HopDelayTarget", "10us", {"-1ns"}},
        {"SwiftControl", "LeastIncrease", "0.25", {"-0.1", "1.1"}},
        {"SwiftControl", "EndpointTarget", "100us", {"-1ns"}},
        {"SwiftControl", "EndpointGain", "0.125", {"0", "1.1"}},
        {"SwiftControl", "AdditiveIncrease", "1", {"-1"}},
        {"SwiftControl", "Beta", "0.8", {"-0.1", "1.1"}},
        {"SwiftControl", "MaxDecrease", "0.5", {"-0.1", "1"}},
        {"SwiftControl", "MinWindow", "0.001", {"0"}},
        {"SwiftControl", "MaxWindow", "0", {"-1"}},
        {"SwiftControl", "InitialWindow", "0", {"-1"}},
        {"SwiftControl", "RetransmitLimit", "5", {"0"}},
        {"SwiftControl", "JumpStart", "false", {"2"}},
        {"SwiftControl", "JumpStartIdleTime", "0s", {"-1ns"}},
        {"CsigControl", "Eta", "0.95", {"0", "1.1"}},
        {"CsigControl", "MaxStage", "5", {}},
        {"CsigControl", "AdditiveIncrease", "0", {}},
        {"CsigControl", "MinRate", "100Mbps", {}},
        {"CsigControl", "UseQueueDelay", "true", {"2"}},
        {"CsigControl", "InitialWindow", "0", {"-1"}},
        {"CsigControl", "JumpStart", "false", {"2"}},
        {"CsigControl", "JumpStartIdleTime", "0s", {"-1ns"}},
        {"EcnWindowControl", "EwmaGain", "0.0625", {"-0.1", "1.1"}},
        {"EcnWindowControl", "InitialAlpha", "1", {"-0.1", "1.1"}},
        {"EcnWindowControl", "InitialWindow", "10", {"0"}},
        {"EcnWindowControl", "MinWindow", "2", {"0"}},
        {"FixedWindowControl", "Window", "0", {}},
        {"HpccControl", "Eta", "0.95", {"0", "1.1"}},
        {"HpccControl", "MaxStage", "5", {}},
        {"HpccControl", "AdditiveIncrease", "0", {}},
        {"HpccControl", "Flows", "50", {"0"}},
        {"HpccControl", "MinRate", "100Mbps", {}},
        {"TimelyControl", "Variant", "Paper", {}},
        {"TimelyControl", "TLow", "50us", {"-1ns"}},
        {"TimelyControl", "THigh", "500us", {"0s"}},
        {"TimelyControl", "MinRtt", "20us", {"0s"}},
        {"TimelyControl", "Alpha", "0.875", {"-0.1", "1.1"}},
        {"TimelyControl", "Beta", "0.8", {"-0.1", "1.1"}},
        {"TimelyControl", "AdditiveIncrease", "0bps", {}},
        {"TimelyControl", "HyperIncrease", "0bps", {}},
        {"TimelyControl", "MinRate", "100Mbps", {}},
        {"TimelyControl", "InitialRate", "0bps", {}},
        {"TimelyControl", "SegmentSize", "16000", {"0"}},
    };
    for (const auto& row : rows)
    {
        const auto where = std::string(row.type) + "::" + row.name;
        ObjectFactory factory;
        factory.SetTypeId(std::string("ns3::aidc::") + row.type);
        auto control = factory.Create<CongestionControl>();
        auto other = factory.Create<CongestionControl>();
        TypeId::AttributeInformation info;
        control->GetInstanceTypeId().LookupAttributeByName(row.name, &info);
        // What the text means, compared by what it is written as
        AIDC_EXPECT(other->SetAttributeFailSafe(row.name, StringValue(row.value)), where);
        StringValue is;
        StringValue expected;
        control->GetAttribute(row.name, is);
        other->GetAttribute(row.name, expected);
        NS_TEST_EXPECT_MSG_EQ(is.Get(), expected.Get(), where);
        for (const auto& value : row.refused)
        {
            AIDC_EXPECT(!control->SetAttributeFailSafe(row.name, StringValue(value)),
                        where << " = " << value);
        }
    }
}

// DcqcnControl's defaults of each variant, at 100 Gbit/s. Expected results: by the rules of
// core/transport/dcqcn-reaction-point.h.
AIDC_TEST_CASE("DcqcnControl cuts and raises the rate as its attributes say")
{
    auto control = MakeStarted<DcqcnControl>();
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Seconds(1)), 100000000000, "line rate");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Seconds(1)),
                          CongestionControl::NO_WINDOW,
                          "no window");
    control->NotifyCnp(Seconds(1));
    auto cut = Seconds(1) + NanoSeconds(4001);
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut - NanoSeconds(1)), 100000000000, "not yet cut");
    NS_TEST_EXPECT_MSG_EQ(control->GetAlpha(cut), 1, "alpha");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut), 50000000000, "cut");
    NS_TEST_EXPECT_MSG_EQ_TOL(control->GetAlpha(cut + MicroSeconds(51)),
                              255.0 / 256,
                              1e-12,
                              "alpha after 55 us");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut + MicroSeconds(300)),
                          75000000000,
                          "raised by F = 1 step of fast recovery");
    control->NotifyCnp(cut + MicroSeconds(300)); // so R_T becomes R_C
    control->GetRate(cut + MicroSeconds(304));
    const auto target = control->GetTargetRate(cut + MicroSeconds(304));
    NS_TEST_EXPECT_MSG_EQ(target, 75000000000, "lowered");
    const auto additive = control->GetTargetRate(cut + MicroSeconds(904)) - target;
    NS_TEST_EXPECT_MSG_EQ(additive, 100000000, "1/1000 of the line rate");
    const auto hyper = control->GetTargetRate(cut + MicroSeconds(1204)) - target - additive;
    NS_TEST_EXPECT_MSG_EQ(hyper, 250000000, "1/400 of the line rate");

    control = MakeStarted<DcqcnControl>(
        {{"AlphaTimer", "1us"}, {"AdditiveIncrease", "40Mbps"}, {"HyperIncrease", "100Mbps"}});
    control->NotifyCnp(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ_TOL(control->GetAlpha(cut), std::pow(255.0 / 256, 4), 1e-12, "alpha");
    const double expected = 100e9 * (1 - std::pow(255.0 / 256, 4) / 2);
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut), static_cast<uint64_t>(expected), "cut");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut + MicroSeconds(300)),
                          static_cast<uint64_t>((expected + 100e9) / 2),
                          "raised");

    // HPCC's configuration: alpha's timer 1 us, the rate timer 900 us, R_AI 50 Mbit/s, R_HAI
    // 100 Mbit/s
    control = MakeStarted<DcqcnControl>({{"Variant", "Hpcc"}});
    control->NotifyCnp(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ_TOL(control->GetAlpha(cut), std::pow(255.0 / 256, 4), 1e-12, "alpha");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut), static_cast<uint64_t>(expected), "cut");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut + MicroSeconds(899)),
                          static_cast<uint64_t>(expected),
                          "not yet raised");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(cut + MicroSeconds(900)),
                          static_cast<uint64_t>((expected + 100e9) / 2),
                          "raised");
    control->NotifyCnp(cut + MicroSeconds(900)); // so R_T becomes R_C
    const auto getTarget = [&](int64_t us) {
        return static_cast<double>(control->GetTargetRate(cut + MicroSeconds(us)));
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(getTarget(904), (expected + 100e9) / 2, 1, "lowered");
    NS_TEST_EXPECT_MSG_EQ_TOL(getTarget(2704), (expected + 100e9) / 2 + 50e6, 1, "R_AI");
    NS_TEST_EXPECT_MSG_EQ_TOL(getTarget(3604), (expected + 100e9) / 2 + 150e6, 1, "R_HAI");

    control = MakeStarted<DcqcnControl>({{"Variant", "Paper"}, {"MinRate", "30Gbps"}});
    control->NotifyCnp(Time(0));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 50000000000, "cut at once");
    control->NotifyCnp(Time(0));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 30000000000, "MinRate");
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(MicroSeconds(55)), 40000000000, "T = 1");
    control->NotifySent(MicroSeconds(56), 10000000);
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(MicroSeconds(56)), 45000000000, "BC = 1");
    NS_TEST_EXPECT_MSG_EQ(control->GetTargetRate(MicroSeconds(274)), 50000000000, "T = 4");
    NS_TEST_EXPECT_MSG_EQ(control->GetTargetRate(MicroSeconds(275)), 50100000000, "T = 5");
    control->Start(MicroSeconds(300), MakeConnection());
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(MicroSeconds(300)), 100000000000, "begun anew");

    control = MakeStarted<DcqcnControl>({{"Variant", "Paper"},
                                         {"InitialAlpha", "0.5"},
                                         {"EwmaGain", "0.5"},
                                         {"AlphaTimer", "10us"},
                                         {"RateTimer", "20us"},
                                         {"ByteCounter", "0"},
                                         {"FastRecoveryTimes", "1"},
                                         {"AdditiveIncrease", "1Gbps"}});
    control->NotifyCnp(Time(0));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 75000000000, "a quarter less");
    control->NotifySent(Time(0), 1000000000);
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 75000000000, "no byte counter");
    NS_TEST_EXPECT_MSG_EQ(control->GetAlpha(Time(0)), 0.75, "raised by half");
    NS_TEST_EXPECT_MSG_EQ(control->GetAlpha(MicroSeconds(10)), 0.375, "and halved");
    control->NotifyCnp(MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(control->GetTargetRate(MicroSeconds(30)), 76000000000, "R_AI");
}

/// A user's own congestion control: half of the line rate.
class HalfRateControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::test::HalfRateControl")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Aidc")
                                .AddConstructor<HalfRateControl>();
        return tid;
    }

    uint64_t GetRate(Time) override
    {
        return GetConnection().lineRate / 2;
    }
};

NS_OBJECT_ENSURE_REGISTERED(HalfRateControl);

// Congestion controls by the names of their classes.
AIDC_TEST_CASE("a class of the user's own is one by its TypeId; the base class limits nothing")
{
    ObjectFactory factory;
    factory.SetTypeId("ns3::aidc::test::HalfRateControl");
    auto control = factory.Create<CongestionControl>();
    control->Start(Time(0), MakeConnection());
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 50000000000, "its own rate");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)),
                          CongestionControl::NO_WINDOW,
                          "not overridden");
    control = MakeStarted<CongestionControl>();
    control->NotifyCnp(Time(0));
    control->NotifyLoss(Time(0), true);
    control->NotifyAcknowledgment(Time(0), MakeAcknowledgment(Seconds(1)));
    NS_TEST_EXPECT_MSG_EQ(control->GetRate(Time(0)), 100000000000, "line rate");
    NS_TEST_EXPECT_MSG_EQ(control->GetWindow(Time(0)), CongestionControl::NO_WINDOW, "no limit");
}
