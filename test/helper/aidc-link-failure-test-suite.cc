// SPDX-License-Identifier: GPL-2.0-only

#include "failing-streams.h"
#include "test/test-case.h"

#include "ns3/ethernet-channel.h"
#include "ns3/ipv4.h"
#include "ns3/link-failure-error-model.h"

// Streams over links of FabricHelper that fail.
AIDC_TEST_SUITE("aidc-link-failure", UNIT);

// The link of the sending leaf fails, whose own choice avoids it. Failure at 500 us, detection 100
// us: packets that are sent at 505 us, 515 us ... 595 us into the link are lost, 10 of each stream
// that uses it (495 us is over it by 497.5 us; at 605 us the leaf knows). Repair at 1200 us, used
// from 1300 us on. Convergence would take 10 ms more and does not matter. Expected results: 10
// packets of each such stream are lost, on the link; from 600 us to 1300 us nothing is put into
// the queue of the port; afterwards the link is used again, but not by flow sets, which stay where
// they are as long as that is not congested (section 5.2.1 of
// draft-li-rtgwg-congestion-aware-flowset-switching-00, rule 3).
AIDC_TEST_CASE_OF(FailingStreamsTestCase,
                  SendingEndTestCase,
                  "only what is sent into a failed link before its failure is detected is "
                  "lost")
{
    Prepare(MicroSeconds(100), MilliSeconds(10));
    Watch(LEAF, UPLINK);
    Fail(GetUplink(LEAF), 500, 1200);
    RunFor(MilliSeconds(20));
    const uint32_t nStreams = CountStreams(0, 500);
    ExpectLosses(nStreams, 10);
    NS_TEST_EXPECT_MSG_EQ(m_network->GetLostPackets(), 10 * nStreams, "on the link");
    NS_TEST_EXPECT_MSG_EQ(m_counter->drops.size(), 0, "not in switches");
    NS_TEST_EXPECT_MSG_EQ(CountStreams(600, 1300), 0, "not used once that is known");
    const uint32_t nAgain = CountStreams(1300, 2000);
    const bool isFlowSet = m_scheme == "ns3::aidc::FlowSetEcmpRouting";
    NS_TEST_EXPECT_MSG_EQ((nAgain > 0), !isFlowSet, "used again");
    Finish();
}

// The link from a spine to the receiving leaf fails: the spine has no other way. Failure at 500 us,
// detection 100 us, convergence 200 us: leaf 0 learns of it at 800 us. Each stream that it sends
// over spine 0 loses the packets sent at 505 us ... 795 us, that is 30: the 10 until 595 us on the
// link, and the other 20 in the spine. After that leaf 0 avoids the spine for leaf 1, until the
// routes come back: repair at 1200 us, detected at 1300 us, routes at 1500 us. Expected results:
// these losses; nothing for spine 0 from 800 us to 1500 us; it is used afterwards.
AIDC_TEST_CASE_OF(FailingStreamsTestCase,
                  FarEndTestCase,
                  "after convergence other switches avoid a failed link")
{
    Prepare(MicroSeconds(100), MicroSeconds(200));
    Watch(LEAF, UPLINK);
    Fail(GetUplink(OTHER_LEAF), 500, 1200);
    RunFor(MilliSeconds(20));
    const uint32_t nStreams = CountStreams(0, 500);
    ExpectLosses(nStreams, 30);
    NS_TEST_EXPECT_MSG_EQ(m_network->GetLostPackets(), 10 * nStreams, "on the link");
    NS_TEST_EXPECT_MSG_EQ(m_counter->drops.size(), 20 * nStreams, "in the spine");
    for (const auto& drop : m_counter->drops)
    {
        NS_TEST_EXPECT_MSG_EQ(drop.node, SPINE, "in the spine");
    }
    NS_TEST_EXPECT_MSG_EQ(CountStreams(800, 1500), 0, "avoided");
    NS_TEST_EXPECT_MSG_EQ(CountStreams(1500, 2000), nStreams, "used again, by the same streams");
    Finish();
}

