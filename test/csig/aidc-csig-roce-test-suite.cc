// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "csig-roce-network.h"
#include "model/core/csig/csig-quantizer.h"
#include "test/helper/test-fabrics.h"
#include "test/test-case.h"

#include "ns3/congestion-control.h"
#include "ns3/csig-host.h"
#include "ns3/csig-path-signals.h"

// CSIG in network adapters.
AIDC_TEST_SUITE("aidc-csig-roce", UNIT);

/// Sends at a rate and with a window that stay, and writes down signals.
class RecordingControl : public CongestionControl
{
  public:
    struct Signal
    {
        Time time;           //!< when
        CsigReading reading; //!< what
    };

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("aidctest::RecordingControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<RecordingControl>()
                                .AddAttribute("Rate",
                                              "Rate in bit/s",
                                              UintegerValue(HOST_RATE),
                                              MakeUintegerAccessor(&RecordingControl::m_rate),
                                              MakeUintegerChecker<uint64_t>(1))
                                .AddAttribute("Window",
                                              "Window in bytes",
                                              UintegerValue(NO_WINDOW),
                                              MakeUintegerAccessor(&RecordingControl::m_window),
                                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    void NotifySignal(Time now, const CsigReading& reading) override
    {
        signals.push_back({now, reading});
    }

    uint64_t GetRate(Time) override
    {
        return m_rate;
    }

    uint64_t GetWindow(Time) override
    {
        return m_window;
    }

    std::vector<Signal> signals; //!< what was told

  private:
    uint64_t m_rate;   //!< attribute Rate
    uint64_t m_window; //!< attribute Window
};

NS_OBJECT_ENSURE_REGISTERED(RecordingControl);

/// The rate of the bottleneck in bit/s.
constexpr uint64_t BOTTLENECK = 40000000000;

// Attributes have the documented defaults and refuse what is out of range.
AIDC_TEST_CASE("Attributes refuse what the domain has not")
{
    auto signals = CreateObject<CsigPathSignals>();
    StringValue value;
    signals->GetAttribute("Signals", value);
    NS_TEST_EXPECT_MSG_EQ(value.Get(), "min(ABW)", "default");
    for (const char* names : {"", "min(PD)", "max(nQD)"})
    {
        AIDC_EXPECT(!signals->SetAttributeFailSafe("Signals", StringValue(names)),
                    "\"" << names << "\"");
    }
    AIDC_EXPECT(!signals->SetAttributeFailSafe("Period", UintegerValue(0)),
                "a period of 0 is refused");
    auto domain = CreateObject<CsigDomain>();
    SetAll(domain, {{"QueueDepth", "true"}});
    signals->SetDomain(domain);
    AIDC_EXPECT(signals->SetAttributeFailSafe("Signals", StringValue("max(nQD)")),
                "the domain has it");
}

// Signals and packets of adapters: each signal comes as often, also for connections that take
// turns.
AIDC_TEST_CASE("Connections that take turns get all signals, and as many tags as Period says")
{
    constexpr int PACKETS = 6000;
    for (int nConnections = 1; nConnections <= 4; ++nConnections)
    {
        for (int period : {1, 2, 3})
        {
            auto signals = CreateObject<CsigPathSignals>();
            SetAll(signals, {{"Signals", "min(ABW),max(PD)"}, {"Period", std::to_string(period)}});
            std::vector<std::array<int, 3>> counts(nConnections);
            for (int i = 0; i < PACKETS * nConnections; ++i)
            {
                FrameContext context;
                signals->Tag(context, {});
                const bool isDelay = context.tagSize > 0 && context.tag[2] >> 5 == 2;
                ++counts[i % nConnections][context.tagSize == 0 ? 2 : isDelay ? 1 : 0];
            }
            // Five standard deviations of a fair choice are 5 sqrt(6000 / 4) or less.
            for (const auto& count : counts)
            {
                for (int which : {0, 1})
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(count[which],
                                              PACKETS / 2 / period,
                                              194,
                                              "of " << nConnections << ", " << period);
                }
            }
        }
    }
}

// One flow at 17 Gb/s through a link of 40 Gb/s: min(ABW) is 23 Gb/s and min(ABW/C) 57.5 %.
AIDC_TEST_CASES(std::string,
                format,
                "Available bandwidth of the bottleneck and its share reach the sender: " + format,
                ({"Compact", "Expanded"}))
{
    CsigRoceNetwork network(MakeTwoLeaves(1, BOTTLENECK));
    network.csig.SetNicAttribute("Format", StringValue(format));
    network.csig.SetNicAttribute("Signals", StringValue("min(ABW),min(ABW/C)"));
    network.roce.SetCongestionControl("aidctest::RecordingControl",
                                      "Rate",
                                      UintegerValue(17000000000));
    network.roce.SetAttribute("AckInterval", UintegerValue(1));
    network.StartCsig();
    network.Write(0, 1, 2000000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 1, "one message arrives");
    const auto control = DynamicCast<RecordingControl>(
        network.GetNic(0)->GetQueuePair(network.GetQp(0, 1)).GetControl());
    uint32_t counts[2] = {};
    for (const auto& [time, reading] : control->signals)
    {
        // The first whole interval of 100 us is over then, and has come back.
        if (time < MicroSeconds(210) || time > MicroSeconds(900))
        {
            continue;
        }
        const bool isRatio = reading.signal == CsigSignal::ABW_RATIO;
        ++counts[isRatio];
        AIDC_EXPECT(reading.hasBottleneck, "it names the bottleneck");
        if (format == "Compact")
        {
            // Default buckets: 20 to 25 Gb/s, 55 to 60 %
            NS_TEST_EXPECT_MSG_EQ(reading.range.low,
                                  (isRatio ? 550000 : 20000000000),
                                  "the lower bound");
            continue;
        }
        // An interval has 50 packets of 4186 bytes, or one more: up to 0.34 Gb/s
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(reading.GetValue()),
                                  (isRatio ? 575e3 : 23e9),
                                  (isRatio ? 8.5e3 : 340e6),
                                  "the middle of the range");
        // The leaf of the sender, and its port to the other one
        NS_TEST_EXPECT_MSG_EQ(reading.locator.Get(CsigAttribute::DEVICE),
                              1,
                              "the bottleneck's device");
        NS_TEST_EXPECT_MSG_EQ(reading.locator.Get(CsigAttribute::PORT), 0, "the bottleneck's port");
    }
    NS_TEST_EXPECT_MSG_GT(counts[0], 50, "min(ABW)");
    NS_TEST_EXPECT_MSG_GT(counts[1], 50, "min(ABW/C)");
    const auto other = DynamicCast<RecordingControl>(
        network.GetNic(1)->GetQueuePair(network.GetQp(1, 0)).GetControl());
    NS_TEST_EXPECT_MSG_EQ(other->signals.size(), 0, "the receiver has sent no data");
}

