// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-fabric-network.h"
#include "bgp-network.h"
#include "model/core/bgp/bgp-open.h"
#include "model/core/bgp/bgp-update.h"
#include "test/test-case.h"

#include "ns3/bgp-message.h"
#include "ns3/log.h"

NS_LOG_COMPONENT_DEFINE("AidcBgpMaintenanceTest");

AIDC_TEST_SUITE("aidc-bgp-maintenance", SYSTEM);

/// 20.0.1.0/24, of the first router.
const BgpPrefix FIRST = MakeBgpPrefix(0x14000100, 24);

/// 20.0.2.0/24, of the first router, too.
const BgpPrefix SECOND = MakeBgpPrefix(0x14000200, 24);

/// prefix: the network, of 24 bits.
void
Announce(const BgpNetwork& network, uint32_t router, const BgpPrefix& prefix)
{
    network.speakers[router]->Originate(Ipv4Address(prefix.network), Ipv4Mask("/24"));
}

/// What a speaker sends and receives.
struct Messages
{
    explicit Messages(Ptr<BgpSpeaker> speaker)
    {
        ConnectTrace(speaker,
                     "MessageSent",
                     [this](uint32_t peer, BgpMessageType type, const BgpBytes& message) {
                         Take('>', peer, type, message);
                     });
        ConnectTrace(speaker,
                     "MessageReceived",
                     [this](uint32_t peer, BgpMessageType type, const BgpBytes& message) {
                         Take('<', peer, type, message);
                     });
    }

    std::string text;                       //!< of each message, in their order
    std::vector<BgpGracefulRestart> offers; //!< sent

  private:
    /// Record a message. direction: > if it is sent, < if it has come.
    void Take(char direction, uint32_t peer, BgpMessageType type, const BgpBytes& message)
    {
        if (type == BgpMessageType::UPDATE)
        {
            text += direction + std::to_string(peer) +
                    (message == EncodeBgpEndOfRib() ? "end " : "routes ");
        }
        else if (type == BgpMessageType::OPEN && direction == '>')
        {
            const BgpOpen open =
                DecodeBgpOpen(message.data() + BGP_HEADER_SIZE, message.size() - BGP_HEADER_SIZE)
                    .open;
            offers.push_back(open.capabilities.gracefulRestart.value_or(BgpGracefulRestart()));
        }
    }
};

bool
Has(const BgpNetwork& network, uint32_t router, const BgpPrefix& prefix)
{
    return network.GetRouting(router)->FindTransit(prefix.network + 1) != nullptr;
}