// Failures that do not last. Detection takes 100 us, convergence 100 us. Expected results: a
// failure from 500 us to 550 us costs each stream on the link the packets sent at 505 us ... 545
// us, 5, and goes unnoticed: the port is used all the time and the routes stay. With failures from
// 500 us to 550 us and from 560 us to 1200 us, the second one is noticed at 660 us: the packets of
// 505 us ... 545 us and of 565 us ... 655 us are lost, that is 5 + 10. (The packet of 555 us
// reaches the spine at 557.5 us.)
AIDC_TEST_CASE_OF(FailingStreamsTestCase,
                  FlappingTestCase,
                  "a failure shorter than the detection delay goes unnoticed")
{
    Prepare(MicroSeconds(100), MicroSeconds(100));
    Watch(LEAF, UPLINK);
    Fail(GetUplink(LEAF), 500, 550);
    RunFor(MilliSeconds(20));
    uint32_t nStreams = CountStreams(0, 500);
    ExpectLosses(nStreams, 5);
    for (uint32_t time = 500; time < 900; time += 10)
    {
        NS_TEST_EXPECT_MSG_EQ(CountStreams(time, time + 10), nStreams, "used at " << time);
    }
    Finish();

    Prepare(MicroSeconds(100), MicroSeconds(100));
    Watch(LEAF, UPLINK);
    Fail(GetUplink(LEAF), 500, 550);
    Fail(GetUplink(LEAF), 560, 1200);
    RunFor(MilliSeconds(20));
    nStreams = CountStreams(0, 500);
    ExpectLosses(nStreams, 15);
    NS_TEST_EXPECT_MSG_EQ(CountStreams(660, 1300), 0, "noticed");
    Finish();
}

// Failure of the receiver's link at 500 us, detection 100 us, repair at 1200 us and detection until
// 1300 us. Expected results: all streams lose the packets of 505 us ... 1295 us, 80: the 10 until
// 595 us on the link (495 us arrives by 500 us), the other 70 where the host's leaf drops them (the
// packet of 1295 us is at the leaf at 1298.5 us). Packets do not loop between leaves and spines:
// each that is sent is forwarded by 3 switches at most. With the sender's link, likewise: 10 on the
// link, and 70 are refused by the host itself.
AIDC_TEST_CASE_OF(FailingStreamsTestCase,
                  HostLinkTestCase,
                  "a host whose link fails is back after its repair")
{
    for (const NodeIndex host : {NodeIndex(2), NodeIndex(0)})
    {
        Prepare(MicroSeconds(100), MicroSeconds(200));
        Fail(m_network->GetFabric().GetPorts(host).front().link, 500, 1200);
        RunFor(MilliSeconds(20));
        const auto losses = CountLosses();
        NS_TEST_EXPECT_MSG_EQ(losses.size(), 1, "the same for all");
        NS_TEST_EXPECT_MSG_EQ(losses.begin()->first, 80, "packets of each");
        NS_TEST_EXPECT_MSG_EQ(m_network->GetLostPackets(), 10 * N_STREAMS, "on the link");
        NS_TEST_EXPECT_MSG_LT(m_counter->forwards, 3 * N_STREAMS * N_PACKETS, "no loop");
        for (const auto& drop : m_counter->drops)
        {
            NS_TEST_EXPECT_MSG_EQ(drop.node,
                                  (host == NodeIndex(2) ? OTHER_LEAF : NodeIndex(0)),
                                  "where it is known");
        }
        if (host == NodeIndex(2))
        {
            NS_TEST_EXPECT_MSG_EQ(m_counter->drops.size(), 70 * N_STREAMS, "in the leaf");
        }
        Finish();
    }
}

/// An Ethernet link fails by its channel, a point-to-point link by error models. Host 0 sends 40
/// packets of 8,000 bytes at once, at 500 us, as its link fails; the failure is noticed 10 us later
/// and lasts until 1500 us. At 100 Gbit/s a packet takes less than 1 us and more than 0.5 us, so
/// that more than 10 of them wait then. Expected results: while the failure lasts, the Ethernet
/// channel has failed, and from 510 us to 1510 us both of its ends are down; devices keep the error
/// model that they had, none. The ends of a point-to-point link get a LinkFailureErrorModel. No
/// packet is delivered, and all are counted as lost: those on the wire, and those that the port
/// discards when it notices.
class KindOfLinkTestCase : public FailingStreamsTestCase
{
  public:
    explicit KindOfLinkTestCase(FabricHelper::DeviceKind kind)
        : FailingStreamsTestCase("each kind of link fails in its way",
                                 "ns3::aidc::HashSelector",
                                 kind)
    {
    }

