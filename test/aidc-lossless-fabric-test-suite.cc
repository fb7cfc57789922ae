/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/clos-fabric.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ingress-buffer.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/priority-flow-control.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/switch-datapath.h"
#include "ns3/test.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint64_t RATE = 100000000000; // bit/s
constexpr uint16_t PORT = 9;
constexpr uint32_t PRIORITY = 3;

/**
 * @ingroup aidc-test
 * @brief A network with a lossless priority, and UDP packets through it.
 */
class LosslessNetwork
{
  public:
    /**
     * @brief Build the network.
     * @param fabric the plan
     * @param datapath how packets get through switches
     * @param bufferSize the memory of a switch, bytes
     */
    void Build(const Fabric& fabric, SwitchDatapath::Mode datapath, uint32_t bufferSize)
    {
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.SetDatapath(datapath);
        network.SetMtu(mtu);
        network.Build(fabric);
        SharedBufferSwitchHelper switches;
        switches.SetBufferAttribute("Size",
                                    QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bufferSize)));
        switches.SetQueueDisc(SharedBufferSwitchHelper::ALL_CLASSES, "ns3::FifoQueueDisc");
        switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                       "MaxSize",
                                       StringValue("1000MB"));
        switches.Install(network.GetSwitches());
        pfc.InstallSwitches(network.GetSwitches());
        pfc.InstallHosts(network.GetHosts());
        network.AssignAddresses();
        network.AssignStreams(1);
        for (const uint32_t host : fabric.GetHosts())
        {
            auto sink = MakeSocket(host, PORT, PRIORITY);
            sink->SetRecvCallback(MakeCallback(&LosslessNetwork::NotifyReceived, this));
        }
    }

    ~LosslessNetwork()
    {
        Simulator::Destroy();
    }

    /**
     * @brief Send packets at once, when the simulation begins.
     * @param from the host that sends
     * @param to the host that receives
     * @param n how many, of the size of the MTU
     * @param priority their priority
     */
    void Send(uint32_t from, uint32_t to, uint32_t n, uint32_t priority = PRIORITY)
    {
        const auto socket = MakeSocket(from, 0, priority);
        socket->Connect(InetSocketAddress(network.GetAddress(to), PORT));
        Simulator::Schedule(Seconds(0), [this, socket, n] {
            for (uint32_t i = 0; i < n; ++i)
            {
                sent += socket->Send(Create<Packet>(mtu - HEADERS)) > 0;
            }
        });
    }

    /**
     * @brief Get the memory of a switch.
     * @param node its id
     * @return the memory
     */
    Ptr<SharedBuffer> GetBuffer(uint32_t node) const
    {
        return network.GetNode(node)->GetObject<SharedBuffer>();
    }

    /**
     * @brief Get the flow control of a port.
     * @param node the id of its node
     * @param port the port
     * @return the flow control
     */
    Ptr<PriorityFlowControl> GetControl(uint32_t node, uint32_t port) const
    {
        return network.GetPort(node, port)->GetObject<PriorityFlowControl>();
    }

    uint16_t mtu{1500};            ///< the MTU of all links
    FabricHelper network;          ///< the network
    PriorityFlowControlHelper pfc; ///< makes the priority lossless
    uint64_t sent{0};              ///< packets that hosts have sent
    uint64_t received{0};          ///< packets that have arrived at hosts
    Time last;                     ///< when the last one did

  private:
    static constexpr uint32_t HEADERS = 28; ///< of UDP and IPv4

    /**
     * @brief Make a UDP socket.
     * @param host the host
     * @param port its port, 0 for any
     * @param priority the priority of what it sends
     * @return the socket
     */
    Ptr<Socket> MakeSocket(uint32_t host, uint16_t port, uint32_t priority)
    {
        auto socket = Socket::CreateSocket(network.GetNode(host), UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        socket->SetIpTos(static_cast<uint8_t>(priority << 5)); // the class selector
        m_sockets.push_back(socket);
        return socket;
    }

    /**
     * @brief Count what has arrived.
     * @param socket where
     */
    void NotifyReceived(Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            ++received;
            last = Simulator::Now();
        }
    }

    std::vector<Ptr<Socket>> m_sockets; ///< keeps the sockets
};

/**
 * @brief Plan one switch and its hosts; the switch is node 0.
 * @param nHosts the number of hosts, nodes 1 to nHosts
 * @param delay the delay of a link in ns
 * @return the plan
 */
Fabric
MakeStar(uint32_t nHosts, int64_t delay)
{
    Fabric fabric("star");
    const uint32_t leaf = fabric.AddNode(FabricTier::LEAF, 0, 0);
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddLink(leaf, fabric.AddNode(FabricTier::HOST, 0, i), RATE, delay);
    }
    fabric.Finish();
    return fabric;
}