// A speaker restarts, and its node forwards (RFC 4724, section 4.1). Of three routers in a row, the
// first one announces networks and the one in the middle restarts.
AIDC_TEST_CASE("RFC 4724, 4.1: a speaker restarts, defers its choice, and removes stale routes")
{
    {
        BgpNetwork network(3, {{"GracefulRestart", "true"}});
        network.Peer(0, 1);
        network.Peer(1, 2);
        Announce(network, 0, FIRST);
        Announce(network, 0, SECOND);
        BgpNetwork::RunUntil(10);
        AIDC_ASSERT(Has(network, 2, SECOND), "all is told");
        Messages messages(network.speakers[1]);
        network.speakers[1]->Restart(Seconds(20));
        BgpNetwork::RunUntil(15);
        AIDC_EXPECT(!(network.IsUp(1, 0) || network.IsUp(1, 1)), "it is away");
        for (const uint32_t router : {1U, 2U})
        {
            AIDC_EXPECT(Has(network, router, FIRST), "forwards as before");
            AIDC_EXPECT(Has(network, router, SECOND), "forwards as before");
        }
        NS_TEST_EXPECT_MSG_EQ(network.speakers[2]->GetRib().CountStale(0), 2, "stale");
        network.speakers[0]->Withdraw(Ipv4Address(SECOND.network), Ipv4Mask("/24"));
        BgpNetwork::RunUntil(29);
        AIDC_EXPECT(Has(network, 2, SECOND), "nobody can know");
        BgpNetwork::RunUntil(60);
        for (const uint32_t router : {1U, 2U})
        {
            AIDC_EXPECT(Has(network, router, FIRST), "still there");
            AIDC_EXPECT(!Has(network, router, SECOND), "gone meanwhile");
        }
        NS_TEST_EXPECT_MSG_EQ(network.speakers[2]->GetRib().CountStale(0), 0, "all is fresh");
        NS_TEST_EXPECT_MSG_EQ(network.speakers[0]->GetStatistics().endsOfRib, 2, "two times");
        // It is told first: no UPDATE leaves it before End-of-RIB has come from both.
        const std::size_t sent = messages.text.find('>');
        NS_TEST_ASSERT_MSG_NE(sent, std::string::npos, "it sends");
        const std::string before = messages.text.substr(0, sent);
        NS_TEST_EXPECT_MSG_NE(before.find("<0end"), std::string::npos, messages.text);
        NS_TEST_EXPECT_MSG_NE(before.find("<1end"), std::string::npos, messages.text);
        NS_TEST_EXPECT_MSG_NE(messages.text.find(">1routes >1end"),
                              std::string::npos,
                              messages.text);
        NS_TEST_EXPECT_MSG_NE(messages.text.find(">0end"), std::string::npos, messages.text);
        AIDC_ASSERT(messages.offers.size() >= 2, "OPENs");
        for (const BgpGracefulRestart& offer : messages.offers)
        {
            AIDC_EXPECT(offer.isRestarting && offer.families[0].isForwardingKept, "R and F");
        }
        messages.offers.clear();
        network.speakers[1]->ResetPeer(0);
        BgpNetwork::RunUntil(100);
        AIDC_ASSERT(!messages.offers.empty(), "OPENs");
        AIDC_EXPECT(!messages.offers.back().isRestarting, "R is of a restart");
        AIDC_EXPECT(Has(network, 2, FIRST), "at the end");
    }
    {
        // The last router is away, which nobody has noticed: the deferral time decides.
        BgpNetwork network(3,
                           {{"GracefulRestart", "true"},
                            {"WatchLinks", "false"},
                            {"SelectionDeferralTime", "30s"}});
        network.Peer(0, 1);
        network.Peer(1, 2);
        Announce(network, 0, FIRST);
        BgpNetwork::RunUntil(10);
        network.SetFailed(1, true);
        network.speakers[0]->Withdraw(Ipv4Address(FIRST.network), Ipv4Mask("/24"));
        network.speakers[1]->Restart(Seconds(1)); // before the withdrawal comes
        Announce(network, 0, SECOND);
        BgpNetwork::RunUntil(40.9);
        AIDC_EXPECT(network.IsUp(1, 0), "one peer is back");
        AIDC_EXPECT(Has(network, 1, FIRST), "deferred");
        AIDC_EXPECT(!Has(network, 1, SECOND), "deferred");
        BgpNetwork::RunUntil(41.1);
        AIDC_EXPECT(!Has(network, 1, FIRST), "chosen");
        AIDC_EXPECT(Has(network, 1, SECOND), "chosen");
    }
    for (const bool isLink : {false, true})
    {
        // A peer that has no link, or that the user has stopped, is not waited for.
        BgpNetwork network(3, {{"GracefulRestart", "true"}});
        network.Peer(0, 1);
        network.Peer(1, 2);
        Announce(network, 0, FIRST);
        BgpNetwork::RunUntil(10);
        network.speakers[2]->StopPeer(0);
        BgpNetwork::RunUntil(11);
        network.speakers[0]->Withdraw(Ipv4Address(FIRST.network), Ipv4Mask("/24"));
        network.speakers[1]->Restart(Seconds(1));
        BgpNetwork::RunUntil(20);
        AIDC_EXPECT(network.IsUp(1, 0), "one peer is back");
        AIDC_EXPECT(Has(network, 1, FIRST), "deferred for the other one");
        isLink ? network.SetFailed(1, true) : network.speakers[1]->StopPeer(1);
        BgpNetwork::RunUntil(20.01);
        AIDC_EXPECT(!Has(network, 1, FIRST), "chosen");
    }
    {
        // Two neighbors restart at once, and do not wait for each other.
        BgpNetwork network(2, {{"GracefulRestart", "true"}});
        network.Peer(0, 1);
        Announce(network, 0, FIRST);
        BgpNetwork::RunUntil(10);
        network.speakers[0]->Restart(Seconds(5));
        network.speakers[1]->Restart(Seconds(5));
        BgpNetwork::RunUntil(12);
        AIDC_EXPECT(Has(network, 1, FIRST), "kept");
        BgpNetwork::RunUntil(60);
        NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, FIRST).size(), 1, "chosen");
        NS_TEST_EXPECT_MSG_EQ(network.speakers[1]->GetRib().CountReceived(0), 1, "told");
        NS_TEST_EXPECT_MSG_EQ(network.speakers[1]->GetRib().CountStale(0), 0, "fresh");
    }
    BgpNetwork network(3);
    network.Peer(0, 1);
    network.Peer(1, 2);
    Announce(network, 0, FIRST);
    BgpNetwork::RunUntil(10);
    network.speakers[1]->Restart(Seconds(20));
    BgpNetwork::RunUntil(11);
    AIDC_EXPECT(!Has(network, 1, FIRST), "off: the table is lost");
    AIDC_EXPECT(!Has(network, 2, FIRST), "off: nothing is kept");
    BgpNetwork::RunUntil(60);
    AIDC_EXPECT(Has(network, 2, FIRST), "back");
}

