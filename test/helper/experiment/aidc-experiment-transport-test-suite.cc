// SPDX-License-Identifier: GPL-2.0-only

#include "experiments.h"
#include "test/helper/test-switches.h"
#include "test/test-case.h"

#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/priority-flow-control.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer.h"

AIDC_TEST_SUITE("aidc-experiment-transport", UNIT);

/// Options of a command line.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Run an experiment that is not to run.
std::string
GetError(std::unique_ptr<ExperimentBase> (*make)(), const Settings& settings)
{
    return MessageOf([&] {
        const auto experiment = make();
        for (const auto& [name, text] : settings)
        {
            experiment->Set(name, text);
        }
        experiment->Run();
    });
}

// Options that are wrong, or do not go together.
AIDC_TEST_CASE("Options of the transport that are wrong end with what was expected")
{
    NS_TEST_EXPECT_MSG_EQ(
        GetError(MakeCoupledEcnExperiment, {{"transport", "tcp"}}),
        "expected --transport to be dctcp, dcqcn, swift, hpcc, timely or none, found \"tcp\"",
        "transport");
    NS_TEST_EXPECT_MSG_EQ(
        GetError(MakeFlowSetEcmpExperiment, {{"transport", "dcqcn"}, {"recovery", "sack"}}),
        "expected --recovery to be go-back-n or selective-repeat, found \"sack\"",
        "recovery");
    NS_TEST_EXPECT_MSG_EQ(GetError(MakeCoupledEcnExperiment, {{"lossless", "yes"}}),
                          "expected --lossless to be on, off or auto, found \"yes\"",
                          "lossless");
    NS_TEST_EXPECT_MSG_EQ(
        GetError(MakeCoupledEcnExperiment, {{"lossless", "on"}}),
        "expected --transport=dcqcn, swift, hpcc, timely or none with --lossless=on",
        "TCP is lossy");
    NS_TEST_EXPECT_MSG_EQ(
        GetError(MakeCoupledEcnExperiment, {{"transport", "swift"}, {"devices", "point-to-point"}}),
        "expected --devices=ethernet with --transport=swift",
        "RoCEv2 needs Ethernet");
    NS_TEST_EXPECT_MSG_EQ(GetError(MakeCoupledEcnExperiment,
                                   {{"transport", "dcqcn"}, {"scenarios", "incast-capped"}}),
                          "expected --lossless=off with --scenarios=incast-capped or unresponsive",
                          "a cap drops");
    const std::string senders =
        "expected --scenarios of senders-mix and senders-incast with "
        "--transport=dcqcn, swift, hpcc, timely or none, and of the others without";
    NS_TEST_EXPECT_MSG_EQ(
        GetError(MakeCsigFabricExperiment, {{"transport", "swift"}, {"scenarios", "accuracy"}}),
        senders,
        "accuracy is of TCP");
    NS_TEST_EXPECT_MSG_EQ(GetError(MakeCsigFabricExperiment, {{"scenarios", "senders-mix"}}),
                          senders,
                          "senders are of RoCEv2");
}

/// Two hosts at 100 Gb/s behind a switch, the second one's link slower if need be.
class TransportTestCase : public TestCase
{
  protected:
    explicit TransportTestCase(const std::string& name)
        : TestCase(name)
    {
    }

