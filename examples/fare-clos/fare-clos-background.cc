/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fare-clos-background.h"

#include "ns3/inet-socket-address.h"
#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <utility>

namespace ns3::aidc
{

namespace
{

/// The payload of a packet.
constexpr uint32_t PAYLOAD = 4096;
/// Its headers of IPv4 and UDP.
constexpr uint32_t HEADERS = 20 + 8;
/// The port that receives (RFC 863).
constexpr uint16_t DISCARD = 9;
/// The type of service with the DSCP CS5, whose class goes before that of RoCEv2 (26).
constexpr uint8_t TYPE_OF_SERVICE = 40 << 2;
/// The random variable stream of the times at which switches begin.
constexpr int64_t BACKGROUND_STREAM = 3;

} // namespace

FareClosBackground::FareClosBackground(const FareClosNetwork& network,
                                       const FareClosScenario& scenario,
                                       double share,
                                       Time start)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(BACKGROUND_STREAM);
    const auto& fabric = network.GetFabric();
    const double bits = 8.0 * (PAYLOAD + HEADERS + fabric.GetFrameOverhead().bytes);
    for (const LinkIndex link : scenario.background)
    {
        const auto& ends = scenario.fabric.GetLinks()[link];
        const Time interval = Seconds(bits / (share * static_cast<double>(ends.rate)));
        for (const auto& [node, port] :
             {std::pair(ends.a, ends.aPort), std::pair(ends.b, ends.bPort)})
        {
            // All ranks draw for all switches.
            const Time first = start + Seconds(uniform->GetValue(0, interval.GetSeconds()));
            if (fabric.IsLocal(node))
            {
                Install(network, node, port, interval, first);
            }
        }
    }
}

void
FareClosBackground::Install(const FareClosNetwork& network,
                            NodeIndex from,
                            PortIndex port,
                            Time interval,
                            Time start)
{
    const auto node = network.GetFabric().GetNode(from);
    const auto& bgp = network.GetBgp();
    const uint32_t number = bgp.GetPeer(from, port);
    const auto& peer = bgp.GetSpeaker(from)->GetPeer(number);
    auto sender = std::make_unique<Sender>();
    sender->to = peer.address;
    sender->interval = interval;
    sender->socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    sender->socket->SetIpTos(TYPE_OF_SERVICE);
    // What has no room in the socket, which nobody reads, is discarded.
    sender->socket->Bind(InetSocketAddress(peer.localAddress, DISCARD));
    Simulator::ScheduleWithContext(node->GetId(),
                                   start - Simulator::Now(),
                                   &FareClosBackground::Send,
                                   sender.get());
    m_senders.push_back(std::move(sender));
}

void
FareClosBackground::Send(const Sender* sender)
{
    sender->socket->SendTo(Create<Packet>(PAYLOAD), 0, InetSocketAddress(sender->to, DISCARD));
    Simulator::Schedule(sender->interval, &FareClosBackground::Send, sender);
}

} // namespace ns3::aidc
