// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/transport/int-header.h"
#include "roce-network.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"
#include "ns3/int-port.h"
#include "ns3/roce-helper.h"
#include "ns3/window-controls.h"

// In-band telemetry of switches.
AIDC_TEST_SUITE("aidc-int-port", UNIT);

constexpr uint64_t RATE = 100000000000; //!< of links, bit/s
constexpr uint8_t RATE_CODE = 2;        //!< its code
constexpr const char* HPCC = "ns3::aidc::HpccControl";

/// The least MTU for packets with telemetry and 4096 bytes: 20 + 8 + 12 + 42 + 20 + 4096 + 4.
constexpr uint16_t MTU = 4202;

/// Notes the telemetry of the packets that an adapter receives.
class TelemetryLog
{
  public:
    /// Note the packets of an adapter.
    explicit TelemetryLog(const Ptr<RoceNic>& nic)
    {
        ConnectTrace(nic, "Rx", [this](uint32_t, const RocePacket& packet) {
            packets.push_back(packet);
        });
    }

    /// Get the telemetry of a packet.
    IntHeader Get(std::size_t i) const
    {
        return DecodeIntHeader(packets.at(i).telemetry);
    }

    std::vector<RocePacket> packets; //!< the packets
};

// What a switch writes of three packets that arrive at once. Expected results: a WRITE of 4096
// bytes takes 14 + 20 + 8 + 12 + 42 + 16 + 4096 + 4 + 4 + 20 = 4236 bytes on the wire, 338.88 ns,
// and 4198 bytes in a queue. All three arrive at 1338.88 ns, for a simulator of whole ns at 1338
// ns. The first one leaves at once, before the others are there; behind the second one there is the
// third one, 52 times 80 bytes. Before them, 0, 4236 and 8472 bytes were sent: 0, 33 and 66 times
// 128.
AIDC_DATAPATH_TEST_CASES("a switch writes rate, time, bytes and queue")
{
    RoceNetwork network(MakeStar(4, RATE, 1000), MTU);
    network.network.SetDatapath(mode);
    network.roce.SetCongestionControl(HPCC);
    network.roce.SetAttribute("VerifyInvariantCrc", BooleanValue(true));
    network.path = RocePath(NanoSeconds(5000));
    network.Start();
    IntHelper::Install(network.network.GetSwitches());
    TelemetryLog data(network.GetNic(3));
    TelemetryLog answers(network.GetNic(0));
    for (uint32_t i = 0; i < 3; ++i)
    {
        network.Write(i, 3, 4096);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(data.packets.size(), 3, "all have arrived");
    const uint32_t bytes[] = {0, 33, 66};
    const uint32_t queues[] = {0, 52, 0};
    const uint32_t switchId = network.network.GetSwitches().Get(0)->GetId();
    for (std::size_t i = 0; i < 3; ++i)
    {
        const IntHeader telemetry = data.Get(i);
        NS_TEST_EXPECT_MSG_EQ(+telemetry.nHops, 1, i);
        NS_TEST_EXPECT_MSG_EQ(telemetry.pathId, switchId, i);
        const IntHop& hop = telemetry.hops[0];
        NS_TEST_EXPECT_MSG_EQ(+hop.rateCode, +RATE_CODE, i);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(hop.time),
                                  1338 + 338.88 * static_cast<double>(i),
                                  1,
                                  i);
        NS_TEST_EXPECT_MSG_EQ(hop.bytes, bytes[i], i);
        NS_TEST_EXPECT_MSG_EQ(hop.queue, queues[i], i);
    }
    // The acknowledgment brings back what its packet has collected, and collects nothing.
    NS_TEST_ASSERT_MSG_EQ(answers.packets.size(), 1, "one acknowledgment");
    const auto& answer = answers.packets[0];
    AIDC_EXPECT(answer.opcode == RoceOpcode::ACKNOWLEDGE, "an acknowledgment");
    AIDC_EXPECT(answer.hasTelemetry, "it returns the telemetry");
    std::size_t own = 0;
    while (own < 3 && data.packets[own].telemetry != answer.telemetry)
    {
        ++own;
    }
    NS_TEST_EXPECT_MSG_LT(own, 3, "that of one of the packets");
    for (uint32_t i = 0; i < 4; ++i)
    {
        const auto& counted = network.GetNic(i)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(counted.GetDropped(), 0, "host " << i);
        NS_TEST_EXPECT_MSG_EQ(counted.incompleteTelemetry, 0, "host " << i);
        NS_TEST_EXPECT_MSG_EQ(counted.overfullTelemetry, 0, "host " << i);
    }
    const auto& counted = network.GetSwitchPort(3)->GetObject<IntPort>()->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(counted.written, 3, "hops are written");
    NS_TEST_EXPECT_MSG_EQ(counted.overfull, 0, "none was full");
    const auto& others = network.GetSwitchPort(0)->GetObject<IntPort>()->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(others.written, 0, "acknowledgments");
}

