/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/inet-socket-address.h"
#include "ns3/look-ahead-scheduler.h"
#include "ns3/make-event.h"
#include "ns3/map-scheduler.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/**
 * @ingroup aidc-test
 * @brief Events come in the order of ns3::MapScheduler.
 */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("Events come in the order of ns-3's MapScheduler")
    {
    }

  private:
    void DoRun() override
    {
        const auto map = CreateObject<MapScheduler>();
        const auto lookAhead = CreateObject<LookAheadScheduler>();
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::vector<Scheduler::Event> all;
        for (uint32_t uid = 1; uid <= 3000; ++uid)
        {
            // Many at the same time; these are told apart by their numbers.
            Scheduler::Event event;
            event.impl = MakeEvent([] {});
            event.key.m_ts = random->GetInteger(0, 400);
            event.key.m_uid = uid;
            event.key.m_context = uid % 7;
            map->Insert(event);
            lookAhead->Insert(event);
            all.push_back(event);
            if (uid % 3 == 0)
            {
                ExpectNext(*map, *lookAhead);
            }
        }
        for (const auto& event : all)
        {
            if (event.key.m_uid % 5 == 0 && m_taken.count(event.key.m_uid) == 0)
            {
                map->Remove(event);
                lookAhead->Remove(event);
            }
        }
        while (!map->IsEmpty())
        {
            ExpectNext(*map, *lookAhead);
        }
        NS_TEST_EXPECT_MSG_EQ(lookAhead->IsEmpty(), true, "no more");
        for (const auto& event : all)
        {
            event.impl->Unref();
        }
        Simulator::Destroy();
    }

    /**
     * @brief Take the next event from both.
     * @param map the one
     * @param lookAhead the other
     */
    void ExpectNext(Scheduler& map, Scheduler& lookAhead)
    {
        const auto peeked = lookAhead.PeekNext();
        const auto found = lookAhead.RemoveNext();
        const auto expected = map.RemoveNext();
        NS_TEST_ASSERT_MSG_EQ(found.key.m_uid, expected.key.m_uid, "the next event");
        NS_TEST_ASSERT_MSG_EQ(found.key.m_ts, expected.key.m_ts, "its time");
        NS_TEST_ASSERT_MSG_EQ(found.key.m_context, expected.key.m_context, "its context");
        NS_TEST_ASSERT_MSG_EQ((found.impl == expected.impl), true, "the event itself");
        NS_TEST_ASSERT_MSG_EQ(peeked.key.m_uid, expected.key.m_uid, "seen before");
        m_taken.insert(found.key.m_uid);
    }

    std::set<uint64_t> m_taken; ///< the events that have been taken
};

/**
 * @ingroup aidc-test
 * @brief A fat-tree whose hosts all send to the first one and to each other.
 */
class LoadedFabric
{
  public:
    /**
     * @brief Constructor.
     * @param scheduler the TypeId of the event scheduler
     * @param selector the TypeId of what chooses among next hops
     */
    LoadedFabric(const std::string& scheduler, const std::string& selector)
        : m_fabric(MakeFatTree(4, 10000000000, 500))
    {
        ObjectFactory factory(scheduler);
        Simulator::SetScheduler(factory);
        m_network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::MultipathRouting", selector));
        m_network.Build(m_fabric);
        SharedBufferSwitchHelper().Install(m_network.GetSwitches());
        m_network.AssignAddresses();
        m_network.AssignStreams(100);
        const auto& hosts = m_fabric.GetHosts();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const auto node = m_network.GetNode(hosts[i]);
            const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
            socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
            socket->SetRecvCallback(MakeCallback(&LoadedFabric::Receive, this));
            m_sockets.push_back(socket);
            const auto to = m_network.GetAddress(hosts[i % 2 == 0 ? 0 : (i + 5) % hosts.size()]);
            for (int packet = 0; packet < 40; ++packet)
            {
                Simulator::ScheduleWithContext(
                    node->GetId(),
                    NanoSeconds(700 * packet + 10 * i),
                    [socket, to] {
                        socket->SendTo(Create<Packet>(1000), 0, InetSocketAddress(to, 9));
                    });
            }
        }
    }

    /**
     * @brief Get what has happened.
     * @return the time, the place and the number of each packet that a host has received
     */
    const std::string& GetLog() const
    {
        return m_log;
    }

  private:
    /**
     * @brief Note what has arrived.
     * @param socket where
     */
    void Receive(Ptr<Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            m_log += std::to_string(Simulator::Now().GetTimeStep()) + ' ' +
                     std::to_string(socket->GetNode()->GetId()) + ' ' +
                     std::to_string(packet->GetUid() - m_firstUid) + '\n';
        }
    }

    uint64_t m_firstUid{Create<Packet>()->GetUid()}; ///< packets are numbered on and on
    FabricPlan m_fabric;                             ///< the plan
    FabricHelper m_network;                          ///< the network
    std::vector<Ptr<Socket>> m_sockets;              ///< those of the hosts
    std::string m_log;                               ///< what has happened
};

/**
 * @ingroup aidc-test
 * @brief To look ahead changes nothing.
 */
class SameResultsTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param selector the TypeId of what chooses among next hops
     */
    explicit SameResultsTestCase(const std::string& selector)
        : TestCase("A network has the same results as with MapScheduler: " + selector),
          m_selector(selector)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::string> logs;
        for (const auto* scheduler : {"ns3::MapScheduler", "ns3::aidc::LookAheadScheduler"})
        {
            LoadedFabric fabric(scheduler, m_selector);
            Simulator::Stop(MilliSeconds(1));
            Simulator::Run();
            logs.push_back(fabric.GetLog());
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(std::count(logs[0].begin(), logs[0].end(), '\n'), 300, "packets");
        NS_TEST_EXPECT_MSG_EQ((logs[0] == logs[1]), true, "the same packets at the same times");
    }

    std::string m_selector; ///< what chooses
};

/**
 * @ingroup aidc-test
 * @brief Frames may be under way when a simulation ends.
 */
class EndTestCase : public TestCase
{
  public:
    EndTestCase()
        : TestCase("Nothing is looked at any more when the nodes are gone")
    {
    }

  private:
    void DoRun() override
    {
        {
            LoadedFabric fabric("ns3::aidc::LookAheadScheduler", "ns3::aidc::HashSelector");
            Simulator::Stop(MicroSeconds(5));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "stopped");
        }
        // Memory checkers would see it here: the events are removed after the nodes.
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief The scheduler that fetches what the next events need.
 */
class AidcLookAheadSchedulerTestSuite : public TestSuite
{
  public:
    AidcLookAheadSchedulerTestSuite()
        : TestSuite("aidc-look-ahead-scheduler", TestSuite::Type::UNIT)
    {
        AddTestCase(new OrderTestCase);
        for (const auto* selector : {"ns3::aidc::HashSelector",
                                     "ns3::aidc::WeightedSelector",
                                     "ns3::aidc::FlowletSelector",
                                     "ns3::aidc::SpraySelector",
                                     "ns3::aidc::FlowSetSelector"})
        {
            AddTestCase(new SameResultsTestCase(selector));
        }
        AddTestCase(new EndTestCase);
    }
};

/// The instance that registers the suite
const AidcLookAheadSchedulerTestSuite g_aidcLookAheadSchedulerTestSuite;

} // namespace
