// SPDX-License-Identifier: GPL-2.0-only

#include "reorder-monitor.h"

#include "../../model/core/require-argument.h"

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/node.h"

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
        ipv4->TraceConnectWithoutContext(
            "LocalDeliver",
            Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t>(
                [own = &m_hosts.emplace_back()](const Ipv4Header& header,
                                                Ptr<const Packet> packet,
                                                uint32_t) { Deliver(*own, header, *packet); }));
    }
}

void
ReorderMonitor::Deliver(Host& host, const Ipv4Header& header, const Packet& packet)
{
    std::array<uint8_t, FLOW_KEY_MAX_BYTES> bytes;
    const std::size_t size = packet.CopyData(bytes.data(), bytes.size());
    const FlowKey key = DecodeFlowKey(header.GetSource().Get(),
                                      header.GetDestination().Get(),
                                      header.GetProtocol(),
                                      false,
                                      bytes.data(),
                                      size);
    const uint16_t identification = header.GetIdentification();
    const auto [latest, isFirst] = host.latest.emplace(key, identification);
    ++host.packets;
    // Serial number arithmetic: the identification wraps around.
    if (static_cast<int16_t>(identification - latest->second) < 0)
    {
        ++host.reordered;
    }
    else
    {
        latest->second = identification;
    }
}

} // namespace ns3::aidc
