/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reorder-monitor.h"

#include "../../model/core/require-argument.h"

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/node.h"
#include "ns3/process-gather.h"

#include <array>

namespace ns3::aidc
{

void
ReorderMonitor::Add(const NodeContainer& hosts)
{
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        const auto ipv4 = (*host)->GetObject<Ipv4L3Protocol>();
        AIDC_REFUSED_IF(!ipv4, "ReorderMonitor: node " << (*host)->GetId() << " has no IPv4");
        m_hosts.push_back(std::make_unique<Host>());
        ipv4->TraceConnectWithoutContext(
            "LocalDeliver",
            MakeBoundCallback(&ReorderMonitor::Deliver, m_hosts.back().get()));
    }
}

void
ReorderMonitor::Deliver(Host* host, const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
{
    std::array<uint8_t, FLOW_KEY_MAX_BYTES> bytes;
    const std::size_t size = packet->CopyData(bytes.data(), bytes.size());
    const FlowKey key = DecodeFlowKey(header.GetSource().Get(),
                                      header.GetDestination().Get(),
                                      header.GetProtocol(),
                                      false,
                                      bytes.data(),
                                      size);
    const uint16_t identification = header.GetIdentification();
    const auto [latest, isFirst] = host->latest.emplace(key, identification);
    ++host->packets;
    // Serial number arithmetic: the identification wraps around.
    if (static_cast<int16_t>(identification - latest->second) < 0)
    {
        ++host->reordered;
    }
    else
    {
        latest->second = identification;
    }
}

uint64_t
ReorderMonitor::GetPackets() const
{
    uint64_t sum = 0;
    for (const auto& host : m_hosts)
    {
        sum += host->packets;
    }
    return SumOverProcesses(sum);
}

uint64_t
ReorderMonitor::GetReorderedPackets() const
{
    uint64_t sum = 0;
    for (const auto& host : m_hosts)
    {
        sum += host->reordered;
    }
    return SumOverProcesses(sum);
}

} // namespace ns3::aidc