  private:
    void SendMany()
    {
        for (uint32_t i = 0; i < N_PACKETS_AT_ONCE; ++i)
        {
            m_sockets.front()->SendTo(
                Create<Packet>(8000),
                0,
                InetSocketAddress(m_network->GetAddress(NodeIndex(2)), SINK_PORT));
        }
    }

    /// Expect the state of the link.
    void Expect(bool isFailed, bool isUp)
    {
        for (const auto& device :
             {m_network->GetHostDevice(NodeIndex(0)), m_network->GetSwitchPort(NodeIndex(0))})
        {
            PointerValue errorModel;
            device->GetAttribute("ReceiveErrorModel", errorModel);
            const auto model = errorModel.Get<ErrorModel>();
            const auto channel = DynamicCast<EthernetChannel>(device->GetChannel());
            NS_TEST_EXPECT_MSG_EQ((channel != nullptr), (m_kind == FabricHelper::ETHERNET), "kind");
            if (channel)
            {
                NS_TEST_EXPECT_MSG_EQ(channel->IsFailed(), isFailed, "the channel");
                NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), isUp, "the end");
                NS_TEST_EXPECT_MSG_EQ(model, nullptr, "no error model");
            }
            else
            {
                AIDC_EXPECT(DynamicCast<LinkFailureErrorModel>(model) != nullptr, "an error model");
            }
            const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
            NS_TEST_EXPECT_MSG_EQ(ipv4->IsUp(ipv4->GetInterfaceForDevice(device)),
                                  isUp,
                                  "the interface");
        }
    }

    void DoRun() override
    {
        Prepare(MicroSeconds(10), MicroSeconds(10));
        Fail(m_network->GetFabric().GetPorts(NodeIndex(0)).front().link, 500, 1500);
        Simulator::Schedule(MicroSeconds(500), &KindOfLinkTestCase::SendMany, this);
        for (const auto& [time, isFailed, isUp] : {std::tuple(505, true, true),
                                                   std::tuple(515, true, false),
                                                   std::tuple(1495, true, false),
                                                   std::tuple(1505, false, false),
                                                   std::tuple(1515, false, true)})
        {
            Simulator::Schedule(MicroSeconds(time),
                                &KindOfLinkTestCase::Expect,
                                this,
                                isFailed,
                                isUp);
        }
        RunFor(MilliSeconds(20));
        // Of the streams, the packet of 505 us; the host itself refuses the later ones.
        NS_TEST_EXPECT_MSG_EQ(m_network->GetLostPackets(),
                              N_PACKETS_AT_ONCE + N_STREAMS,
                              "all of them");
        const auto losses = CountLosses();
        NS_TEST_EXPECT_MSG_EQ(losses.size(), 1, "the same for all");
        NS_TEST_EXPECT_MSG_EQ(losses.begin()->first, 101, "505 us to 1505 us");
        Finish();
    }

    /// The packets sent when the link fails.
    static constexpr uint32_t N_PACKETS_AT_ONCE = 40;
};

AIDC_ADD_TEST_CASES()
{
    for (const std::string scheme : {"ns3::aidc::HashSelector",
                                     "ns3::aidc::WeightedSelector",
                                     "ns3::aidc::FlowSetEcmpRouting"})
    {
        for (const auto kind : {FabricHelper::ETHERNET, FabricHelper::POINT_TO_POINT})
        {
            AddTestCase(new SendingEndTestCase(scheme, kind));
            AddTestCase(new FarEndTestCase(scheme, kind));
            AddTestCase(new FlappingTestCase(scheme, kind));
            AddTestCase(new HostLinkTestCase(scheme, kind));
        }
    }
    AddTestCase(new KindOfLinkTestCase(FabricHelper::ETHERNET));
    AddTestCase(new KindOfLinkTestCase(FabricHelper::POINT_TO_POINT));
}