/**
 * @ingroup aidc-test
 * @brief Incast of 64:1 in a lossless class: nothing is lost with the headroom that is derived, and
 *        something is with half of it.
 *
 * 64 hosts send 60 packets at once over links of 100 Gb/s and 2 us. Headroom of a port: the frame
 * that crosses the threshold, one of ours and one of the peer, each 1500 + 38 + 4 + 20 = 1562 with
 * all tags; the PFC frame, 84; and 4 us of cable, 50,000: 54,770 bytes. 3840 packets of 1500 bytes
 * are 5.76 MB; beside the headrooms, the switch has 1 MB. All ports are stopped at once.
 *
 * With half of it, a port has room for 27,385 bytes. It takes 4 us from XOFF until the last packet
 * that was sent in ignorance of it has come; in that time a peer sends 32 packets or 48,000 bytes.
 */
class IncastTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param datapath how packets get through switches
     * @param isHalved whether the headroom is halved
     */
    IncastTestCase(SwitchDatapath::Mode datapath, bool isHalved)
        : TestCase(std::string("Incast of 64:1 with ") + (isHalved ? "half of" : "all of") +
                   " the headroom, " + (datapath == SwitchDatapath::FAST ? "fast" : "stack")),
          m_datapath(datapath),
          m_isHalved(isHalved)
    {
    }

  private:
    static constexpr uint32_t SENDERS = 64;
    static constexpr uint32_t PACKETS = 60;
    static constexpr uint32_t HEADROOM = 3 * 1562 + 84 + 50000;
    static constexpr uint32_t SHARED = 1000000;

    void DoRun() override
    {
        LosslessNetwork s;
        const uint32_t headroom = m_isHalved ? HEADROOM / 2 : HEADROOM;
        if (m_isHalved)
        {
            s.pfc.SetIngressAttribute("Headroom",
                                      QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, headroom)));
        }
        const Fabric star = MakeStar(SENDERS + 1, 2000);
        s.Build(star, m_datapath, (SENDERS + 1) * headroom + SHARED);
        NS_TEST_ASSERT_MSG_EQ(s.pfc.GetHeadroom(s.network.GetPort(0, 0)).GetSum(),
                              HEADROOM,
                              "as derived above");
        for (uint32_t i = 0; i < SENDERS; ++i)
        {
            s.Send(2 + i, 1, PACKETS);
        }
        Simulator::Run();

        uint64_t peak = 0;
        uint64_t refused = 0;
        uint64_t stopped = 0;
        for (uint32_t port = 0; port <= SENDERS; ++port)
        {
            const auto ingress = s.GetBuffer(0)->GetIngress(port, PRIORITY);
            peak = std::max(peak, ingress->GetHeadroomPeak());
            refused += ingress->GetRefused();
            stopped += s.GetControl(0, port)->GetStatistics().priorities[PRIORITY].sentXoff > 0;
        }
        const auto dropped = s.network.GetPacketCounts().dropped;
        NS_TEST_EXPECT_MSG_EQ(s.sent, SENDERS * PACKETS, "hosts have sent all");
        NS_TEST_EXPECT_MSG_EQ(stopped, SENDERS, "each sender was told to stop, the receiver not");
        NS_TEST_EXPECT_MSG_EQ(s.received + dropped, s.sent, "all are accounted for");
        NS_TEST_EXPECT_MSG_EQ(refused, dropped, "all drops are those of the headroom");
        NS_TEST_EXPECT_MSG_EQ(s.GetBuffer(0)->GetUsed(), 0, "admitted is released");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(peak, headroom, "no headroom is overdrawn");
        if (m_isHalved)
        {
            NS_TEST_EXPECT_MSG_GT(dropped, 0, "half of the headroom is too little");
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(dropped, 0, "nothing is lost");
        // What comes in 4 us at the least, less what XOFF has left below itself: a packet.
        NS_TEST_EXPECT_MSG_GT(peak, 46500, "the headroom is needed");
        // The receiver's link never rests: 3840 frames of 1538 bytes at 100 Gb/s take 472.474 us,
        // and the first packet takes two links of 2 us and 123.04 ns.
        const Time ideal = NanoSeconds(472474 + 4123);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(s.last, ideal - NanoSeconds(1), "not faster than the link");
        NS_TEST_EXPECT_MSG_LT(s.last, ideal + MicroSeconds(1), "PFC keeps the link busy");
    }

    SwitchDatapath::Mode m_datapath; ///< how packets get through switches
    bool m_isHalved;                 ///< whether the headroom is halved
};

