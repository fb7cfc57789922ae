// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-network.h"
#include "test/test-case.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/tcp-header.h"

AIDC_TEST_SUITE("aidc-bgp-hops", UNIT);

/// A network that is announced: 192.0.2.0/24.
const BgpPrefix PREFIX = MakeBgpPrefix(0xc0000200, 24);

/// Bytes of IPv4's and TCP's headers with timestamps: what is longer has a message.
constexpr uint32_t HEADERS = 52;

/// Two speakers on a link, or with a router between them.
class HopsBench
{
  public:
    HopsBench(bool isFar, BgpPeerSettings atA, BgpPeerSettings atB)
        : network(isFar ? 3 : 2),
          last(isFar ? 2 : 1)
    {
        if (!isFar)
        {
            network.Peer(0, 1, atA, atB);
        }
        else
        {
            const uint32_t near = network.Link(0, 1);
            const uint32_t far = network.Link(1, 2);
            const Ipv4Mask mask("/30");
            network.GetRouting(0)->AddRoute(Ipv4Address("10.0.1.0"),
                                            mask,
                                            {NextHop(1, BgpNetwork::GetAddress(near, 1))});
            network.GetRouting(2)->AddRoute(Ipv4Address("10.0.0.0"),
                                            mask,
                                            {NextHop(1, BgpNetwork::GetAddress(far, 0))});
            atA.as = 65003;
            atA.address = BgpNetwork::GetAddress(far, 1);
            atA.localAddress = BgpNetwork::GetAddress(near, 0);
            atB.as = 65001;
            atB.address = BgpNetwork::GetAddress(near, 0);
            atB.localAddress = BgpNetwork::GetAddress(far, 1);
            network.speakers[0]->AddPeer(atA);
            network.speakers[2]->AddPeer(atB);
        }
        ConnectTrace(network.nodes.Get(0)->GetObject<Ipv4L3Protocol>(),
                     "SendOutgoing",
                     [this](const Ipv4Header& header, Ptr<const Packet> packet, uint32_t) {
                         if (packet->GetSize() > HEADERS)
                         {
                             ttls.insert(header.GetTtl());
                             TcpHeader tcp;
                             packet->PeekHeader(tcp);
                             // Up to ns-3.41, segments without data have none.
                             if (packet->GetSize() > tcp.GetLength() * 4U)
                             {
                                 services.insert(header.GetTos());
                             }
                         }
                     });
        network.speakers[0]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
        BgpNetwork::RunUntil(30);
    }

    /// Say whether the session is up.
    bool IsUp() const
    {
        return network.IsUp(0) && network.IsUp(last) && network.GetPaths(last, PREFIX).size() == 1;
    }

    BgpNetwork network;          //!< the routers
    uint32_t last;               //!< the other speaker
    std::set<uint32_t> ttls;     //!< times to live of what 0 has sent
    std::set<uint32_t> services; //!< types of service of it
};

struct Hops
{
    std::string name;
    bool isFar;            //!< there is a router between the speakers
    uint8_t ttl;           //!< of both
    uint8_t minTtl;        //!< of 0
    uint8_t minTtlOfOther; //!< of the other one
    bool isUp;             //!< the session has to come up
    uint32_t sent;         //!< what 0 sends with
};

// How far segments go, and how far they may have come.
AIDC_TEST_CASES(
    Hops,
    row,
    row.name,
    ({{"external peers: TTL 1", false, 0, 0, 0, true, 1},
      {"which goes over no router", true, 0, 0, 0, false, 1},
      {"multihop: over one router", true, 2, 0, 0, true, 2},
      {"RFC 5082, 3: both send and ask for 255", false, 0, 255, 255, true, 255},
      {"RFC 5082, 3: what has less is dropped", false, 1, 255, 0, false, 255},
      {"RFC 5082, 3: a peer behind a router has less than 255", true, 255, 255, 0, false, 255},
      {"RFC 5082, 5.1: and 254 behind one router", true, 0, 254, 254, true, 255}}))
{
    BgpPeerSettings atA;
    atA.ttl = row.ttl;
    atA.minTtl = row.minTtl;
    BgpPeerSettings atB;
    atB.ttl = row.ttl;
    atB.minTtl = row.minTtlOfOther;
    const HopsBench bench(row.isFar, atA, atB);
    NS_TEST_EXPECT_MSG_EQ(bench.IsUp(), row.isUp, "the session");
    const uint64_t nDropped = bench.network.speakers[0]->GetStatistics().tooSmallTtl;
    NS_TEST_EXPECT_MSG_EQ((nDropped > 0), (!row.isUp && row.minTtl > 0), "segments dropped");
    if (row.isUp)
    {
        AIDC_EXPECT(bench.ttls == std::set<uint32_t>{row.sent}, "TTL");
        AIDC_EXPECT(bench.services == std::set<uint32_t>{0xc0}, "CS6 (RFC 4594, section 3.1)");
    }
    if (row.isUp && row.isFar)
    {
        const auto routing = bench.network.GetRouting(bench.last);
        const NextHopGroup* const group = routing->FindTransit(PREFIX.network + 1);
        AIDC_ASSERT(group != nullptr, "the route is written");
        NS_TEST_EXPECT_MSG_EQ(group->members[0].nextHop.gateway,
                              Ipv4Address("10.0.1.1"),
                              "by the router between them");
    }
}

// A session within an AS: routes of such a peer are not told to another one.
AIDC_TEST_CASE("RFC 4271, 9.2: internal peers are told external routes, not internal ones")
{
    // AS 65001: 0 - 1 - 2; 3 is of another AS, at 0
    BgpNetwork network(4);
    for (const uint32_t speaker : {1U, 2U})
    {
        network.speakers[speaker]->SetAttribute("As", UintegerValue(65001));
    }
    BgpPeerSettings internal;
    internal.as = 65001;
    network.Peer(0, 1, internal, internal);
    network.Peer(1, 2, internal, internal);
    network.Peer(3, 0);
    network.speakers[3]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
    network.speakers[1]->Originate(Ipv4Address("198.51.100.0"), Ipv4Mask("/24"));
    BgpNetwork::RunUntil(10);
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(0, PREFIX).size(), 1, "external");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 1, "told within the AS");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(2, PREFIX).size(), 0, "but not twice");
    const BgpPrefix own = MakeBgpPrefix(0xc6336400, 24);
    for (const uint32_t speaker : {0U, 2U, 3U})
    {
        NS_TEST_EXPECT_MSG_EQ(network.GetPaths(speaker, own).size(), 1, "one's own");
    }
    const auto best = network.speakers[1]->GetRib().GetBest(PREFIX);
    AIDC_ASSERT(best != nullptr, "there is a route");
    NS_TEST_EXPECT_MSG_EQ(best->localPref.value_or(0), 100, "LOCAL_PREF is told within an AS");
    AIDC_EXPECT(network.IsUp(2), "sessions are up");
}
