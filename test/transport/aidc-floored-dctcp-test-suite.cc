// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/floored-dctcp.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-state.h"

// DCTCP whose window has a lower bound.
AIDC_TEST_SUITE("aidc-floored-dctcp", UNIT);

/// A window, what a mark makes of it, and why.
struct Row
{
    double alpha;       //!< the estimate of congestion
    uint32_t minWindow; //!< in segments, 0 for ns-3's DCTCP
    uint32_t before;    //!< window in bytes
    uint32_t after;     //!< window in bytes
    const char* text;   //!< about what
};

// The window after a mark. Expected results: cwnd * (1 - alpha / 2) (RFC 8257, section 3.3), but at
// least MinWindow segments of 1000 bytes.
AIDC_TEST_CASE("RFC 8257, section 3.3: marks reduce the window, to MinWindow segments at least")
{
    const std::vector<Row> rows{
        {1, 0, 3000, 1500, "half of 3000, without a bound"},
        {1, 0, 1500, 750, "less than a segment, without a bound"},
        {1, 2, 10000, 5000, "half of 10000"},
        {1, 2, 4000, 2000, "half of 4000 is the bound"},
        {1, 2, 3000, 2000, "half of 3000 is below the bound"},
        {1, 2, 2000, 2000, "at the bound"},
        {1, 1, 3000, 1500, "half of 3000 is above a bound of one segment"},
        {1, 1, 1500, 1000, "half of 1500 is below a bound of one segment"},
        {0.5, 2, 8000, 6000, "three quarters of 8000"},
        {0.5, 2, 2400, 2000, "three quarters of 2400 are below the bound"},
    };
    for (const auto& row : rows)
    {
        auto state = CreateObject<TcpSocketState>();
        state->m_segmentSize = 1000;
        state->m_cWnd = row.before;
        Ptr<TcpCongestionOps> dctcp;
        if (row.minWindow == 0)
        {
            dctcp = CreateObject<TcpDctcp>();
        }
        else
        {
            dctcp = CreateObject<FlooredDctcp>();
            dctcp->SetAttribute("MinWindow", UintegerValue(row.minWindow));
        }
        dctcp->SetAttribute("DctcpAlphaOnInit", DoubleValue(row.alpha));
        NS_TEST_EXPECT_MSG_EQ(dctcp->GetSsThresh(state, row.before), row.after, row.text);
        const auto copy = dctcp->Fork();
        NS_TEST_EXPECT_MSG_EQ(copy->GetInstanceTypeId(),
                              dctcp->GetInstanceTypeId(),
                              "the type of a copy");
        NS_TEST_EXPECT_MSG_EQ(copy->GetSsThresh(state, row.before),
                              row.after,
                              "a copy: " << row.text);
    }
}

/// Eight hosts send 1 MB each to one, through a port that marks whatever waits. Expected results: 8
/// MB take 0.65 ms at 100 Gb/s, and nothing is dropped. With a bound no sender waits for its timer,
/// which is at least 5 ms; without one some do.
class FlooredDctcpStallTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Run the flows. minWindow: the bound in segments, 0 for none.
    Time Run(uint32_t minWindow)
    {
        DctcpSettings dctcp;
        dctcp.minWindow = minWindow;
        ConfigureDctcp(dctcp);
        FabricHelper network;
        network.Build(MakeLeafSpine({1, 1, 9}));
        SharedBufferSwitchHelper switches;
        switches.SetNClasses(1);
        constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
        switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
        switches.SetQueueDiscAttribute(ALL, "Threshold", StringValue("1B"));
        switches.Install(network.GetSwitches());
        network.AssignAddresses();
        TypeIdValue type;
        network.GetNode(NodeIndex(0))->GetObject<TcpL4Protocol>()->GetAttribute("SocketType", type);
        NS_TEST_EXPECT_MSG_EQ(type.Get().GetName(),
                              (minWindow > 0 ? "ns3::aidc::FlooredDctcp" : "ns3::TcpDctcp"),
                              "congestion control");
        std::vector<FlowSpec> flows(8);
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            flows[i].source = NodeIndex(i + 1);
            flows[i].destination = NodeIndex(0);
            flows[i].bytes = 1000000;
        }
        TcpFlowHelper tcp;
        tcp.StopWhenDone();
        tcp.Install(network, flows);
        RunFor(Seconds(1));
        AIDC_EXPECT(tcp.IsDone(), "all flows");
        NS_TEST_EXPECT_MSG_EQ(network.GetPacketCounts().dropped, 0, "nothing is lost");
        const Time end = Simulator::Now();
        Simulator::Destroy();
        return end;
    }
};

AIDC_TEST_CASE_F(FlooredDctcpStallTestCase, "senders do not wait for a timer because of marks")
{
    NS_TEST_EXPECT_MSG_LT(Run(2), MilliSeconds(5), "with a bound of two segments");
    NS_TEST_EXPECT_MSG_GT(Run(0), MilliSeconds(5), "without a bound");
}

// ConfigureDctcp() recovers from losses as the kind of acknowledgments needs it.
AIDC_TEST_CASE("RFC 6582's recovery without selective acknowledgments, PRR with them")
{
    for (const bool useSack : {false, true})
    {
        DctcpSettings settings;
        settings.useSack = useSack;
        ConfigureDctcp(settings);
        TypeIdValue type;
        CreateObject<TcpL4Protocol>()->GetAttribute("RecoveryType", type);
        NS_TEST_EXPECT_MSG_EQ(type.Get().GetName(),
                              (useSack ? "ns3::TcpPrrRecovery" : "ns3::TcpClassicRecovery"),
                              "recovery");
    }
}
