// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FAILING_STREAMS_H
#define AIDC_FAILING_STREAMS_H

#include "test-fabrics.h"

#include "ns3/flow-set-selector.h"

// Streams over a leaf-spine fabric whose links fail, for the test suites.

namespace aidctest
{

/// The number of streams.
constexpr uint32_t N_STREAMS = 16;

/// The packets of a stream.
constexpr uint32_t N_PACKETS = 200;

/// The source port of the first stream.
constexpr uint16_t FIRST_PORT = 10000;

inline MultipathRoutingHelper
MakeRouting(const std::string& scheme)
{
    return scheme == "ns3::aidc::FlowSetEcmpRouting"
               ? MultipathRoutingHelper(scheme)
               : MultipathRoutingHelper("ns3::aidc::MultipathRouting", scheme);
}

/// Streams over a leaf-spine fabric while a link fails. There are 2 leaves with 2 hosts each, and 2
/// spines (or 3). Links have 100 Gbit/s and 1 us. 16 streams go from host 0 at leaf 0 to host 2 at
/// leaf 1. Each sends a packet at 5 us, 15 us, 25 us and so on until 1995 us; with 130 bytes on the
/// wire all 16 are sent within 0.2 us. So packets that are sent at t reach leaf 0 from t + 1 us to
/// t + 1.3 us, a spine 1 us later, leaf 1 another 1 us later, and host 2 by t + 5 us.
class FailingStreamsTestCase : public TestCase
{
  public:
    FailingStreamsTestCase(const std::string& name,
                           const std::string& scheme,
                           FabricHelper::DeviceKind kind = FabricHelper::ETHERNET)
        : TestCase(name + ": " + scheme +
                   (kind == FabricHelper::ETHERNET ? "" : ", point-to-point")),
          m_scheme(scheme),
          m_kind(kind)
    {
    }

  protected:
    /// The first spine, in the plan.
    static constexpr NodeIndex SPINE{6};
    /// The first leaf, in the plan.
    static constexpr NodeIndex LEAF{4};
    /// The other leaf, in the plan.
    static constexpr NodeIndex OTHER_LEAF{5};
    /// The port of a leaf to the first spine.
    static constexpr PortIndex UPLINK{2};

    /// Build the network, and schedule what is sent.
    void Prepare(Time detection, Time convergence, uint32_t nSpines = 2)
    {
        LeafSpineSettings settings{2, nSpines, 2};
        settings.leafSpineRate = settings.hostRate;
        m_network = std::make_unique<FabricHelper>();
        m_network->SetDeviceKind(m_kind);
        m_network->SetSwitchRouting(MakeRouting(m_scheme));
        m_network->SetDetectionDelay(detection);
        m_network->SetConvergenceDelay(convergence);
        m_network->Build(MakeLeafSpine(settings));
        FinishNetwork(*m_network);
        m_counter = std::make_unique<PacketCounter>(*m_network);
        m_initialRoutes = PrintRoutes(*m_network);
        for (uint16_t i = 0; i < N_STREAMS; ++i)
        {
            m_sockets.push_back(MakeSocket(m_network->GetNode(NodeIndex(0)), FIRST_PORT + i));
            for (uint32_t packet = 0; packet < N_PACKETS; ++packet)
            {
                Simulator::Schedule(MicroSeconds(5 + 10 * packet),
                                    &SendUdp,
                                    m_sockets.back(),
                                    m_network->GetAddress(NodeIndex(2)));
            }
        }
    }

    /// Fail a link, and restore it. failure: when it fails, in us. repair: when it is restored, in
    /// us.
    void Fail(LinkIndex link, uint32_t failure, uint32_t repair)
    {
        auto* network = m_network.get();
        Simulator::Schedule(MicroSeconds(failure), &FabricHelper::FailLink, network, link);
        Simulator::Schedule(MicroSeconds(repair), &FabricHelper::RestoreLink, network, link);
    }

    /// Note what is put into the queue of a port.
    void Watch(NodeIndex id, PortIndex port)
    {
        const auto layer = m_network->GetNode(id)->GetObject<TrafficControlLayer>();
        layer->GetRootQueueDiscOnDevice(m_network->GetPort(id, port))
            ->TraceConnectWithoutContext("Enqueue",
                                         MakeCallback(&FailingStreamsTestCase::Enqueue, this));
    }

    /// Count the streams that the watched port had a packet of in a span of time. begin: its begin
    /// in us. end: its end in us.
    uint32_t CountStreams(uint32_t begin, uint32_t end) const
    {
        std::set<uint16_t> streams;
        for (const auto& [time, stream] : m_enqueued)
        {
            if (time >= MicroSeconds(begin) && time < MicroSeconds(end))
            {
                streams.insert(stream);
            }
        }
        return static_cast<uint32_t>(streams.size());
    }

    /// Count the streams that lost a number of packets.
    std::map<uint32_t, uint32_t> CountLosses() const
    {
        std::map<uint16_t, uint32_t> received;
        for (const auto& delivery : m_counter->deliveries)
        {
            ++received[delivery.port];
        }
        std::map<uint32_t, uint32_t> streams;
        for (uint16_t i = 0; i < N_STREAMS; ++i)
        {
            ++streams[N_PACKETS - received[FIRST_PORT + i]];
        }
        return streams;
    }

    /// Get the link of a leaf to the first spine.
    LinkIndex GetUplink(NodeIndex leaf) const
    {
        return m_network->GetFabric().GetPorts(leaf)[UPLINK].link;
    }

    /// Expect streams to have lost packets as they should.
    void ExpectLosses(uint32_t nStreams, uint32_t nPackets)
    {
        // Half of them is 8, with a standard deviation of 2.
        NS_TEST_EXPECT_MSG_EQ_TOL(nStreams, N_STREAMS / 2, 6, "some streams are hit, some not");
        const std::map<uint32_t, uint32_t> expected{{0, N_STREAMS - nStreams},
                                                    {nPackets, nStreams}};
        const auto losses = CountLosses();
        std::string text;
        for (const auto& [packets, streams] : losses)
        {
            text += std::to_string(streams) + " x " + std::to_string(packets) + ", ";
        }
        AIDC_EXPECT(losses == expected,
                    "expected " << nStreams << " x " << nPackets << ", found " << text);
    }

    /// Expect the routes to be the initial ones, and end.
    void Finish()
    {
        NS_TEST_EXPECT_MSG_EQ(PrintRoutes(*m_network), m_initialRoutes, "the initial routes");
        Simulator::Destroy();
        m_sockets.clear();
        m_counter.reset();
        m_network.reset();
        m_enqueued.clear();
    }

    std::unique_ptr<FabricHelper> m_network;           //!< the network
    std::unique_ptr<PacketCounter> m_counter;          //!< what it does
    std::vector<Ptr<Socket>> m_sockets;                //!< the streams
    std::vector<std::pair<Time, uint16_t>> m_enqueued; //!< packets at the watched port
    std::string m_initialRoutes;                       //!< the routes at the begin
    const std::string m_scheme;                        //!< the routing
    const FabricHelper::DeviceKind m_kind;             //!< the devices

  private:
    /// Note a packet.
    void Enqueue(Ptr<const QueueDiscItem> item)
    {
        uint8_t port[2] = {0, 0};
        item->GetPacket()->CopyData(port, sizeof(port));
        m_enqueued.emplace_back(Simulator::Now(), static_cast<uint16_t>(port[0] << 8 | port[1]));
    }
};

} // namespace aidctest

#endif // AIDC_FAILING_STREAMS_H