// A session, and a router, are shut down gracefully (RFC 8326). Two routers lead from the first one
// to the last one.
AIDC_TEST_CASE("RFC 8326, 4: the other path is used before a session is shut down")
{
    BgpNetwork network(4);
    network.Peer(0, 1);
    network.Peer(0, 2);
    network.Peer(1, 3);
    network.Peer(2, 3);
    Announce(network, 0, FIRST);
    Announce(network, 3, SECOND);
    BgpNetwork::RunUntil(10);
    const auto count = [&network](uint32_t router, const BgpPrefix& prefix) {
        return network.GetPaths(router, prefix).size();
    };
    NS_TEST_ASSERT_MSG_EQ(count(3, FIRST), 2, "both");
    // One session: both of its ends use the other path.
    network.speakers[1]->SetGracefulShutdown(1, true);
    BgpNetwork::RunUntil(11);
    NS_TEST_ASSERT_MSG_EQ(count(3, FIRST), 1, "not by the session");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(3, FIRST)[0].peer, 1, "but by router 2");
    NS_TEST_EXPECT_MSG_EQ(count(1, SECOND), 1, "there is no other path");
    NS_TEST_ASSERT_MSG_EQ(count(0, SECOND), 1, "router 1 tells it on with the community");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(0, SECOND)[0].peer, 1, "so by router 2");
    network.speakers[1]->StopPeer(1);
    BgpNetwork::RunUntil(12);
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(3, FIRST)[0].peer, 1, "as before");
    network.speakers[1]->SetGracefulShutdown(1, false);
    network.speakers[1]->StartPeer(1);
    BgpNetwork::RunUntil(30);
    NS_TEST_EXPECT_MSG_EQ(count(3, FIRST), 2, "both again");
    NS_TEST_EXPECT_MSG_EQ(count(0, SECOND), 2, "both again");
    // All sessions of a router
    network.speakers[2]->SetGracefulShutdown(true);
    BgpNetwork::RunUntil(31);
    NS_TEST_ASSERT_MSG_EQ(count(3, FIRST), 1, "not by router 2");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(3, FIRST)[0].peer, 0, "but by router 1");
    NS_TEST_EXPECT_MSG_EQ(count(0, SECOND), 1, "and in the other direction");
    network.speakers[1]->StopPeer(1);
    BgpNetwork::RunUntil(32);
    NS_TEST_EXPECT_MSG_EQ(count(3, FIRST), 1, "if there is no other path, it is used");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(3, FIRST)[0].peer, 1, "by router 2");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[3]->GetRib().GetBest(FIRST)->localPref.value_or(100),
                          0,
                          "the lowest one");
}

