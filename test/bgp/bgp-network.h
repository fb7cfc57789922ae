// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_NETWORK_H
#define AIDC_BGP_NETWORK_H

#include "test/test-case.h"

#include "ns3/bgp-speaker.h"
#include "ns3/ethernet-channel.h"
#include "ns3/ethernet-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/multipath-routing-helper.h"

// Speakers on routers that are linked by hand, for the test suites of BGP.

namespace aidctest
{

/// A NOTIFICATION that was traced.
struct SeenNotification
{
    uint32_t speaker; //!< who has seen it
    uint32_t peer;    //!< the peer's number
    bool isSent;      //!< the speaker has sent it
    uint8_t code;     //!< what it says
    uint8_t subcode;  //!< what it says
    double time;      //!< when, in seconds
};

/// Routers with a speaker each. Speaker i is of AS 65001 + i and has the identifier 1.0.0.1 + i.
/// Link k has the network 10.0.k.0/30, of which its first end has .1.
class BgpNetwork
{
  public:
    explicit BgpNetwork(uint32_t n, const Attributes& attributes = {})
    {
        nodes.Create(n);
        InternetStackHelper internet;
        internet.SetRoutingHelper(MultipathRoutingHelper());
        internet.SetIpv6StackInstall(false);
        internet.Install(nodes);
        for (uint32_t i = 0; i < n; ++i)
        {
            const auto speaker = CreateObject<BgpSpeaker>();
            speaker->SetAttribute("As", UintegerValue(65001 + i));
            speaker->SetAttribute("RouterId", Ipv4AddressValue(Ipv4Address(0x01000001 + i)));
            SetAll(speaker, attributes);
            speaker->AssignStreams(i);
            ConnectTrace(
                speaker,
                "Notification",
                [this, i](uint32_t peer, bool isSent, const BgpNotification& what) {
                    notifications.push_back(
                        {i, peer, isSent, what.code, what.subcode, Simulator::Now().GetSeconds()});
                });
            nodes.Get(i)->AddApplication(speaker);
            speakers.push_back(speaker);
        }
    }

    /// Link two routers, without a session.
    uint32_t Link(uint32_t a, uint32_t b)
    {
        EthernetHelper ethernet;
        const auto number = static_cast<uint32_t>(links.size());
        // No two segments arrive at the same time.
        const Time delay = MicroSeconds(10) + NanoSeconds(137 * number);
        ethernet.SetChannelAttribute("Delay", TimeValue(delay));
        links.push_back(ethernet.Install(nodes.Get(a), nodes.Get(b)));
        for (uint32_t end = 0; end < 2; ++end)
        {
            const auto ipv4 = nodes.Get(end == 0 ? a : b)->GetObject<Ipv4>();
            const uint32_t interface = ipv4->AddInterface(links.back().Get(end));
            ipv4->AddAddress(interface, Ipv4InterfaceAddress(GetAddress(number, end), "/30"));
            ipv4->SetUp(interface);
        }
        return number;
    }

    /// end: 0 or 1.
    static Ipv4Address GetAddress(uint32_t link, uint32_t end)
    {
        return Ipv4Address(0x0a000000 + link * 256 + 1 + end);
    }

    /// Link two routers, whose speakers have a session. Returns the numbers of the peers: b's at a,
    /// a's at b.
    std::array<uint32_t, 2> Peer(uint32_t a,
                                 uint32_t b,
                                 BgpPeerSettings atA = {},
                                 BgpPeerSettings atB = {})
    {
        const uint32_t link = Link(a, b);
        atA.address = GetAddress(link, 1);
        atB.address = GetAddress(link, 0);
        atA.as = atA.as == 0 ? 65001 + b : atA.as;
        atB.as = atB.as == 0 ? 65001 + a : atB.as;
        return {speakers[a]->AddPeer(atA), speakers[b]->AddPeer(atB)};
    }

    void SetFailed(uint32_t link, bool isFailed)
    {
        const auto channel = DynamicCast<EthernetChannel>(links[link].Get(0)->GetChannel());
        isFailed ? channel->Fail() : channel->Restore();
    }

    static void RunUntil(double seconds)
    {
        RunFor(Seconds(seconds) - Simulator::Now());
    }

    /// Say whether a session is up.
    bool IsUp(uint32_t speaker, uint32_t peer = 0) const
    {
        return speakers[speaker]->GetSessionState(peer) == BgpSessionState::ESTABLISHED;
    }

    /// Get the routes that a speaker uses.
    const std::vector<BgpRibPath>& GetPaths(uint32_t speaker, const BgpPrefix& prefix) const
    {
        return speakers[speaker]->GetRib().GetPaths(prefix);
    }

    Ptr<MultipathRouting> GetRouting(uint32_t router) const
    {
        return MultipathRoutingHelper::GetRouting(nodes.Get(router));
    }

    NodeContainer nodes;                         //!< the routers
    std::vector<Ptr<BgpSpeaker>> speakers;       //!< their speakers
    std::vector<NetDeviceContainer> links;       //!< both devices of each link
    std::vector<SeenNotification> notifications; //!< of all speakers
    SimulationEnd m_end;                         //!< of this network
};

} // namespace aidctest

#endif // AIDC_BGP_NETWORK_H
