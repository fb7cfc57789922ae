/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-network.h"

#include "ns3/link-bandwidth-monitor.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/socket.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// A network that is announced: 192.0.2.0/24.
const BgpPrefix PREFIX = MakeBgpPrefix(0xc0000200, 24);

/// 100 Mbit/s in bytes a second
constexpr double CAPACITY = 12.5e6;

/// The time when the sessions have been up for long.
constexpr double BEGIN = 5;

/**
 * @ingroup aidc-test
 * @brief Three speakers in a row: 0 announces a prefix, 1 loads its link to 0, whose bandwidth it
 *        watches, and 2 is told what is left of it.
 */
class LoadedLine
{
  public:
    /**
     * @brief Constructor.
     * @param attributes of the monitor
     */
    explicit LoadedLine(const Attributes& attributes)
        : network(3, {{"AdvertisementInterval", "0s"}})
    {
        BgpPeerSettings settings;
        settings.linkBandwidth = 100 * CAPACITY;
        const uint32_t peer = network.Peer(0, 1, settings, settings)[1];
        network.Peer(1, 2, settings, settings);
        for (uint32_t end = 0; end < 2; ++end)
        {
            network.links[0].Get(end)->SetAttribute("DataRate", StringValue("100Mbps"));
        }
        network.speakers[0]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
        monitor->SetSpeaker(network.speakers[1]);
        monitor->Watch(peer, network.links[0].Get(1));
        SetAll(monitor, attributes);
        network.nodes.Get(1)->AddApplication(monitor);
        monitor->TraceConnectWithoutContext(
            "Update",
            Callback<void, uint32_t, double>(
                [this](uint32_t, double) { updates.push_back(Simulator::Now().GetSeconds()); }));
        const auto sink = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_socket = Socket::CreateSocket(network.nodes.Get(1), UdpSocketFactory::GetTypeId());
        m_socket->Connect(InetSocketAddress(BgpNetwork::GetAddress(0, 0), PORT));
        BgpNetwork::RunUntil(BEGIN);
    }

    /**
     * @brief Load the link of 1 from now on and run on.
     * @param tenths the load in tenths of the link's rate, 0 to 10
     * @param seconds how long
     */
    void Load(uint32_t tenths, double seconds)
    {
        // Every ms, there would be 10 frames of 1250 bytes on the wire: 66 of them are headers.
        const double end = Simulator::Now().GetSeconds() + seconds;
        for (Time delay; delay < Seconds(seconds); delay += MilliSeconds(1))
        {
            Simulator::Schedule(delay, [this, tenths] {
                for (uint32_t i = 0; i < tenths; ++i)
                {
                    m_socket->Send(Create<Packet>(1250 - 66));
                }
            });
        }
        BgpNetwork::RunUntil(end);
    }

    /**
     * @brief Get the weight of the route.
     * @param speaker at which speaker
     * @return bytes a second, -1 without route
     */
    double GetWeight(uint32_t speaker) const
    {
        const auto& paths = network.GetPaths(speaker, PREFIX);
        return paths.empty() ? -1 : paths[0].weight;
    }

    /**
     * @brief Get the number of UPDATEs that 2 has got.
     * @return the number
     */
    uint64_t CountUpdates() const
    {
        return network.speakers[2]->GetStatistics().received.Get(BgpMessageType::UPDATE).messages;
    }

    static constexpr uint16_t PORT = 9; //!< of the load

    BgpNetwork network;                                                      //!< the routers
    Ptr<LinkBandwidthMonitor> monitor{CreateObject<LinkBandwidthMonitor>()}; //!< of 1
    std::vector<double> updates; //!< the times of the monitor's updates

  private:
    Ptr<Socket> m_socket; //!< of 1
};

/**
 * @ingroup aidc-test
 * @brief What is left of a link is the weight of its routes, and what others are told.
 */
class FollowsLoadTestCase : public TestCase
{
  public:
    FollowsLoadTestCase()
        : TestCase("the bandwidth that is advertised follows the load")
    {
    }

  private:
    /**
     * @brief Expect a bandwidth at both speakers.
     * @param line the speakers
     * @param expected bytes a second
     */
    void Expect(const LoadedLine& line, double expected)
    {
        const double own = line.GetWeight(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(own, expected, 1.1 * HYSTERESIS * expected, "weight at 1");
        // binary16 has 11 bits: it is off by half of the last one at most.
        NS_TEST_EXPECT_MSG_EQ_TOL(line.GetWeight(2), own, own / 2048, "weight at 2");
    }

    void DoRun() override
    {
        LoadedLine line({{"TimeConstant", "100ms"},
                         {"UpdateInterval", "200ms"},
                         {"Hysteresis", std::to_string(HYSTERESIS)}});
        NS_TEST_EXPECT_MSG_EQ(line.GetWeight(1), CAPACITY, "without load");
        Expect(line, CAPACITY);
        for (const uint32_t tenths : {5U, 9U, 7U, 2U, 0U})
        {
            line.Load(tenths, 3);
            // The time constant is shorter than the interval: E = 1/2
            Expect(line, tenths <= 5 ? CAPACITY : CAPACITY * std::sqrt(5.0 / tenths));
        }
        for (std::size_t i = 1; i < line.updates.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(line.updates[i] - line.updates[i - 1],
                                        0.2 - 1e-9,
                                        "between two updates");
        }
        NS_TEST_EXPECT_MSG_EQ(line.monitor->GetNUpdates(), line.updates.size(), "all are traced");
        NS_TEST_EXPECT_MSG_LT(line.monitor->GetLoad(0), CAPACITY / 100, "KEEPALIVEs");
    }

    static constexpr double HYSTERESIS = 0.02; //!< of the monitor
};

/**
 * @ingroup aidc-test
 * @brief A load that comes and goes does not flood BGP.
 */
class LimitsUpdatesTestCase : public TestCase
{
  public:
    LimitsUpdatesTestCase()
        : TestCase("a load that comes and goes does not flood BGP")
    {
    }