/// What two hosts have sent.
struct Sent
{
    uint64_t data{0};     //!< octets of the sender
    uint64_t answers{0};  //!< octets of the receiver
    uint64_t nData{0};    //!< packets of data
    uint64_t nAnswers{0}; //!< acknowledgments
    uint64_t written{0};  //!< what the switch has written
};

/// Write 40960 bytes.
Sent
Measure(const std::string& control)
{
    RoceNetwork network(MakeStar(2, RATE, 1000), MTU);
    network.roce.SetCongestionControl(control);
    network.path = RocePath(NanoSeconds(5000));
    network.Start();
    IntHelper::Install(network.network.GetSwitches());
    network.Write(0, 1, 40960);
    Simulator::Run();
    return {network.GetHostPort(0)->GetStatistics().outOctets,
            network.GetHostPort(1)->GetStatistics().outOctets,
            network.GetNic(0)->GetStatistics().sentPackets,
            network.GetNic(1)->GetStatistics().sentAcks,
            network.GetSwitchPort(1)->GetObject<IntPort>()->GetStatistics().written};
}

// Telemetry takes 42 bytes of each packet of data and of each acknowledgment, and packets without
// it are left alone.
AIDC_TEST_CASE("telemetry takes 42 bytes a packet, of those that have it")
{
    const Sent plain = Measure("ns3::aidc::FixedWindowControl");
    const Sent hpcc = Measure(HPCC);
    NS_TEST_EXPECT_MSG_EQ(plain.nData, 10, "packets");
    NS_TEST_EXPECT_MSG_EQ(hpcc.nData, 10, "packets");
    NS_TEST_EXPECT_MSG_EQ(hpcc.nAnswers, 10, "with a window, each is acknowledged");
    NS_TEST_EXPECT_MSG_EQ(plain.nAnswers, 10, "with a window, each is acknowledged");
    NS_TEST_EXPECT_MSG_EQ(hpcc.data, plain.data + 420, "data");
    // A frame has at least 64 bytes: an acknowledgment has 14 + 20 + 8 + 12 + 4 + 4 + 4 = 66.
    NS_TEST_EXPECT_MSG_EQ(hpcc.answers, plain.answers + 420, "acknowledgments");
    NS_TEST_EXPECT_MSG_EQ(plain.written, 0, "nothing to write into");
    NS_TEST_EXPECT_MSG_EQ(hpcc.written, 10, "hops are written");
}

/// What came of a path.
struct PathsResult
{
    uint64_t incomplete{0}; //!< packets
    uint64_t overfull{0};   //!< packets
    uint64_t used{0};       //!< acknowledgments that HPCC has used
    uint64_t tooMany{0};    //!< acknowledgments that it has not used
    uint64_t noHop{0};      //!< likewise
    uint32_t pathId{0};     //!< of the last packet
    uint32_t nHops{0};      //!< of the last packet
    std::string warnings;   //!< what the user was told
};