// With n packets in flight that fill the bottleneck, each waits there for
//
//     n t - base
//
// t the time of a packet on the bottleneck's wire and base the round trip without waiting: a packet
// over three wires of 1 us, and the acknowledgment back.
AIDC_TEST_CASE("max(PD) is what packets wait at the bottleneck")
{
    constexpr uint64_t PACKETS = 40;
    CsigRoceNetwork network(MakeTwoLeaves(1, BOTTLENECK));
    network.csig.SetNicAttribute("Format", StringValue("Expanded"));
    network.csig.SetNicAttribute("Signals", StringValue("max(PD)"));
    network.roce.SetCongestionControl("aidctest::RecordingControl",
                                      "Window",
                                      UintegerValue(PACKETS * (4096 + 82)));
    network.StartCsig();
    network.Write(0, 1, 1000 * 4096);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 1, "one message arrives");
    const auto control = DynamicCast<RecordingControl>(
        network.GetNic(0)->GetQueuePair(network.GetQp(0, 1)).GetControl());
    // In bits over bits per ns; an acknowledgment has 86 bytes and 8 of reflection.
    const double data = 8 * (4096 + 82 + 8);
    const double answer = 8 * (86 + 8);
    const double base = data / 100 * 2 + data / 40 + answer / 100 * 2 + answer / 40 + 6000;
    const double expected = PACKETS * data / 40 - base;
    uint32_t count = 0;
    for (const auto& [time, reading] : control->signals)
    {
        if (time > MicroSeconds(100) && time < MicroSeconds(800))
        {
            ++count;
            AIDC_EXPECT(reading.signal == CsigSignal::HOP_DELAY, "max(PD)");
            // Half a step, and what rounding to ns adds at six wires
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(reading.GetValue()),
                                      expected,
                                      64 + 6,
                                      "the delay in ns");
        }
    }
    NS_TEST_EXPECT_MSG_GT(count, 700, "each acknowledgment has one");
}

