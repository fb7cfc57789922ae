// SPDX-License-Identifier: GPL-2.0-only

#include "coupled-ecn-bench.h"
#include "test/buffer/test-buffers.h"
#include "test/test-case.h"

// The attributes of the coupled ECN threshold: derived, refused, changed.
AIDC_TEST_SUITE("aidc-coupled-ecn-configuration", UNIT);

/// Compare the Offset in force with what it is to be. offset: the Offset in bytes.
void
Expect(const std::string& rate, const std::string& rtt, const std::string& mtu, uint64_t offset)
{
    auto queueDisc =
        MakeQueueDisc(MakeBuffer(12000000),
                      {{"LinkRate", rate}, {"Rtt", rtt}, {"Mtu", mtu}, {"Offset", "123456B"}});
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEffectiveOffset(),
                          offset,
                          rate << " * " << rtt);
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), 12000000 - offset, "ECN_Thrd");
}

// Offset from LinkRate and Rtt: slightly more than their product, here by one MTU. Expected
// results: 100 Gbit/s * 40 us / 8 = 500,000, + 1500; 400 Gbit/s * 20 us / 8 = 1,000,000 and * 50
// us = 2,500,000 (section 6.2 names 1 MB to 2.5 MB for these), + 9000. 1 Gbit/s * 1 ns / 8 =
// 0.125, rounded up to 1, + 1500. Where Rtt is 0, Offset is what was set. ECN_Thrd of an empty
// buffer of 12,000,000 is the rest.
AIDC_TEST_CASE("Offset is derived to slightly exceed Link_Rate * RTT (section 6.2)")
{
    Expect("100Gbps", "40us", "0", 501500);
    Expect("400Gbps", "20us", "9000", 1009000);
    Expect("400Gbps", "50us", "9000", 2509000);
    Expect("1Gbps", "1ns", "0", 1501);
    Expect("100Gbps", "0s", "0", 123456);
}

// Impossible configurations end the program at initialization, with the reason. Expected results:
// EcnFloor below the MTU (section 6.3), by default 1500, or 9000 as set; Kmax below Kmin; Rtt where
// no rate is known. An EcnFloor of exactly the MTU is allowed, and a static mode has no floor.
AIDC_TEST_CASE("ECN_Floor MUST NOT be configured smaller than the MTU (section 6.3): refused at "
               "initialization")
{
    const auto initialize = [](const Attributes& attributes) {
        return RunInChild([attributes] { MakeQueueDisc(MakeBuffer(12000000), attributes); });
    };
    const auto low = initialize({{"EcnFloor", "1499B"}});
    AIDC_EXPECT(low.Says("EcnFloor is 1499 bytes"), low.errors);
    AIDC_EXPECT(low.Says("MTU, 1500 bytes"), low.errors);
    const auto jumbo = initialize({{"EcnFloor", "8999B"}, {"Mtu", "9000"}});
    AIDC_EXPECT(jumbo.Says("MTU, 9000 bytes"), jumbo.errors);
    const auto equal = initialize({{"EcnFloor", "1500B"}});
    AIDC_EXPECT(!equal.died, equal.errors);
    const auto step = initialize({{"EcnFloor", "0B"}, {"Mode", "StaticStep"}});
    AIDC_EXPECT(!step.died, step.errors);
    const auto band = initialize({{"Mode", "StaticRed"}, {"Kmin", "2000B"}, {"Kmax", "1999B"}});
    AIDC_EXPECT(band.Says("Kmax is less than Kmin"), band.errors);
    const auto rate = initialize({{"Rtt", "40us"}});
    AIDC_EXPECT(rate.Says("set LinkRate"), rate.errors);

    // A root finds the MTU of its device.
    const auto device = RunInChild([] {
        NodeContainer nodes(2);
        auto devices = PointToPointHelper().Install(nodes);
        devices.Get(0)->SetMtu(9000);
        InternetStackHelper().Install(nodes);
        TrafficControlHelper helper;
        helper.SetRootQueueDisc("ns3::aidc::CoupledEcnQueueDisc", "EcnFloor", StringValue("8999B"));
        helper.Install(devices.Get(0));
        Simulator::Run();
    });
    AIDC_EXPECT(device.Says("MTU, 9000 bytes"), device.errors);
    AIDC_EXPECT(device.Says("(node 0, device 0; set on the object: EcnFloor 8999B)"),
                device.errors);
    const auto defaults = RunInChild([] {
        Config::SetDefault("ns3::aidc::CoupledEcnQueueDisc::Mtu", UintegerValue(40000));
        MakeQueueDisc(MakeBuffer(12000000), {{"Offset", "200kB"}});
    });
    AIDC_EXPECT(defaults.Says("EcnFloor is 30000 bytes; it must be at least the "
                              "link's MTU, 40000 bytes (without a device; set on the "
                              "object: "),
                defaults.errors);
    AIDC_EXPECT(defaults.Says("Offset 200000B"), defaults.errors);
    AIDC_EXPECT(defaults.Says("Mtu 40000"), defaults.errors);
    ExpectRefusal("expected ns3::aidc::CoupledEcnQueueDisc::Mtu in place of "
                  "ns3::aidc::CoupledEcnQueue::Mtu",
                  [] {
                      Config::SetDefault("ns3::aidc::CoupledEcnQueue::Mtu", UintegerValue(40000));
                      MakeQueueDisc(MakeBuffer(12000000), {});
                  });
}

