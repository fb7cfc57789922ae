// SPDX-License-Identifier: GPL-2.0-only

#include "tunnel-traffic-controller.h"

#include "../core/ipv4-bytes.h"
#include "../core/transport/roce-bytes.h"

#include "ns3/log.h"
#include "ns3/protocol-numbers.h"
#include "ns3/roce-packet.h"

#include <array>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTunnelTrafficController");

NS_OBJECT_ENSURE_REGISTERED(TunnelTrafficController);

bool
TunnelPacket::IsControl() const
{
    constexpr uint8_t NETWORK_CONTROL = 6;
    // The opcode is the first byte after the UDP header (InfiniBand, annex A17).
    constexpr uint32_t OPCODE = 8;
    std::array<uint8_t, OPCODE + 1> bytes{};
    if (header.bytes[Ipv4Offset::TOS] >> 5 >= NETWORK_CONTROL)
    {
        NS_LOG_LOGIC("A packet of network control");
        return true;
    }
    if (header.flow.protocol != PROTOCOL_UDP || header.flow.destinationPort != ROCE_UDP_PORT ||
        payload->CopyData(bytes.data(), bytes.size()) < bytes.size())
    {
        return false;
    }
    // RoceNic has no atomic operations, but others may.
    constexpr uint8_t ATOMIC_ACKNOWLEDGE = 0x12;
    const uint8_t opcode = bytes[OPCODE];
    if (opcode != static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE) && opcode != ATOMIC_ACKNOWLEDGE &&
        opcode != static_cast<uint8_t>(RoceOpcode::CNP))
    {
        return false;
    }
    NS_LOG_LOGIC("A packet of RoCEv2's control loops, with opcode " << +opcode);
    return true;
}

TypeId
TunnelTrafficController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::TunnelTrafficController").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

uint32_t
TunnelTrafficController::ChooseDefault(IpTunnelNetDevice&, const TunnelPacket&)
{
    return DEFAULT_PATH;
}

} // namespace ns3::aidc