/// Write 40960 bytes over some switches.
PathsResult
RunPaths(uint32_t nSwitches, uint32_t nWriting)
{
    CapturedStream errors(std::cerr);
    RoceNetwork network(MakeLine(nSwitches, 1, RATE, RATE), MTU);
    network.roce.SetCongestionControl(HPCC);
    network.path = RocePath(NanoSeconds(20000));
    network.Start();
    for (uint32_t i = 0; i < nWriting; ++i)
    {
        IntHelper::Install(NodeContainer(network.network.GetSwitches().Get(i)));
    }
    TelemetryLog data(network.GetNic(1));
    network.Write(0, 1, 40960);
    Simulator::Run();
    const auto qp = network.GetQp(0, 1);
    const auto control = DynamicCast<HpccControl>(network.GetNic(0)->GetQueuePair(qp).GetControl());
    const auto& counted = network.GetNic(1)->GetStatistics();
    const IntHeader last = data.Get(data.packets.size() - 1);
    using Outcome = HpccWindow::Outcome;
    return {counted.incompleteTelemetry,
            counted.overfullTelemetry,
            control->GetCount(Outcome::USED),
            control->GetCount(Outcome::TOO_MANY_HOPS),
            control->GetCount(Outcome::NO_HOP),
            last.pathId,
            last.nHops,
            errors.GetText()};
}

// Paths of more than five switches, and switches that write nothing, are counted and told.
AIDC_TEST_CASE("paths that are too long, or not written as a whole, are counted and told")
{
    const PathsResult whole = RunPaths(5, 5);
    NS_TEST_EXPECT_MSG_EQ(whole.incomplete, 0, "five switches");
    NS_TEST_EXPECT_MSG_EQ(whole.overfull, 0, "five switches");
    NS_TEST_EXPECT_MSG_EQ(whole.used, 9, "all but the first acknowledgment");
    NS_TEST_EXPECT_MSG_EQ(whole.nHops, 5, "each one");
    NS_TEST_EXPECT_MSG_EQ(whole.pathId, (0 ^ 1 ^ 2 ^ 3 ^ 4), "nodes 0 to 4");
    NS_TEST_EXPECT_MSG_EQ(whole.warnings, "", "nothing to tell");

    const PathsResult tooLong = RunPaths(6, 6);
    NS_TEST_EXPECT_MSG_EQ(tooLong.overfull, 10, "six switches");
    NS_TEST_EXPECT_MSG_EQ(tooLong.incomplete, 0, "six switches");
    NS_TEST_EXPECT_MSG_EQ(tooLong.used, 0, "six switches");
    NS_TEST_EXPECT_MSG_EQ(tooLong.tooMany, 10, "six switches");
    NS_TEST_EXPECT_MSG_EQ(tooLong.nHops, 6, "six switches");
    NS_TEST_EXPECT_MSG_NE(tooLong.warnings.find("has room for 5"), std::string::npos, "told");

    const PathsResult partly = RunPaths(3, 2);
    NS_TEST_EXPECT_MSG_EQ(partly.incomplete, 10, "two of three switches");
    NS_TEST_EXPECT_MSG_EQ(partly.used, 9, "what there is, is used");
    NS_TEST_EXPECT_MSG_NE(partly.warnings.find("2 of the 3 routers"), std::string::npos, "told");

    const PathsResult none = RunPaths(1, 0);
    NS_TEST_EXPECT_MSG_EQ(none.incomplete, 10, "no switch");
    NS_TEST_EXPECT_MSG_EQ(none.noHop, 10, "no switch");
    NS_TEST_EXPECT_MSG_NE(none.warnings.find("0 of the 1 routers"), std::string::npos, "told");
}

// What cannot be set up is refused.
AIDC_TEST_CASE("rates without a code, ports with CSIG and a small MTU are refused")
{
    ExpectRefusal("25, 50, 100, 200, 400 or 800 Gbit/s, found 40000000000", [] {
        RoceNetwork network(2, 40000000000);
        network.Start();
        IntHelper::Install(network.network.GetSwitches());
    });
    ExpectRefusal("has a tag processor already", [] {
        RoceNetwork network(2, RATE);
        network.Start();
        CsigHelper().Install(network.network);
        IntHelper::Install(network.network.GetSwitches());
    });
    ExpectRefusal("needs 4202 with in-band telemetry", [] {
        RoceNetwork network(MakeStar(2, RATE, 1000), MTU - 1);
        network.roce.SetCongestionControl(HPCC);
        network.Start();
        network.Connect(0, 1);
    });
    const auto plain = RunInChild([] {
        RoceNetwork network(MakeStar(2, RATE, 1000), MTU - 42);
        network.Start();
        network.Connect(0, 1);
    });
    AIDC_EXPECT(!plain.died, "without telemetry it fits: " << plain.errors);
}
