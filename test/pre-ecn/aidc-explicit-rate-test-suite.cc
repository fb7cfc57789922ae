// SPDX-License-Identifier: GPL-2.0-only

// The loop of explicit rates, packet by packet: a far core router tells the ingress PE the rates of
// flows, notifications are lost or wait, and keys change.

#include "edge-network.h"
#include "test/test-case.h"

#include "ns3/congestion-notifier.h"
#include "ns3/error-model.h"
#include "ns3/pre-ecn-queue-disc.h"
#include "ns3/shared-buffer.h"

// Rates that routers tell, and keys with numbers.
AIDC_TEST_SUITE("aidc-explicit-rate", UNIT);

/// The link from C1 to P2, in bit/s.
constexpr double LINK = 40e6;
/// Bytes of a packet at the PE.
constexpr uint32_t BYTES = 250;
/// Bytes of it on the link: an outer header, and a frame of Ethernet with preamble and gap.
constexpr uint32_t LINK_BYTES = BYTES + 20 + 38;

/// What is different from one case to the next.
struct LoopSettings
{
    Time delay{MilliSeconds(5)}; //!< from P1 to C1
    uint32_t nFlows{2};          //!< flows
    double load{2};              //!< what they send, as a multiple of the link
    double nDelays{12};          //!< how long, in feedback delays
    double lost{0};              //!< part of the notifications that is lost
    bool isBackCongested{false}; //!< whether the way back is congested
    uint32_t nLate{0};           //!< flows that begin in the middle
    Attributes notifier{};       //!< attributes of the notifier
    std::string limit{};         //!< the rate to which the PE limits the tunnel; empty for none
    Attributes edge{};           //!< attributes of the PE's controller
    std::string encapsulation{"IpInIp"}; //!< of the tunnel
    uint32_t header{20};                 //!< bytes that this adds
};

/// Flows from A to B at constant rates, more than the link from C1 to P2 takes. What is too much
/// waits at P1, once P1 knows.
class Loop
{
  public:
    /// Constructor. Runs the loop.
    explicit Loop(const LoopSettings& settings)
        : m_settings(settings),
          m_network(settings.edge, MakeNetworkSettings(settings)),
          m_end(settings.nDelays * 2 * settings.delay.GetSeconds())
    {
        const auto port = m_network.GetPort(TunnelNetwork::C1, TunnelNetwork::P2);
        port->SetAttribute("DataRate", StringValue("40Mbps"));
        m_network.GetPort(TunnelNetwork::P1, TunnelNetwork::C1)
            ->GetChannel()
            ->SetAttribute("Delay", TimeValue(settings.delay));
        m_network.controller->GetShaper()->SetAttribute("Burst", UintegerValue(2 * BYTES));
        m_network.controller->GetShaper()->SetAttribute("BufferSize", StringValue("500MB"));
        m_queueDisc = CreateObject<PreEcnQueueDisc>();
        SetAll(m_queueDisc,
               {{"T1", "5kB"}, {"T2", "6kB"}, {"Maximum", "30MB"}, {"AverageWeight", "1"}});
        SetAll(m_queueDisc, {{"Guard", "Off"}, {"BufferSize", "60MB"}});
        m_queueDisc->AssignStreams(1);
        const auto c1 = m_network.nodes.Get(TunnelNetwork::C1);
        c1->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(port, m_queueDisc);
        ConnectTrace(m_queueDisc->GetQueue(), "Occupancy", [this](uint64_t, uint64_t bytes) {
            longest = std::max(longest, bytes);
        });
        notifier = CreateObject<CongestionNotifier>();
        notifier->SetAttribute("FeedbackDelay", TimeValue(2 * settings.delay + MicroSeconds(100)));
        SetAll(notifier, settings.notifier);
        notifier->Install(c1);
        if (!settings.limit.empty())
        {
            m_network.controller->LimitTunnels({m_network.there}, DataRate(settings.limit), 38);
        }
        // Before the late ones begin
        Simulator::Schedule(Seconds(m_end / 2 - 1e-6),
                            [this] { beginnings = GetEdge().GetStatistics().limitedBeginnings; });
        Impair();
        for (uint32_t i = 0; i < settings.nFlows; ++i)
        {
            const bool isLate = i + settings.nLate >= settings.nFlows;
            Emit(static_cast<uint16_t>(i + 1), isLate ? m_end / 2 : 1e-6 * i);
        }
        RunFor(Seconds(m_end));
        Evaluate();
    }

