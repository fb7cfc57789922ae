// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as what is in a tunnel: the first two are the outer type of service and TTL and the
// third says how the exit works and which encapsulation it has, the rest is the shim and the inner
// packet. It is refused, or decapsulated with a right checksum and nothing changed beside what may
// be.

#include "fuzz-require.h"
#include "model/core/tunnel/ip-tunnel-headers.h"

#include "ns3/flow-key.h"

namespace
{

/// Get the encapsulation. settings: the third byte.
TunnelShim
MakeShim(uint8_t settings)
{
    TunnelShim shim;
    shim.encapsulation = static_cast<TunnelShim::Encapsulation>((settings >> 4 & 3) % 3);
    shim.greKey = (settings & 64) != 0 ? 7 : 0;
    shim.vni = 7;
    return shim;
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size < 3)
    {
        return 0;
    }
    IpTunnelRules rules;
    rules.egress = (data[2] & 1) != 0 ? TunnelEcn::PIPE_FOR_ECT_1 : TunnelEcn::RFC_6040;
    rules.ttlModel = (data[2] & 2) != 0 ? IpTunnelRules::UNIFORM : IpTunnelRules::PIPE;
    rules.dscpModel = (data[2] & 4) != 0 ? IpTunnelRules::UNIFORM : IpTunnelRules::PIPE;
    rules.hasChecksums = (data[2] & 8) != 0;
    // A copy of this very size, so that a sanitizer sees a read beyond it
    std::vector<uint8_t> packet(data + 3, data + size);
    rules.shim = MakeShim(data[2]);
    const uint8_t protocol = rules.shim.GetProtocol();
    // As it is read by routers that only pass it on, and by routers that notify the entry
    DecodeFlowKey(1, 2, protocol, false, packet.data(), packet.size());
    FlowKey flow;
    uint32_t egress = 2;
    FindTunneledFlow(1, protocol, 0, packet.data(), packet.size(), flow, egress);
    if (CheckTunnelShim(rules.shim, packet.data(), packet.size(), packet.size()) !=
        InnerHeaderResult::OK)
    {
        Require(rules.shim.encapsulation != TunnelShim::IP_IN_IP, "nothing is always right");
        return 0;
    }
    Require(packet.size() >= rules.shim.GetSize(), "a whole shim");
    packet.erase(packet.begin(),
                 packet.begin() + static_cast<std::ptrdiff_t>(rules.shim.GetSize()));
    packet.shrink_to_fit();
    const auto before = packet;
    const auto result =
        CheckInnerHeader(packet.data(), packet.size(), packet.size(), rules.hasChecksums);
    Require(result < InnerHeaderResult::N_RESULTS, "a result");
    if (result != InnerHeaderResult::OK)
    {
        return 0;
    }
    const std::size_t headerSize = std::size_t{4} * (packet[0] & 0x0fU);
    Require(headerSize <= packet.size(), "a whole header");
    const auto& cell = OpenInnerHeader(packet.data(), data[0], data[1], rules);
    Require(!cell.isDropped || packet == before, "what is dropped is not changed");
    Require(packet[Ipv4Offset::TTL] <= before[Ipv4Offset::TTL], "the TTL does not grow");
    Require(CheckInnerHeader(packet.data(), packet.size(), packet.size(), rules.hasChecksums) ==
                InnerHeaderResult::OK,
            "a header again");
    for (std::size_t i = 0; i < packet.size(); ++i)
    {
        const bool mayDiffer = i == Ipv4Offset::TOS || i == Ipv4Offset::TTL ||
                               i == Ipv4Offset::CHECKSUM || i == Ipv4Offset::CHECKSUM + 1;
        Require(mayDiffer || packet[i] == before[i], "nothing else is changed");
    }
    return 0;
}
