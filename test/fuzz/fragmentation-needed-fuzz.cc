// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as an ICMP message to the entry of a tunnel. It is refused, or tells an MTU within its
// bounds, and is written again as it was.

#include "fuzz-require.h"
#include "model/core/fragmentation-needed.h"
#include "model/core/tunnel/ip-tunnel-headers.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    // A copy of this very size, so that a sanitizer sees a read beyond it
    const std::vector<uint8_t> bytes(data, data + size);
    const auto message = DecodeFragmentationNeeded(bytes.data(), bytes.size(), false);
    const auto sealed = DecodeFragmentationNeeded(bytes.data(), bytes.size(), true);
    Require(message.has_value() || !sealed.has_value(), "a checksum refuses more");
    if (!message)
    {
        return 0;
    }
    const uint32_t length = GetIpv4Length(message->quoted);
    const uint32_t mtu = GetPathMtu(*message);
    Require(mtu == 0 || (mtu >= MIN_IPV4_MTU && mtu < length), "an MTU within its bounds");
    const auto again = EncodeFragmentationNeeded(*message);
    for (const std::size_t at : {0, 1, 6, 7})
    {
        Require(again[at] == bytes[at], "type, code and MTU");
    }
    Require(std::equal(again.begin() + 8, again.end(), bytes.begin() + 8), "what is quoted");
    Require(DecodeFragmentationNeeded(again.data(), again.size(), true).has_value(), "a checksum");
    TunnelShim shim;
    for (const auto encapsulation : {TunnelShim::IP_IN_IP, TunnelShim::GRE, TunnelShim::VXLAN})
    {
        shim.encapsulation = encapsulation;
        Require(!IsQuoteOfTunnel(*message, shim, length - 1) || length == 0, "no longer packet");
        Require(!IsQuoteOfTunnel(*message, shim, 65535) ||
                    message->quoted[Ipv4Offset::PROTOCOL] == shim.GetProtocol(),
                "the protocol of the tunnel");
    }
    return 0;
}