/**
 * @ingroup aidc-test
 * @brief In a fabric of two tiers stops go from switch to switch, and lossy traffic is dropped
 *        beside lossless one.
 *
 * 48 hosts of three leaves send 40 packets of 9000 bytes each to one host of the fourth: a third of
 * them with each of the lossless priorities 3 and 4, a third without. What waits has no room in the
 * last leaf, whose two uplinks are stopped; so are the spines' and then the leaves'. Headrooms: 3
 * frames of 9062, 2 PFC frames of 84, 2 us of cable: at 100 Gb/s 52,354 bytes, at 400 Gb/s 127,354.
 * A leaf has 16 ports of the former and 2 of the latter kind with two priorities each: 2,184,744.
 */
class TwoTiersTestCase : public TestCase
{
  public:
    TwoTiersTestCase()
        : TestCase("Two tiers, two lossless priorities and a lossy one")
    {
    }

  private:
    void DoRun() override
    {
        LosslessNetwork s;
        s.mtu = 9000;
        s.pfc.SetPriorities({3, 4});
        LeafSpineOptions options;
        options.spines = 2;
        const Fabric fabric = MakeLeafSpine(options);
        s.Build(fabric, SwitchDatapath::FAST, 4000000);
        const auto& hosts = fabric.GetHosts();
        NS_TEST_EXPECT_MSG_EQ(s.pfc.GetHeadroom(s.network.GetSwitchPort(hosts[0])).GetSum(),
                              52354,
                              "of a host's link");
        uint32_t nSenders = 0;
        for (const uint32_t host : hosts)
        {
            if (fabric.GetLeaf(host) != fabric.GetLeaf(hosts[0]))
            {
                const uint32_t priorities[] = {3, 4, 0};
                s.Send(host, hosts[0], 40, priorities[nSenders % 3]);
                ++nSenders;
            }
        }
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(nSenders, 48, "the hosts of the other leaves");
        uint32_t refused = 0;
        uint64_t stopped = 0;
        for (const uint32_t id : fabric.GetSwitches())
        {
            NS_TEST_EXPECT_MSG_EQ(s.GetBuffer(id)->GetUsed(), 0, "admitted is released");
            const auto layer = s.network.GetNode(id)->GetObject<TrafficControlLayer>();
            for (uint32_t port = 0; port < fabric.GetPorts(id).size(); ++port)
            {
                const auto root = layer->GetRootQueueDiscOnDevice(s.network.GetPort(id, port));
                refused += root->GetStats().GetNDroppedPackets(IngressBuffer::INGRESS_DROP);
                stopped += s.GetControl(id, port)->GetStatistics().priorities[3].pauses > 0;
            }
        }
        uint32_t stoppedHosts = 0;
        for (const uint32_t host : hosts)
        {
            const auto& priorities = s.GetControl(host, 0)->GetStatistics().priorities;
            stoppedHosts += priorities[3].pauses + priorities[4].pauses > 0;
            NS_TEST_EXPECT_MSG_EQ(priorities[0].pauses, 0, "the lossy class is never stopped");
        }
        const auto dropped = s.network.GetPacketCounts().dropped;
        NS_TEST_EXPECT_MSG_EQ(s.received + dropped, s.sent, "all are accounted for");
        NS_TEST_EXPECT_MSG_EQ(refused, 0, "no lossless packet is lost");
        NS_TEST_EXPECT_MSG_GT(dropped, 0, "lossy ones are");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(s.received, 32 * 40, "those of 32 hosts arrive");
        NS_TEST_EXPECT_MSG_GT(stopped, 2, "beside the spines' ports to the last leaf others stop");
        NS_TEST_EXPECT_MSG_GT(stoppedHosts, 0, "and hosts");
    }
};

/**
 * @ingroup aidc-test
 * @brief A circular dependency of buffers stops all traffic for ever, unless the watchdog ends it.
 *
 *     S0 -> S1 -> S2 -> S3 -> S0, a host at each.
 *
 * Each host sends clockwise over two links of the ring, to the switch after the next one. So what
 * comes in at a switch by the ring waits for the next link of the ring, which is stopped by the
 * next switch for the same reason. A packet that would leave the ring waits behind one that is
 * stopped.
 */
class DeadlockTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param action what the watchdog does, "None" for no watchdog
     */
    explicit DeadlockTestCase(const std::string& action)
        : TestCase("A circular dependency of buffers, watchdog: " + action),
          m_action(action)
    {
    }

  private:
    static constexpr uint32_t SWITCHES = 4;
    static constexpr uint32_t PACKETS = 2000;

    void DoRun() override
    {
        LosslessNetwork s;
        const bool hasWatchdog = m_action != "None";
        if (hasWatchdog)
        {
            s.pfc.SetAttribute("DetectionTime", TimeValue(MicroSeconds(200)));
            s.pfc.SetAttribute("WatchdogAction", StringValue(m_action));
        }
        Fabric ring("ring");
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            ring.AddNode(FabricTier::LEAF, i, i); // each is a pod of its own
        }
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            ring.AddLink(i, ring.AddNode(FabricTier::HOST, i, i), RATE, 1000); // port 0
        }
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            ring.AddLink(i, (i + 1) % SWITCHES, RATE, 1000);
        }
        ring.Finish();
        s.Build(ring, SwitchDatapath::FAST, 300000);
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            // Clockwise, where both ways have the same length.
            const uint32_t next = (i + 1) % SWITCHES;
            const auto& ports = ring.GetPorts(i);
            const auto port = std::find_if(ports.begin(), ports.end(), [&](const FabricPort& p) {
                return p.peer == next;
            });
            const auto interface = static_cast<uint32_t>(port - ports.begin()) + 1;
            MultipathRoutingHelper::GetRouting(s.network.GetNode(i))
                ->AddRoute(s.network.GetAddress(SWITCHES + (i + 2) % SWITCHES),
                           Ipv4Mask::GetOnes(),
                           {NextHop(interface, s.network.GetAddress(next))});
            for (uint32_t p = 0; p < ports.size(); ++p)
            {
                s.GetControl(i, p)->TraceConnectWithoutContext(
                    "Watchdog",
                    MakeCallback(&DeadlockTestCase::NotifyWatchdog, this));
            }
            s.Send(SWITCHES + i, SWITCHES + (i + 2) % SWITCHES, PACKETS);
        }

        // Without a deadlock all is over after 8000 packets of 123 ns over 4 links of which each
        // packet uses two: 492 us.
        uint64_t before = 0;
        Simulator::Schedule(MilliSeconds(5), [&] { before = s.received; });
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        uint64_t waiting = 0;
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            waiting += s.GetBuffer(i)->GetUsed();
        }
        NS_TEST_EXPECT_MSG_EQ(s.sent, SWITCHES * PACKETS, "hosts have sent all");
        const auto dropped = s.network.GetPacketCounts().dropped;
        if (!hasWatchdog)
        {
            NS_TEST_EXPECT_MSG_LT(s.received, s.sent, "not all arrive");
            NS_TEST_EXPECT_MSG_EQ(s.received, before, "nothing moves for 5 ms");
            NS_TEST_EXPECT_MSG_GT(waiting, 0, "although packets wait in switches");
            NS_TEST_EXPECT_MSG_EQ(dropped, 0, "none of which is lost");
            NS_TEST_EXPECT_MSG_EQ(m_storms, 0, "nobody reports it");
            return;
        }
        NS_TEST_EXPECT_MSG_GT(m_storms, 0, "the watchdog reports it");
        NS_TEST_EXPECT_MSG_EQ(s.received + dropped, s.sent, "all that was sent has gone");
        NS_TEST_EXPECT_MSG_EQ(waiting, 0, "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(m_restored, m_storms, "all is as before");
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            for (uint32_t port = 0; port < 3; ++port)
            {
                NS_TEST_EXPECT_MSG_EQ(s.GetControl(i, port)->IsStormed(PRIORITY),
                                      false,
                                      "no storm at port " << port << " of switch " << i);
            }
        }
        if (m_action == "Drop")
        {
            NS_TEST_EXPECT_MSG_GT(dropped, 0, "at the price of packets");
        }
    }

    /**
     * @brief Count what the watchdog reports.
     * @param priority the priority
     * @param event what it has found
     */
    void NotifyWatchdog(uint32_t priority, PauseWatchdogEvent event)
    {
        NS_TEST_EXPECT_MSG_EQ(priority, PRIORITY, "the lossless one");
        ++(event == PauseWatchdogEvent::STORM ? m_storms : m_restored);
    }

    std::string m_action;   ///< what the watchdog does
    uint64_t m_storms{0};   ///< storms that were reported
    uint64_t m_restored{0}; ///< ends of storms that were reported
};

/**
 * @ingroup aidc-test
 * @brief Networks with a lossless class.
 */
class AidcLosslessFabricTestSuite : public TestSuite
{
  public:
    AidcLosslessFabricTestSuite()
        : TestSuite("aidc-lossless-fabric", TestSuite::Type::SYSTEM)
    {
        for (const auto datapath : {SwitchDatapath::FAST, SwitchDatapath::STACK})
        {
            for (const bool isHalved : {false, true})
            {
                AddTestCase(new IncastTestCase(datapath, isHalved));
            }
        }
        AddTestCase(new TwoTiersTestCase);
        for (const char* action : {"None", "Drop", "Forward"})
        {
            AddTestCase(new DeadlockTestCase(action));
        }
    }
};

/// The instance that registers the suite
const AidcLosslessFabricTestSuite g_aidcLosslessFabricTestSuite;

} // namespace