    double utilization{0};  //!< of the link in the last third
    double fairness{0};     //!< Jain's index of what has left by the link in the last third
    uint64_t longest{0};    //!< queue in bytes
    uint64_t dropped{0};    //!< packets that C1 has dropped
    uint64_t beginnings{0}; //!< limited beginnings in the first half
    Ptr<CongestionNotifier> notifier; //!< of C1

    IngressEdgeController& GetEdge()
    {
        return *m_network.controller;
    }

    /// Returns notifications that P1 has refused, as they are of no flow of its own.
    uint64_t GetUnknown()
    {
        return m_network.refused[IngressEdgeController::Refusal::UNKNOWN_FLOW];
    }

    /// Returns bytes that the link sends in a feedback delay, without frames.
    double GetPipe() const
    {
        return LINK / 8 * 2 * m_settings.delay.GetSeconds() * (BYTES + 20) / LINK_BYTES;
    }

  private:
    static TunnelNetwork::Settings MakeNetworkSettings(const LoopSettings& loop)
    {
        auto settings = EdgeNetwork::MakeSettings();
        settings.tunnel = {{"EgressMode", "PipeForEct1"}, {"Encapsulation", loop.encapsulation}};
        return settings;
    }

    /// Lose notifications, or let them wait: nothing else goes from C1 to P1.
    void Impair()
    {
        if (m_settings.lost > 0)
        {
            auto errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(m_settings.lost);
            errors->AssignStreams(7);
            m_network.GetPort(TunnelNetwork::P1, TunnelNetwork::C1)
                ->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        if (m_settings.isBackCongested)
        {
            // With the notifications, 38 Mbit/s from B to A are more than 40: they wait ever
            // longer.
            m_network.GetPort(TunnelNetwork::C1, TunnelNetwork::P1)
                ->SetAttribute("DataRate", StringValue("40Mbps"));
            EmitBack(38e6);
        }
    }

    /// Send packets back at a constant rate. rate: bit/s on the link.
    void EmitBack(double rate)
    {
        DatagramSpec spec;
        spec.size = 500;
        auto bytes = MakeDatagram(spec);
        // From 10.2.0.2 to 10.1.0.2: the sum of the header is the same.
        std::swap_ranges(bytes.begin() + 12, bytes.begin() + 16, bytes.begin() + 16);
        m_network.Send(bytes, TunnelNetwork::B);
        Simulator::ScheduleWithContext(m_network.nodes.Get(TunnelNetwork::B)->GetId(),
                                       Seconds(8 * (500 + 58) / rate),
                                       &Loop::EmitBack,
                                       this,
                                       rate);
    }

    void Emit(uint16_t port, double begin)
    {
        Simulator::ScheduleWithContext(m_network.nodes.Get(TunnelNetwork::A)->GetId(),
                                       Seconds(begin),
                                       &Loop::Send,
                                       this,
                                       port);
    }

    /// Send a packet of a flow, and the next ones.
    void Send(uint16_t port)
    {
        DatagramSpec spec;
        spec.size = BYTES;
        spec.port = port;
        spec.tos = 2; // ECT(0)
        m_network.Send(MakeDatagram(spec));
        const double rate = m_settings.load * LINK / m_settings.nFlows;
        Emit(port, 8 * LINK_BYTES / rate);
    }

    /// Compute what came of it.
    void Evaluate()
    {
        std::map<uint32_t, double> bytes;
        double sum = 0;
        for (const auto& [time, packet] : m_network.sent[{TunnelNetwork::C1, TunnelNetwork::P2}])
        {
            if (static_cast<double>(time) > 2e9 / 3 * m_end)
            {
                const uint32_t size = BYTES + m_settings.header + 38;
                bytes[Get16(packet, m_settings.header + 20)] += size;
                sum += size;
            }
        }
        double squares = 0;
        for (const auto& [port, each] : bytes)
        {
            squares += each * each;
        }
        utilization = 8 * sum / (m_end / 3) / LINK;
        fairness = sum * sum / squares / m_settings.nFlows;
        dropped = m_queueDisc->GetStats().nTotalDroppedPackets;
    }

    LoopSettings m_settings;          //!< what is different
    EdgeNetwork m_network;            //!< the network
    double m_end;                     //!< when it ends, in s
    Ptr<PreEcnQueueDisc> m_queueDisc; //!< of C1
};

// Long flows and a router that is 5, 20, 50 ms away from the edge. Expected results: twice the
// link's rate arrives until the notification of the first mark has taken effect, a feedback delay D
// later. So the longest queue is C D, and what comes in a measurement besides. From then on the
// link is never idle, and flows have equal shares.
AIDC_TEST_CASE("long flows share a far link without losses")
{
    for (const int64_t ms : {5, 20, 50})
    {
        for (const uint32_t n : {2, 16, 64})
        {
            LoopSettings settings;
            settings.delay = MilliSeconds(ms);
            settings.nFlows = n;
            Loop loop(settings);
            const auto name = std::to_string(ms) + " ms, " + std::to_string(n) + " flows";
            NS_TEST_EXPECT_MSG_GT(loop.utilization, 0.95, name);
            NS_TEST_EXPECT_MSG_GT(loop.fairness, 0.95, name);
            NS_TEST_EXPECT_MSG_EQ(loop.dropped, 0, name);
            const auto longest = static_cast<double>(loop.longest);
            NS_TEST_EXPECT_MSG_GT(longest, 0.9 * loop.GetPipe(), name);
            // Some packets of each flow, of which a measurement needs 16
            NS_TEST_EXPECT_MSG_LT(longest, 1.15 * loop.GetPipe() + 20'000, name);
            NS_TEST_EXPECT_MSG_GT(loop.notifier->GetStatistics().rates, 0, name);
        }
    }
}

// Notifications that are lost, or wait behind data. Expected results: what is told is told again
// each D/8, so with half of the notifications lost, a flow hears of its share D/8 later on average.
// With a loop that is longer by a half than the router knows, a gain of 1/4 is still far from the
// bound of pi/2 (ComputeExplicitRate()).
AIDC_TEST_CASE("lost and late notifications")
{
    for (const double lost : {0.01, 0.1, 0.5})
    {
        LoopSettings settings;
        settings.delay = MilliSeconds(20);
        settings.nFlows = 16;
        settings.lost = lost;
        Loop loop(settings);
        NS_TEST_EXPECT_MSG_GT(loop.utilization, 0.95, lost);
        NS_TEST_EXPECT_MSG_GT(loop.fairness, 0.95, lost);
        NS_TEST_EXPECT_MSG_EQ(loop.dropped, 0, lost);
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(loop.longest), 1.5 * loop.GetPipe(), lost);
    }
    LoopSettings settings;
    settings.delay = MilliSeconds(20);
    settings.nFlows = 16;
    settings.isBackCongested = true;
    Loop loop(settings);
    NS_TEST_EXPECT_MSG_GT(loop.utilization, 0.95, "late");
    NS_TEST_EXPECT_MSG_GT(loop.fairness, 0.95, "late");
    NS_TEST_EXPECT_MSG_EQ(loop.dropped, 0, "late");
    NS_TEST_EXPECT_MSG_LT(static_cast<double>(loop.longest), 2 * loop.GetPipe(), "late");
}

// What spares the router a queue: flows that begin with the share of others, and a limit of the
// tunnel. Expected results: four flows share the link; when a fifth begins with a quarter of it,
// the queue grows by C D/4. With the tunnel limited to the link, whatever its encapsulation adds,
// no queue is longer than some packets. The PE's shares of five flows of 2 C/5 are C/5.
AIDC_TEST_CASE("flows begin with the share of others, and a limit keeps the queue short")
{
    LoopSettings settings;
    settings.delay = MilliSeconds(5);
    settings.nFlows = 5;
    settings.load = 2;
    settings.nLate = 1;
    settings.nDelays = 40;
    {
        Loop late(settings);
        NS_TEST_EXPECT_MSG_EQ(late.GetEdge().GetStatistics().limitedBeginnings,
                              late.beginnings + 1,
                              "the late one");
        NS_TEST_EXPECT_MSG_GT(late.fairness, 0.95, "it has its share");
        NS_TEST_EXPECT_MSG_EQ(late.dropped, 0, "nothing is lost");
    }
    settings.nLate = 0;
    settings.limit = "40Mbps";
    for (const auto& [encapsulation, header] :
         std::vector<std::pair<std::string, uint32_t>>{{"IpInIp", 20}, {"Gre", 24}, {"Vxlan", 50}})
    {
        settings.encapsulation = encapsulation;
        settings.header = header;
        Loop limited(settings);
        NS_TEST_EXPECT_MSG_LT(limited.longest, 5'000, "below T1 with " << encapsulation);
        NS_TEST_EXPECT_MSG_GT(limited.utilization, 0.98, "and busy");
        if (encapsulation != "Vxlan") // whose inner header is elsewhere
        {
            NS_TEST_EXPECT_MSG_GT(limited.fairness, 0.95, "shared by the PE alone");
        }
    }
}

// Flows that are much faster than the limit of their tunnels. Expected results: with limits of
// twice the link, as two PEs have it, twice the link's rate arrives for a feedback delay D,
// whatever flows would send: C D. What has come to the PE before waits there, at the rates that are
// told. Until all flows are told, each sends four packets more, and half of them is too much: two
// are measured, it is told of by one, and one has its turn at the PE already.
AIDC_TEST_CASE("the buffer is that of the limits, however fast flows are")
{
    for (const uint32_t n : {2, 8, 64})
    {
        LoopSettings settings;
        settings.nFlows = n;
        settings.load = 20;
        settings.limit = "80Mbps";
        Loop loop(settings);
        NS_TEST_EXPECT_MSG_GT(loop.utilization, 0.95, n);
        NS_TEST_EXPECT_MSG_GT(loop.fairness, 0.95, n);
        NS_TEST_EXPECT_MSG_EQ(loop.dropped, 0, n);
        const auto longest = static_cast<double>(loop.longest);
        NS_TEST_EXPECT_MSG_GT(longest, 0.9 * loop.GetPipe(), n);
        const double more = 5'000 + 4.0 / 2 * n * (BYTES + 20); // with T1
        NS_TEST_EXPECT_MSG_LT(longest, 1.05 * loop.GetPipe() + more, n);
    }
}

// Rates of tunnels in place of flows. Expected results: a tunnel of 64 flows is told one rate, the
// link's, so the queue is as short as with flows, by a notification each D/8. A PE whose
// Granularity is Flow refuses notifications of tunnels: it cannot tell which flow they are of.
AIDC_TEST_CASE("tunnels are told their rates")
{
    LoopSettings settings;
    settings.nFlows = 64;
    settings.notifier = {{"Granularity", "Tunnel"}};
    settings.edge = {{"Granularity", "Tunnel"}};
    {
        Loop loop(settings);
        NS_TEST_EXPECT_MSG_GT(loop.utilization, 0.95, "the link is busy");
        NS_TEST_EXPECT_MSG_EQ(loop.dropped, 0, "nothing is lost");
        const auto longest = static_cast<double>(loop.longest);
        NS_TEST_EXPECT_MSG_GT(longest, 0.9 * loop.GetPipe(), "what arrives in a delay");
        NS_TEST_EXPECT_MSG_LT(longest, 1.15 * loop.GetPipe() + 20'000, "and no more");
        const auto& statistics = loop.notifier->GetStatistics();
        const uint64_t n = statistics.rates + statistics.light + statistics.severe;
        NS_TEST_EXPECT_MSG_LT(n, 2 * 8 * settings.nDelays, "few notifications");
        NS_TEST_EXPECT_MSG_EQ(loop.GetUnknown(), 0, "none is refused");
    }
    settings.edge = {};
    settings.nDelays = 2;
    Loop refused(settings);
    NS_TEST_EXPECT_MSG_GT(refused.GetUnknown(), 0, "of no flow");
    NS_TEST_EXPECT_MSG_EQ(refused.GetEdge().GetStatistics().rateReductions, 0, "no effect");
}

// The bound of notifications: 200 flows of which each would be told each 1.26 ms. Expected results:
// with 2 Mbit/s, and 146 bytes a notification, there are 1,712 a second, besides one for each of
// the flows for which there is room at once. The rates hold as long as that takes.
AIDC_TEST_CASE("notifications do not exceed MaxRate")
{
    LoopSettings settings;
    settings.nFlows = 200;
    settings.nDelays = 50;
    settings.notifier = {{"MaxRate", "2Mbps"}, {"MaxFlows", "200"}};
    Loop loop(settings);
    const auto& statistics = loop.notifier->GetStatistics();
    const uint64_t n = statistics.rates + statistics.light + statistics.severe;
    NS_TEST_EXPECT_MSG_LT(n, 2 * 200 + 0.5 * 1713, "no more than the bound");
    NS_TEST_EXPECT_MSG_GT(n, 199, "but each flow is told");
    NS_TEST_EXPECT_MSG_GT(loop.utilization, 0.95, "which is enough");
    NS_TEST_EXPECT_MSG_EQ(loop.dropped, 0, "which is enough");
}

// A domain changes its key while notifications go on. Expected results: first the PE has both keys,
// then the router signs with the new one, then the PE has only that: no notification is refused.
// Then a router with the old key is refused, as is one with a key that nobody knows.
AIDC_TEST_CASE("keys are changed without losing a notification")
{
    if (!NotificationKey::IsAvailable())
    {
        return;
    }
    const std::string first = "1:000102030405060708090a0b0c0d0e0f";
    const std::string second = "2:101112131415161718191a1b1c1d1e1f";
    EdgeNetwork network(Attributes{{"Key", first}});
    const auto receive = [&network](const std::string& key, uint32_t n) {
        for (uint32_t i = 0; i < n; ++i)
        {
            network.key = NotificationKey::Parse(key);
            const auto bytes =
                network.MakeNotification(EdgeNetwork::GetFlow(1), CongestionSeverity::LIGHT);
            network.Receive(bytes);
        }
    };
    const auto set = [&network](const std::string& keys) {
        network.controller->SetAttribute("Key", StringValue(keys));
    };
    receive(first, 10);
    set(first + "," + second);
    receive(first, 10);
    receive(second, 10);
    set(second);
    receive(second, 10);
    const auto& statistics = network.controller->GetReceiver().GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 40, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(network.refused.size(), 0, "nothing is refused");
    receive(first, 3);
    receive("9:" + second.substr(2), 4);
    NS_TEST_EXPECT_MSG_EQ(statistics.unknownKey, 7, "revoked or unknown");
    receive("2:" + first.substr(2), 5);
    NS_TEST_EXPECT_MSG_EQ(statistics.unauthentic, 5, "forged");
    NS_TEST_EXPECT_MSG_EQ(network.accepted, 40, "none of them counts");
    for (const auto& wrong :
         std::vector<std::string>{"1:00", "x", "1:" + first.substr(2) + "," + first, ","})
    {
        const bool isTaken = network.controller->SetAttributeFailSafe("Key", StringValue(wrong));
        AIDC_EXPECT(!isTaken, wrong);
    }
}