/// Flows from each host that sends; hashes spread them.
constexpr uint32_t N_FLOWS = 8;

/// Bytes of data of a packet.
constexpr uint32_t DATA = 100;

/// Bytes of its headers of IPv4 and UDP.
constexpr uint32_t HEADERS = 28;

/// What happens to a spine.
enum class Event
{
    RESTART,       //!< its speaker restarts
    STOP,          //!< all of its sessions stop
    DRAIN_AND_STOP //!< so, after a drain
};

/// Traffic in a fat-tree while a spine restarts or is taken out. Eight hosts in two pods send to
/// the hosts in the other two pods, a packet a microsecond around the event. With graceful restart,
/// or after a drain, no packet is lost. Without either, the spine loses its routes before its
/// neighbors know: a link of 1 us and the hop before it are full of packets.
class FabricTestCase : public TestCase
{
  public:
    FabricTestCase(Event event, bool isGraceful, bool isLossy)
        : TestCase(std::string("traffic of a fat-tree, ") + GetName(event) +
                   (isGraceful ? ", graceful restart" : "") + (isLossy ? ": loss" : ": no loss")),
          m_event(event),
          m_isGraceful(isGraceful),
          m_isLossy(isLossy)
    {
    }

  private:
    /// Write an event.
    static const char* GetName(Event event)
    {
        static constexpr const char* NAMES[] = {"a spine restarts",
                                                "a spine stops",
                                                "a spine is drained and stops"};
        return NAMES[static_cast<std::size_t>(event)];
    }