  private:
    /**
     * @brief Load a link in pulses, and count UPDATEs.
     * @param attributes of the monitor
     * @return the number that the third speaker has got in 6 s
     */
    static uint64_t Count(Attributes attributes)
    {
        attributes.emplace_back("TimeConstant", "20ms");
        LoadedLine line(attributes);
        const uint64_t before = line.CountUpdates();
        for (uint32_t i = 0; i < 20; ++i)
        {
            line.Load(8, 0.15);
            line.Load(0, 0.15);
        }
        return line.CountUpdates() - before;
    }

    void DoRun() override
    {
        // 40 edges in 6 s, each of which passes the band of the hysteresis several times. With an
        // update each 0.5 s, there are 13 in 6 s at most, as one may come at its beginning.
        const uint64_t unlimited = Count({{"UpdateInterval", "0s"}});
        NS_TEST_EXPECT_MSG_GT_OR_EQ(unlimited, 40, "without a limit");
        const uint64_t limited = Count({{"UpdateInterval", "500ms"}});
        NS_TEST_EXPECT_MSG_LT_OR_EQ(limited, 13, "the limit");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(limited, 6, "but it is told");
        // The average load stays below 0.8, which is told as no less than 0.79 of the rate.
        const uint64_t damped = Count({{"UpdateInterval", "20ms"}, {"Hysteresis", "0.3"}});
        NS_TEST_EXPECT_MSG_EQ(damped, 0, "all is within the hysteresis");
    }
};

/**
 * @ingroup aidc-test
 * @brief A device of another kind is watched by its queue disc.
 */
class QueueDiscTestCase : public TestCase
{
  public:
    QueueDiscTestCase()
        : TestCase("the queue disc of a device of another kind tells its load")
    {
    }

  private:
    void DoRun() override
    {
        BgpNetwork network(2);
        PointToPointHelper links;
        links.SetDeviceAttribute("DataRate", StringValue("8.5Mbps"));
        const auto devices = links.Install(network.nodes);
        TrafficControlHelper::Default().Install(devices);
        for (uint32_t end = 0; end < 2; ++end)
        {
            const auto ipv4 = network.nodes.Get(end)->GetObject<Ipv4>();
            const uint32_t interface = ipv4->AddInterface(devices.Get(end));
            ipv4->AddAddress(interface,
                             Ipv4InterfaceAddress(BgpNetwork::GetAddress(0, end), "/30"));
            ipv4->SetUp(interface);
        }
        BgpPeerSettings settings;
        settings.address = BgpNetwork::GetAddress(0, 1);
        settings.isPassive = true;
        const uint32_t peer = network.speakers[0]->AddPeer(settings);
        const auto monitor = CreateObject<LinkBandwidthMonitor>();
        monitor->SetSpeaker(network.speakers[0]);
        monitor->Watch(peer, devices.Get(0));
        monitor->SetAttribute("TimeConstant", TimeValue(MilliSeconds(100)));
        network.nodes.Get(0)->AddApplication(monitor);
        const auto sink = Socket::CreateSocket(network.nodes.Get(1), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), LoadedLine::PORT));
        const auto socket =
            Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(settings.address, LoadedLine::PORT));
        // 1000 bytes with UDP's and IP's headers each ms: 1e6 bytes a second; time constant 100 ms
        for (Time delay; delay < MilliSeconds(100); delay += MilliSeconds(1))
        {
            Simulator::Schedule(delay + MicroSeconds(500),
                                [socket] { socket->Send(Create<Packet>(1000 - 28)); });
        }
        BgpNetwork::RunUntil(0.1 + 1e-6);
        NS_TEST_EXPECT_MSG_EQ_TOL(monitor->GetLoad(peer), 1e6 * (1 - std::exp(-1)), 1, "load");
        NS_TEST_EXPECT_MSG_EQ(monitor->GetNUpdates(),
                              1,
                              "0.59 of the rate: E = 1/2, so 0.92 is told");
    }
};

/**
 * @ingroup aidc-test
 * @brief The test suite.
 */
class LinkBandwidthTestSuite : public TestSuite
{
  public:
    LinkBandwidthTestSuite()
        : TestSuite("aidc-link-bandwidth", TestSuite::Type::UNIT)
    {
        AddTestCase(new FollowsLoadTestCase);
        AddTestCase(new LimitsUpdatesTestCase);
        AddTestCase(new QueueDiscTestCase);
    }
};

/// Registers the test suite.
LinkBandwidthTestSuite g_linkBandwidthTestSuite;

} // namespace