/// A reconfiguration while running takes effect at once, or is refused and changes nothing.
///
/// Expected results, Buf_Thrd 300,000 by Cap, Offset 100,000, EcnFloor 50,000: ECN_Thrd 200,000.
///  Offset 150,000: 150,000 (A). EcnFloor 200,000: 150,000 is not above it: 200,000 (B).
///  EcnFloor 1499, Offset or EcnFloor in packets, Mtu 200,001, Rtt without a rate: refused.
///  Kmin beyond Kmax is of no effect in mode Coupled; mode StaticRed is then refused.
///  Mode StaticStep: Threshold, 200,000 by default. Then EcnFloor 0 is of no effect, but mode
/// Coupled is refused until EcnFloor is 1500 again: then 300,000 - 150,000 = 150,000. Cap 200,000:
/// 50,000 (A). Each accepted change of the queue disc is traced: Offset, EcnFloor, Kmin, Mode,
/// EcnFloor, EcnFloor, Mode: 7.
class ReconfigurationTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    void Set(const std::string& name, const std::string& value, bool accepted, uint64_t ecnThrd)
    {
        StringValue before;
        StringValue after;
        m_queueDisc->GetAttribute(name, before);
        NS_TEST_EXPECT_MSG_EQ(m_queueDisc->SetAttributeFailSafe(name, StringValue(value)),
                              accepted,
                              name << " = " << value);
        m_queueDisc->GetAttribute(name, after);
        NS_TEST_EXPECT_MSG_EQ((before.Get() == after.Get()), !accepted, name << " = " << value);
        NS_TEST_EXPECT_MSG_EQ(m_queueDisc->GetQueue()->GetEcnThreshold(),
                              ecnThrd,
                              name << " = " << value);
    }

    /// Tell whether a text is in another. Returns true if it is there.
    static bool Has(const std::string& text, const std::string& part)
    {
        return text.find(part) != std::string::npos;
    }

    Ptr<CoupledEcnQueueDisc> m_queueDisc; //!< the queue disc
};

AIDC_TEST_CASE_F(ReconfigurationTestCase,
                 "a reconfiguration while running takes effect and is traced, or is refused and "
                 "nothing changes (sections 6.3 and 9)")
{
    auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                   {{"Offset", "100000B"}, {"EcnFloor", "50000B"}},
                                   {{"Cap", "300000B"}});
    std::vector<std::pair<std::string, std::string>> told;
    queueDisc->TraceConnectWithoutContext("Reconfiguration",
                                          MakeBoundCallback(&NoteReconfiguration, &told));
    m_queueDisc = queueDisc;
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), 200000, "as configured");
    Set("Offset", "150000B", true, 150000);
    Set("EcnFloor", "200000B", true, 200000);
    Set("EcnFloor", "1499B", false, 200000);
    Set("EcnFloor", "300p", false, 200000);
    Set("Offset", "10p", false, 200000);
    Set("Mtu", "200001", false, 200000);
    Set("Rtt", "40us", false, 200000);
    Set("Rtt", "-1us", false, 200000);
    Set("Pmax", "1.1", false, 200000);
    Set("AverageWeight", "-0.1", false, 200000);
    NS_TEST_ASSERT_MSG_EQ(told.size(), 2, "refused ones are not told");
    AIDC_EXPECT(Has(told[0].first, "Offset 100000B"), told[0].first);
    AIDC_EXPECT(Has(told[0].second, "Offset 150000B"), told[0].second);
    AIDC_EXPECT(Has(told[1].second, "EcnFloor 200000B"), told[1].second);

    Set("Kmin", "2MB", true, 200000);
    Set("Mode", "StaticRed", false, 200000);
    Set("Mode", "StaticStep", true, 200000);
    Set("EcnFloor", "0B", true, 200000);
    Set("Mode", "Coupled", false, 200000);
    Set("EcnFloor", "1500B", true, 200000);
    Set("Mode", "Coupled", true, 150000);
    NS_TEST_EXPECT_MSG_EQ(told.size(), 7, "every accepted change is told");

    queueDisc->GetBufferQueue()->SetAttribute("Cap", StringValue("200000B"));
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), 50000, "200000 - 150000");

    queueDisc->SetAttribute("Offset", StringValue("150000B"));
    NS_TEST_EXPECT_MSG_EQ(told.size(), 7, "what stays is not told");

    // The next packets are treated by what is in force: 50000 / 1000.
    NS_TEST_EXPECT_MSG_EQ(Flood(queueDisc, Ipv4With(ECT0)).firstMarked, 50, "first marked");
}