    void DoRun() override
    {
        const FabricPlan plan = MakeFatTree(4, 100000000000, 1000);
        m_fabric = std::make_unique<BgpFabricNetwork>(plan, [this](BgpFabricHelper& bgp) {
            bgp.SetSpeakerAttribute("GracefulRestart", BooleanValue(m_isGraceful));
            bgp.SetSpeakerAttribute("IdleHoldTime", TimeValue(MilliSeconds(20)));
        });
        AIDC_ASSERT(m_fabric->Settle(1), "settled");
        const auto nHosts = static_cast<uint32_t>(plan.GetHosts().size());
        for (uint32_t i = nHosts / 2; i < nHosts; ++i)
        {
            m_receivers.push_back(MakeSocket(i));
            m_receivers.back()->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
            const InetSocketAddress receiver(m_fabric->network.GetAddress(NodeIndex(i)), 9);
            for (uint32_t flow = 0; flow < N_FLOWS; ++flow)
            {
                m_senders.push_back(MakeSocket(i - nHosts / 2));
                m_senders.back()->Connect(receiver);
            }
        }
        m_spine = FindSpine(plan);
        const auto speaker = m_fabric->bgp.GetSpeaker(m_spine);
        for (PortIndex port; port < plan.GetPorts(m_spine).GetEnd(); ++port)
        {
            ConnectTrace(m_fabric->network.GetPort(m_spine, port),
                         "MacTx",
                         [this](Ptr<const Packet> packet) {
                             m_nForwarded += packet->GetSize() == DATA + HEADERS ? 1 : 0;
                         });
        }
        Send(MicroSeconds(300));
        NS_TEST_EXPECT_MSG_GT(m_nForwarded, 100, "the spine carries traffic");
        Simulator::Schedule(MicroSeconds(100), &FabricTestCase::Begin, this);
        Send(MicroSeconds(150));
        const uint32_t before = m_nForwarded;
        Send(MicroSeconds(150));
        NS_TEST_EXPECT_MSG_EQ((m_nForwarded > before + 50),
                              (m_event == Event::RESTART && m_isGraceful),
                              "50 us after the event, traffic takes other ways or stays");
        if (m_event == Event::RESTART)
        {
            for (int i = 0; i < 100; ++i) // until after the outage, and the return of all sessions
            {
                Send(MicroSeconds(2));
                RunFor(MilliSeconds(2));
            }
            AIDC_EXPECT(m_fabric->Settle(5), "settled again");
            NS_TEST_EXPECT_MSG_EQ(m_fabric->Compare(), "", "tables");
            for (uint32_t peer = 0; peer < speaker->GetNPeers(); ++peer)
            {
                NS_TEST_EXPECT_MSG_EQ(speaker->GetRib().CountStale(peer), 0, "all is fresh");
            }
        }
        RunFor(MilliSeconds(1));
        uint32_t nReceived = 0;
        for (const auto& socket : m_receivers)
        {
            while (socket->Recv())
            {
                ++nReceived;
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_nSent, 4000, "sent");
        NS_TEST_EXPECT_MSG_EQ((nReceived < m_nSent),
                              m_isLossy,
                              m_nSent - nReceived << " of " << m_nSent << " packets are lost");
        NS_LOG_INFO(TestCase::GetName()
                    << ": " << m_nSent - nReceived << " of " << m_nSent << " packets are lost");
        m_receivers.clear();
        m_senders.clear();
        m_fabric = nullptr;
    }

    /// Find a spine of the first pod.
    static NodeIndex FindSpine(const FabricPlan& plan)
    {
        for (const NodeIndex node : plan.GetSwitches())
        {
            if (plan.GetNode(node).tier == FabricTier::SPINE)
            {
                return node;
            }
        }
        return NodeIndex(0);
    }

    Ptr<Socket> MakeSocket(uint32_t host) const
    {
        return Socket::CreateSocket(m_fabric->network.GetNode(NodeIndex(host)),
                                    UdpSocketFactory::GetTypeId());
    }

    /// The event happens.
    void Begin()
    {
        const auto speaker = m_fabric->bgp.GetSpeaker(m_spine);
        const auto stop = [speaker] {
            for (uint32_t peer = 0; peer < speaker->GetNPeers(); ++peer)
            {
                speaker->StopPeer(peer);
            }
        };
        switch (m_event)
        {
        case Event::RESTART:
            speaker->Restart(MilliSeconds(50));
            break;
        case Event::STOP:
            stop();
            break;
        case Event::DRAIN_AND_STOP:
            m_fabric->bgp.Drain(m_spine);
            Simulator::Schedule(MicroSeconds(100), stop);
            break;
        }
    }

    /// Send a packet a microsecond and host, and simulate.
    void Send(const Time& time)
    {
        for (int64_t i = 0; i < time.GetMicroSeconds(); ++i)
        {
            for (std::size_t flow = m_nTurns % N_FLOWS; flow < m_senders.size(); flow += N_FLOWS)
            {
                Simulator::Schedule(MicroSeconds(i), [socket = m_senders[flow]] {
                    socket->Send(Create<Packet>(DATA));
                });
            }
            m_nSent += static_cast<uint32_t>(m_receivers.size());
            m_nTurns += 1;
        }
        RunFor(time);
    }

    Event m_event;                              //!< what happens
    bool m_isGraceful;                          //!< graceful restart is on
    bool m_isLossy;                             //!< packets are lost
    std::unique_ptr<BgpFabricNetwork> m_fabric; //!< the fabric
    std::vector<Ptr<Socket>> m_senders;         //!< by host and flow
    std::vector<Ptr<Socket>> m_receivers;       //!< by host
    NodeIndex m_spine;                          //!< the switch
    uint32_t m_nForwarded{0};                   //!< packets that it has forwarded
    uint32_t m_nSent{0};                        //!< packets
    uint32_t m_nTurns{0};                       //!< packets of a host
};

AIDC_ADD_TEST_CASES()
{
    AddTestCase(new FabricTestCase(Event::RESTART, true, false));
    AddTestCase(new FabricTestCase(Event::RESTART, false, true));
    AddTestCase(new FabricTestCase(Event::STOP, false, true));
    AddTestCase(new FabricTestCase(Event::DRAIN_AND_STOP, false, false));
}
