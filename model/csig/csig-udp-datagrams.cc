/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-udp-datagrams.h"

#include "csig-reflection-header.h"

#include "ns3/log.h"
#include "ns3/protocol-numbers.h"

#include <array>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigUdpDatagrams");

CsigUdpDatagrams::CsigUdpDatagrams(CsigHostFlows& flows, const CsigHostSettings& settings)
    : m_flows(flows),
      m_settings(settings)
{
}

void
CsigUdpDatagrams::Send(Ptr<Packet> datagram,
                       const Ipv4Address& source,
                       const Ipv4Address& destination,
                       const Ptr<Ipv4Route>& route)
{
    m_flows.RemoveForeignTag(datagram);
    std::array<uint8_t, UDP_HEADER_SIZE> header{};
    if (!m_settings.tagUdp || destination.IsMulticast() || destination.IsBroadcast() ||
        datagram->CopyData(header.data(), UDP_HEADER_SIZE) < UDP_HEADER_SIZE)
    {
        return;
    }
    const auto key = DecodeFlowKey(source.Get(),
                                   destination.Get(),
                                   PROTOCOL_UDP,
                                   false,
                                   header.data(),
                                   header.size());
    m_flows.TagPacket(datagram, route, key, m_flows.Add(key), 0);
}

bool
CsigUdpDatagrams::Receive(Ptr<Packet> datagram, const Ipv4Header& ipHeader)
{
    std::array<uint8_t, UDP_HEADER_SIZE> header{};
    if (datagram->CopyData(header.data(), UDP_HEADER_SIZE) < UDP_HEADER_SIZE)
    {
        NS_LOG_LOGIC("Dropped a datagram of " << datagram->GetSize() << " bytes");
        ++m_flows.GetStatistics().malformedSegments;
        m_flows.GetTraces().drop(datagram);
        return false;
    }
    const auto tag = m_flows.TakeTag(datagram);
    const auto key = ReverseFlow(DecodeFlowKey(ipHeader.GetSource().Get(),
                                               ipHeader.GetDestination().Get(),
                                               PROTOCOL_UDP,
                                               false,
                                               header.data(),
                                               header.size()));
    auto flow = tag ? &m_flows.Add(key) : m_flows.Find(key);
    if (flow)
    {
        m_flows.NoteArrival(*flow, tag);
    }
    if (tag)
    {
        m_flows.GetTraces().tag(key, *tag);
    }
    return true;
}

void
CsigUdpDatagrams::AddReflection(Ptr<Packet> payload, const FlowKey& flow)
{
    auto& known = m_flows.Add(flow);
    const auto reflection = known.reflector.Peek();
    known.reflector.Advance();
    if (reflection.fields)
    {
        ++m_flows.GetStatistics().reflectionsSent;
    }
    else if (reflection.untagged)
    {
        ++m_flows.GetStatistics().emptySent;
    }
    payload->AddHeader(CsigReflectionHeader(reflection));
}

bool
CsigUdpDatagrams::RemoveReflection(Ptr<Packet> payload, const FlowKey& flow)
{
    CsigReflectionHeader header;
    if (payload->PeekHeader(header) == 0)
    {
        ++m_flows.GetStatistics().malformedReflections;
        return false;
    }
    payload->RemoveHeader(header);
    auto known = m_flows.Find(flow);
    if (known)
    {
        m_flows.NoteReflection(flow, *known, header.GetReflection(), std::nullopt);
    }
    return true;
}

} // namespace ns3::aidc