void
ExpectIn(const std::string& text, const std::string& setting)
{
    const auto settings = text.substr(text.find("; ") + 1) + ',';
    NS_TEST_EXPECT_MSG_NE(settings.find(' ' + setting + ','), std::string::npos, text);
}

// Each attribute is traced when it changes, whatever the mode. Expected results: the trace tells a
// change once, with the name and the value of the attribute before and after it, and with all
// digits.
AIDC_TEST_CASE("each attribute is traced when it changes, in all modes (section 9)")
{
    // Two values of each, other than the default, as the trace has them
    const std::map<std::string, std::pair<std::string, std::string>> values{
        {"MarkingPoint", {"Dequeue", "Enqueue"}},
        {"Offset", {"100000B", "100001B"}},
        {"EcnFloor", {"50000B", "50001B"}},
        {"Rtt", {"12345600ns", "12345640ns"}},
        {"Mtu", {"9000", "9001"}},
        {"Threshold", {"100000B", "100001B"}},
        {"Kmin", {"100000B", "100001B"}},
        {"Kmax", {"1000000B", "1000001B"}},
        {"Pmax", {"0.1", "0.10000001"}},
        {"Share", {"0.25", "0.25000001"}},
        {"UseAverage", {"true", "false"}},
        {"AverageWeight", {"0.004", "0.0040000001"}},
        {"SafetyBias", {"1000B", "1001B"}},
        {"DropNotEct", {"true", "false"}},
        {"LinkRate", {"10000000000bps", "10000000001bps"}},
        {"BufferSize", {"", ""}}}; // of use before the start only
    for (const std::string mode : {"Coupled", "StaticStep", "StaticRed", "Proportional"})
    {
        auto queueDisc = MakeQueueDisc(MakeBuffer(12000000), {{"Mode", mode}});
        std::vector<std::pair<std::string, std::string>> told;
        queueDisc->TraceConnectWithoutContext("Reconfiguration",
                                              MakeBoundCallback(&NoteReconfiguration, &told));
        queueDisc->SetAttribute("LinkRate", StringValue("1Gbps")); // that Rtt may be set
        for (const auto& tid :
             {CoupledEcnQueueDisc::GetTypeId(), SharedBufferQueueDisc::GetTypeId()})
        {
            for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                const std::string name = tid.GetAttribute(i).name;
                if (name == "Mode" || name == "BufferQueue")
                {
                    continue;
                }
                NS_TEST_ASSERT_MSG_EQ(values.count(name), 1, "values for " << name);
                const auto& [first, second] = values.at(name);
                if (!first.empty())
                {
                    queueDisc->SetAttribute(name, StringValue(first));
                    told.clear();
                    queueDisc->SetAttribute(name, StringValue(second));
                    queueDisc->SetAttribute(name, StringValue(second));
                    NS_TEST_ASSERT_MSG_EQ(told.size(), 1, mode << ", " << name);
                    ExpectIn(told[0].first, name + ' ' + first);
                    ExpectIn(told[0].second, name + ' ' + second);
                }
            }
        }
    }
}

// A cap on a queue protects the others from it. Expected results, B = 1,000,000, alpha 8, packets
// of 1000. Without a cap a greedy queue takes n packets while 1000 n <= 8 (1000000 - 1000 (n - 1)),
// 9 n <= 8008: 889. Another queue then has what is free: min(8 * 111,000, 111,000). With a cap of
// 200,000 the greedy one takes 200, and the other may have 800,000.
AIDC_TEST_CASE("per-queue maximum caps insulate queues from buffer starvation (section 9)")
{
    const Attributes attributes{{"Offset", "50000B"}};
    for (const std::string cap : {"0B", "200000B"})
    {
        const bool isCapped = cap != "0B";
        auto buffer = MakeBuffer(1000000);
        auto greedy = MakeQueueDisc(buffer, attributes, {{"Alpha", "8"}, {"Cap", cap}});
        auto other = MakeQueueDisc(buffer, attributes, {{"Alpha", "8"}});
        NS_TEST_EXPECT_MSG_EQ(Flood(greedy, Ipv4With(NOT_ECT)).lastAdmitted,
                              (isCapped ? 200 : 889),
                              "greedy");
        NS_TEST_EXPECT_MSG_EQ(other->GetBufferQueue()->GetThreshold(),
                              (isCapped ? 800000 : 111000),
                              "Buf_Thrd of the other");
    }
}