// What the stack sends through the same ports has its own tags, for CsigHost.
AIDC_TEST_CASE("The stack beside the adapter has its own signals")
{
    CsigRoceNetwork network(MakeTwoLeaves(1, BOTTLENECK));
    network.csig.SetNicAttribute("Signals", StringValue("min(ABW)"));
    network.csig.GetHostHelper().SetAttribute("Signals", StringValue("max(PD)"));
    network.csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
    network.roce.SetCongestionControl("aidctest::RecordingControl");
    network.StartCsig();
    network.Write(0, 1, 1000000);
    const NodeContainer hosts = network.network.GetHosts();
    const auto from = MakeSocket(hosts.Get(0), 0);
    const auto to = MakeSocket(hosts.Get(1), SINK_PORT);
    const auto address = network.GetNic(1)->GetAddress();
    for (int i = 0; i < 10; ++i)
    {
        Simulator::Schedule(MicroSeconds(10 * i), [from, address] { SendUdp(from, address); });
    }
    std::vector<CsigFields> tags;
    ConnectTrace(hosts.Get(1)->GetObject<CsigHost>(),
                 "Tag",
                 [&tags](const FlowKey&, const CsigFields& fields) { tags.push_back(fields); });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 1, "one message arrives");
    NS_TEST_EXPECT_MSG_EQ(tags.size(), 10, "one of each datagram");
    for (const auto& fields : tags)
    {
        NS_TEST_EXPECT_MSG_EQ(+fields.type, 2, "max(PD)");
    }
    const auto control = DynamicCast<RecordingControl>(
        network.GetNic(0)->GetQueuePair(network.GetQp(0, 1)).GetControl());
    NS_TEST_EXPECT_MSG_GT(control->signals.size(), 10, "one of each acknowledgment");
    for (const auto& signal : control->signals)
    {
        AIDC_EXPECT(signal.reading.signal == CsigSignal::ABW, "min(ABW)");
    }
}

/// What is amiss.
enum Kind
{
    STRIPS, //!< the other leaf is outside the domain
    UNKNOWN //!< the ports of hosts have no CSIG
};

/// Switches that take tags off, or adapters that know nothing of them.
AIDC_TEST_CASES(Kind,
                kind,
                kind == STRIPS ? "6.3.2: a switch that strips leaves messages without signals"
                               : "Without CSIG in the host's port there are no tags",
                ({STRIPS, UNKNOWN}))
{
    CsigRoceNetwork network(MakeTwoLeaves(1, BOTTLENECK));
    network.roce.SetCongestionControl("aidctest::RecordingControl");
    if (kind == STRIPS)
    {
        network.csig.Exclude(NodeIndex(1));
        network.StartCsig();
    }
    else
    {
        network.Start();
        for (uint32_t host : {0, 1})
        {
            network.GetNic(host)->SetAttribute("Signals",
                                               PointerValue(CreateObject<CsigPathSignals>()));
        }
    }
    network.Write(0, 1, 1000000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 1, "delivered");
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), 1, "completed");
    const auto control = DynamicCast<RecordingControl>(
        network.GetNic(0)->GetQueuePair(network.GetQp(0, 1)).GetControl());
    NS_TEST_EXPECT_MSG_EQ(control->signals.size(), 0, "no signals");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().GetDropped(), 0, "at 0");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(1)->GetStatistics().GetDropped(), 0, "at 1");
}