    /// Build the network, send one flow, and run.
    void Send(ExperimentTransport& transport, uint64_t bytes, Time limit)
    {
        FabricPlan fabric("pair");
        const auto leaf = fabric.AddNode(FabricTier::LEAF, 0, 0);
        m_hosts = {fabric.AddNode(FabricTier::HOST, 0, 0), fabric.AddNode(FabricTier::HOST, 0, 1)};
        fabric.AddLink(leaf, m_hosts[0], 100'000'000'000, 1000);
        fabric.AddLink(leaf, m_hosts[1], m_rate, 1000);
        fabric.Finish();
        transport.Configure(m_network);
        m_network.Build(fabric);
        transport.InstallSwitches(m_switches.Make("static"), m_network);
        m_network.AssignAddresses();
        transport.InstallHosts(m_network);
        FlowSpec flow;
        flow.source = m_hosts[0];
        flow.destination = m_hosts[1];
        flow.bytes = bytes;
        transport.InstallFlows(m_network, {flow}, "flows", limit);
        Prepare();
        RunFor(limit);
    }

    /// What is to be done before the simulation runs.
    virtual void Prepare()
    {
    }

    /// Returns its value, NaN if there is none.
    double GetMetric(const ExperimentTransport& transport, const std::string& name) const
    {
        for (const auto& metric : transport.GetMetrics(m_network))
        {
            if (metric.name == name)
            {
                return metric.value;
            }
        }
        return std::numeric_limits<double>::quiet_NaN();
    }

    uint64_t m_rate{100'000'000'000};   //!< of the second host's link
    ExperimentSwitchOptions m_switches; //!< the switch
    FabricHelper m_network;             //!< the network
    std::vector<NodeIndex> m_hosts;     //!< the hosts
};

/// Pauses, and the ECN threshold at XOFF. One account fills a buffer of B, so XOFF = alpha * free
/// is reached at B / 2 for an alpha of 1.
class PausesTestCase : public TransportTestCase
{
  public:
    PausesTestCase(uint32_t marking, bool isMarked)
        : TransportTestCase("Pauses, and an ECN threshold of " + std::to_string(marking) +
                            " bytes against XOFF"),
          m_marking(marking),
          m_isMarked(isMarked)
    {
    }

  private:
    /// The switch's memory, headroom apart
    static constexpr uint32_t BUFFER = 400000;

    void Prepare() override
    {
        const auto leaf = m_network.GetSwitches().Get(0);
        const auto buffer = leaf->GetObject<SharedBuffer>();
        for (uint32_t i = 0; i < leaf->GetNDevices(); ++i)
        {
            if (!leaf->GetDevice(i)->GetObject<PriorityFlowControl>())
            {
                continue;
            }
            const auto ingress = buffer->GetIngress(i, ExperimentTransport::DATA_CLASS);
            NS_TEST_EXPECT_MSG_EQ(ingress->GetXoffThreshold(),
                                  BUFFER,
                                  "the headroom is not taken from the buffer");
            ConnectTrace(ingress, "Xoff", [this](bool xoff) { m_nXoff += xoff ? 1 : 0; });
        }
    }

    void DoRun() override
    {
        m_rate = 10'000'000'000;
        m_switches.buffer = BUFFER;
        m_switches.marking = m_marking;
        ExperimentTransportOptions options;
        options.transport = "dcqcn";
        ExperimentTransport transport(options);
        Send(transport, 2000000, MilliSeconds(100));
        AIDC_ASSERT(transport.GetFlows().IsDone(), "the flow is done");
        NS_TEST_EXPECT_MSG_EQ(transport.GetFlows().GetDeliveredBytes(), 2000000, "all has arrived");
        // Between two XOFFs at least half of XonOffset leaves, 9 kB: the threshold rises meanwhile.
        NS_TEST_ASSERT_MSG_GT_OR_EQ(m_nXoff, 1, "the sender is ten times as fast");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(m_nXoff, 1 + 2000000 / 9000, "but is stopped for a while");
        NS_TEST_EXPECT_MSG_EQ(GetMetric(transport, "xoffs"), m_nXoff, "XOFFs");
        NS_TEST_EXPECT_MSG_EQ(GetMetric(transport, "unmarked_xoffs"),
                              (m_isMarked ? 0 : m_nXoff),
                              "XOFFs below the ECN threshold");
        const double packets = 3 * 4140.0; // the one that reaches XOFF, and rounding
        NS_TEST_EXPECT_MSG_EQ_TOL(m_marking / GetMetric(transport, "ecn_over_xoff"),
                                  BUFFER / 2.0,
                                  packets,
                                  "XOFF is half of the buffer");
        uint64_t pauses = 0;
        Time paused;
        for (const auto& nodes : {m_network.GetSwitches(), m_network.GetHosts()})
        {
            for (auto node = nodes.Begin(); node != nodes.End(); ++node)
            {
                for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
                {
                    if (const auto c = (*node)->GetDevice(i)->GetObject<PriorityFlowControl>())
                    {
                        const auto& counted =
                            c->GetStatistics().priorities[ExperimentTransport::DATA_CLASS];
                        pauses += counted.pauses;
                        paused += counted.paused;
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(GetMetric(transport, "pauses"), pauses, "as the ports count them");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetMetric(transport, "paused_time"),
                                  paused.GetSeconds(),
                                  1e-12,
                                  "as the ports count it");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetMetric(transport, "paused_share"),
                                  paused.GetSeconds() / 4 / Simulator::Now().GetSeconds(),
                                  1e-9,
                                  "of two ports of hosts and two of the switch");
        NS_TEST_EXPECT_MSG_EQ(GetMetric(transport, "retransmitted_packets"), 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(GetMetric(transport, "failed_queue_pairs"), 0, "nor given up");
        NS_TEST_EXPECT_MSG_EQ((GetMetric(transport, "cnps") > 0), m_isMarked, "marks are answered");
        Simulator::Destroy();
    }

    uint32_t m_marking;  //!< the ECN threshold
    bool m_isMarked;     //!< whether it is reached before XOFF
    uint32_t m_nXoff{0}; //!< XOFFs
};

/// A flow over a link of a quarter of its sender's rate, by each transport of RoCEv2.
class SlowLinkTestCase : public TransportTestCase
{
  public:
    SlowLinkTestCase(const std::string& transport, const std::string& control)
        : TransportTestCase("A slow link, by " + transport),
          m_transport(transport),
          m_control(control)
    {
    }

  private:
    void DoRun() override
    {
        m_rate = 25'000'000'000;
        m_switches.buffer = 400000;
        ExperimentTransportOptions options;
        options.transport = m_transport;
        ExperimentTransport transport(options);
        constexpr uint64_t BYTES = 2000000;
        Send(transport, BYTES, MilliSeconds(100));
        transport.GetFlows().Gather();
        const auto record = transport.GetFlows().GetRecords().at(0);
        AIDC_ASSERT(record.isDone, "the flow is done");
        // Packets of 4096 bytes, 44 bytes of headers, and what Ethernet adds, at the slow link
        const double bytes = BYTES * (1 + (44.0 + m_network.GetFrameOverhead().bytes) / 4096);
        const double least = 8 * bytes / static_cast<double>(m_rate);
        NS_TEST_EXPECT_MSG_GT(record.fct.GetSeconds(), least, "no faster than the link");
        const auto nic = RoceHelper::GetNic(m_network.GetNode(m_hosts[0]));
        NS_TEST_EXPECT_MSG_EQ(GetText(nic, "CongestionControl").find(m_control),
                              0,
                              GetText(nic, "CongestionControl"));
        if (m_transport == "none")
        {
            // The sender is paused, and keeps the slow link busy: 2 us there, and a packet that is
            // stored
            NS_TEST_EXPECT_MSG_LT(record.fct.GetSeconds(), least + 3e-6, "as fast as the link");
            NS_TEST_EXPECT_MSG_GT(GetMetric(transport, "pauses"), 0, "by flow control alone");
        }
        NS_TEST_EXPECT_MSG_EQ(std::isnan(GetMetric(transport, "pauses")),
                              (m_transport == "swift"),
                              "all but Swift are lossless");
        NS_TEST_EXPECT_MSG_EQ(GetMetric(transport, "failed_queue_pairs"), 0, "none fails");
        Simulator::Destroy();
    }

    std::string m_transport; //!< the transport
    std::string m_control;   //!< the congestion control
};

// A flow without end.
AIDC_TEST_CASE_F(TransportTestCase, "A flow of 0 bytes sends over RoCEv2 until the limit")
{
    ExperimentTransportOptions options;
    options.transport = "swift";
    options.recovery = "selective-repeat";
    ExperimentTransport transport(options);
    const Time limit = MilliSeconds(1);
    Send(transport, 0, limit);
    AIDC_EXPECT(!transport.GetFlows().IsDone(), "it has no end");
    // Packets of 4096 bytes, 44 bytes of headers, and what Ethernet adds; acknowledgments go
    // the other way, and two links delay by 1 us each.
    const double packet = 4096 + 44 + m_network.GetFrameOverhead().bytes;
    const double bytes = 12.5e9 * (limit.GetSeconds() - 2e-6) * 4096 / packet;
    const auto delivered = static_cast<double>(transport.GetFlows().GetDeliveredBytes());
    NS_TEST_EXPECT_MSG_LT(delivered, bytes, "not more than the line sends");
    NS_TEST_EXPECT_MSG_GT(delivered, bytes - 2 * 262144, "but for a message that is under way");
    AIDC_EXPECT(std::isnan(GetMetric(transport, "pauses")), "swift is lossy");
    const auto nic = RoceHelper::GetNic(m_network.GetNode(m_hosts[0]));
    NS_TEST_EXPECT_MSG_EQ(GetText(nic, "Recovery"), "SelectiveRepeat", "recovery");
}

AIDC_ADD_TEST_CASES()
{
    AddTestCase(new PausesTestCase(1000000, false));
    AddTestCase(new PausesTestCase(100000, true));
    for (const auto& [transport, control] : {std::pair{"dcqcn", "DcqcnControl"},
                                             {"swift", "SwiftControl"},
                                             {"hpcc", "HpccControl"},
                                             {"timely", "TimelyControl"},
                                             {"none", "CongestionControl"}})
    {
        AddTestCase(new SlowLinkTestCase(transport, std::string("ns3::aidc::") + control));
    }
}
