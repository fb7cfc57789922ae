// SPDX-License-Identifier: GPL-2.0-only

#include "int-port.h"

#include "../core/require-argument.h"
#include "../core/transport/roce-bytes.h"
#include "roce-header.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"

#include <array>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIntPort");

NS_OBJECT_ENSURE_REGISTERED(IntPort);

namespace
{

bool
IsRoce(const TransitHeader& header)
{
    // The flow of IP in IP is the flow of the inner packet.
    return header.flow.destinationPort == ROCE_UDP_PORT &&
           header.bytes[Ipv4Offset::PROTOCOL] == PROTOCOL_UDP;
}

} // namespace

TypeId
IntPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::IntPort")
                            .SetParent<EthernetTagProcessor>()
                            .SetGroupName("Aidc")
                            .AddConstructor<IntPort>();
    return tid;
}

void
IntPort::Install(Ptr<EthernetNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    AIDC_REFUSED_IF(device->GetTagProcessor(),
                    "IntPort: port " << device->GetIfIndex() << " of node "
                                     << device->GetNode()->GetId()
                                     << " has a tag processor already, such as CsigPort");
    const auto rate = device->GetDataRate().GetBitRate();
    const auto code = FindIntRateCode(rate);
    AIDC_REFUSED_UNLESS(code,
                        "IntPort: port " << device->GetIfIndex() << " of node "
                                         << device->GetNode()->GetId()
                                         << ": expected a rate of 25, 50, 100, 200, 400 or 800 "
                                            "Gbit/s, found "
                                         << rate << " bit/s");
    m_rateCode = *code;
    m_overhead = device->GetOverhead();
    m_switchId = device->GetNode()->GetId();
    device->SetTagProcessor(this);
    device->AggregateObject(this);
}

void
IntPort::Transmit(EthernetNetDevice& device, const EthernetFrame& frame, FrameContext&)
{
    if (frame.hasTransit)
    {
        if (IsRoce(frame.transit))
        {
            Write(device, *frame.packet);
        }
        return;
    }
    TransitHeader header;
    if (frame.fields.etherType == ETHERTYPE_IPV4 && ReadTransitHeader(*frame.packet, header) &&
        IsRoce(header))
    {
        Packet& packet = *frame.packet;
        packet.RemoveAtStart(static_cast<uint32_t>(header.bytes.size()));
        Write(device, packet);
        packet.AddHeader(WrittenHeader<Ipv4Header>(header.bytes.data(), header.bytes.size()));
    }
}

void
IntPort::Write(EthernetNetDevice& device, Packet& packet)
{
    RoceHeader header;
    if (packet.PeekHeader(header) == 0 || !header.GetPacket().hasTelemetry ||
        header.GetPacket().opcode == RoceOpcode::ACKNOWLEDGE)
    {
        return;
    }
    packet.RemoveHeader(header);
    RocePacket roce = header.GetPacket();
    const IntHop hop = MakeIntHop(m_rateCode,
                                  Simulator::Now().GetNanoSeconds(),
                                  device.GetStatistics().GetWireOctets(m_overhead),
                                  device.GetQueuedBytes());
    const bool hasRoom = AddIntHop(roce.telemetry, hop, m_switchId);
    ++(hasRoom ? m_statistics.written : m_statistics.overfull);
    std::array<uint8_t, UDP_HEADER_SIZE + ROCE_MAX_HEADER_SIZE> bytes;
    const std::size_t size = EncodeRoceUdp(header.GetSourcePort(), roce, bytes.data());
    packet.AddHeader(WrittenHeader<RoceHeader>(bytes.data(), size));
}

} // namespace ns3::aidc
