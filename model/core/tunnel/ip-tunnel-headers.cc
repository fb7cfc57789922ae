// SPDX-License-Identifier: GPL-2.0-only

#include "ip-tunnel-headers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

/// Where the fields of VXLAN's headers are.
struct VxlanOffset
{
    static constexpr std::size_t SOURCE_PORT = 0;      //!< UDP source port
    static constexpr std::size_t DESTINATION_PORT = 2; //!< UDP destination port
    static constexpr std::size_t LENGTH = 4;           //!< UDP length
    static constexpr std::size_t FLAGS = 8;            //!< VXLAN flags
    static constexpr std::size_t VNI = 12;             //!< VXLAN network identifier, 3 bytes
    static constexpr std::size_t DESTINATION_MAC = 16; //!< of the inner frame
    static constexpr std::size_t SOURCE_MAC = 22;      //!< of the inner frame
    static constexpr std::size_t ETHERTYPE = 28;       //!< of the inner frame
};

/// The flag I: the VNI is valid.
constexpr uint8_t VNI_IS_VALID = 0x08;
/// The first byte of a locally administered unicast MAC address.
constexpr uint8_t LOCAL_MAC = 0x02;

/// Write the MAC address of an end of a tunnel. bytes: the six bytes.
void
EncodeMac(uint32_t address, uint8_t* bytes)
{
    bytes[0] = LOCAL_MAC;
    store_big_u32(bytes + 2, address);
}

InnerHeaderResult
CheckGre(const TunnelShim& shim, const uint8_t* bytes, std::size_t size)
{
    if (size < GreHeader::SIZE)
    {
        return InnerHeaderResult::TRUNCATED;
    }
    constexpr uint16_t REFUSED =
        GreHeader::MUST_BE_ZERO | GreHeader::CHECKSUM_PRESENT | GreHeader::SEQUENCE_PRESENT;
    const uint16_t flags = load_big_u16(bytes);
    if ((flags & REFUSED) != 0)
    {
        return InnerHeaderResult::BAD_SHIM;
    }
    if (load_big_u16(bytes + GreHeader::PROTOCOL_TYPE) != ETHERTYPE_IPV4)
    {
        return InnerHeaderResult::NOT_IPV4;
    }
    const bool hasKey = (flags & GreHeader::KEY_PRESENT) != 0;
    if (hasKey && size < GreHeader::SIZE + GreHeader::FIELD_SIZE)
    {
        return InnerHeaderResult::TRUNCATED;
    }
    const bool isOurs =
        hasKey ? shim.greKey != 0 && load_big_u32(bytes + GreHeader::SIZE) == shim.greKey
               : shim.greKey == 0;
    return isOurs ? InnerHeaderResult::OK : InnerHeaderResult::OTHER_NETWORK;
}

InnerHeaderResult
CheckVxlan(const TunnelShim& shim, const uint8_t* bytes, std::size_t size, std::size_t packetSize)
{
    if (size < VXLAN_SHIM_SIZE || load_big_u16(bytes + VxlanOffset::LENGTH) < VXLAN_SHIM_SIZE ||
        load_big_u16(bytes + VxlanOffset::LENGTH) > packetSize)
    {
        return InnerHeaderResult::TRUNCATED;
    }
    if (load_big_u16(bytes + VxlanOffset::DESTINATION_PORT) != VXLAN_PORT ||
        (bytes[VxlanOffset::FLAGS] & VNI_IS_VALID) == 0)
    {
        return InnerHeaderResult::BAD_SHIM;
    }
    if (load_big_u32(bytes + VxlanOffset::VNI) >> 8 != shim.vni)
    {
        return InnerHeaderResult::OTHER_NETWORK;
    }
    return load_big_u16(bytes + VxlanOffset::ETHERTYPE) == ETHERTYPE_IPV4
               ? InnerHeaderResult::OK
               : InnerHeaderResult::NOT_IPV4;
}

} // namespace

std::string
FindTunnelShimError(const TunnelShim& shim)
{
    if (shim.greKey != 0 && shim.encapsulation != TunnelShim::GRE)
    {
        return "GreKey has an effect with Encapsulation Gre only";
    }
    if (shim.vni != 0 && shim.encapsulation != TunnelShim::VXLAN)
    {
        return "Vni has an effect with Encapsulation Vxlan only";
    }
    return {};
}

void
EncodeTunnelShim(const TunnelShim& shim,
                 uint32_t source,
                 uint32_t destination,
                 uint16_t sourcePort,
                 std::size_t innerSize,
                 uint8_t* bytes)
{
    std::fill_n(bytes, shim.GetSize(), uint8_t{0});
    if (shim.encapsulation == TunnelShim::GRE)
    {
        store_big_u16(bytes + GreHeader::PROTOCOL_TYPE, ETHERTYPE_IPV4);
        if (shim.greKey != 0)
        {
            store_big_u16(bytes, GreHeader::KEY_PRESENT);
            store_big_u32(bytes + GreHeader::SIZE, shim.greKey);
        }
    }
    else if (shim.encapsulation == TunnelShim::VXLAN)
    {
        store_big_u16(bytes + VxlanOffset::SOURCE_PORT, sourcePort);
        store_big_u16(bytes + VxlanOffset::DESTINATION_PORT, VXLAN_PORT);
        store_big_u16(bytes + VxlanOffset::LENGTH,
                      static_cast<uint16_t>(VXLAN_SHIM_SIZE + innerSize));
        bytes[VxlanOffset::FLAGS] = VNI_IS_VALID;
        store_big_u32(bytes + VxlanOffset::VNI, shim.vni << 8);
        EncodeMac(destination, bytes + VxlanOffset::DESTINATION_MAC);
        EncodeMac(source, bytes + VxlanOffset::SOURCE_MAC);
        store_big_u16(bytes + VxlanOffset::ETHERTYPE, ETHERTYPE_IPV4);
    }
}

InnerHeaderResult
CheckTunnelShim(const TunnelShim& shim,
                const uint8_t* bytes,
                std::size_t size,
                std::size_t packetSize)
{
    switch (shim.encapsulation)
    {
    case TunnelShim::GRE:
        return CheckGre(shim, bytes, size);
    case TunnelShim::VXLAN:
        return CheckVxlan(shim, bytes, size, packetSize);
    default:
        return InnerHeaderResult::OK;
    }
}

bool
IsQuoteOfTunnel(const FragmentationNeeded& message, const TunnelShim& shim, uint32_t longest)
{
    const Ipv4Bytes& quoted = message.quoted;
    const uint8_t* behind = message.behind.data();
    // Headers with DF have identification 0 (MakeOuterHeader()): another one was never sent.
    if (load_big_u16(&quoted[Ipv4Offset::FRAGMENT]) != IPV4_DONT_FRAGMENT ||
        load_big_u16(&quoted[Ipv4Offset::IDENTIFIER]) != 0 || GetIpv4Length(quoted) > longest ||
        quoted[Ipv4Offset::PROTOCOL] != shim.GetProtocol())
    {
        return false;
    }
    switch (shim.encapsulation)
    {
    case TunnelShim::GRE:
        return CheckGre(shim, behind, message.behind.size()) == InnerHeaderResult::OK;
    case TunnelShim::VXLAN:
        return load_big_u16(behind + VxlanOffset::SOURCE_PORT) >= VXLAN_FIRST_SOURCE_PORT &&
               load_big_u16(behind + VxlanOffset::DESTINATION_PORT) == VXLAN_PORT;
    default:
        return *behind == IPV4_PLAIN_VERSION;
    }
}

std::size_t
GetVxlanShimSize(const uint8_t* bytes, std::size_t size)
{
    const bool isVxlan = size >= VXLAN_SHIM_SIZE &&
                         load_big_u16(bytes + VxlanOffset::DESTINATION_PORT) == VXLAN_PORT &&
                         (bytes[VxlanOffset::FLAGS] & VNI_IS_VALID) != 0 &&
                         load_big_u16(bytes + VxlanOffset::ETHERTYPE) == ETHERTYPE_IPV4;
    return isVxlan ? VXLAN_SHIM_SIZE : 0;
}

namespace
{

using boost::endian::load_big_u16;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;
/// The flag DF in the first byte of flags and fragment offset.
constexpr uint8_t DONT_FRAGMENT = 0x40;

std::size_t
GetHeaderSize(const uint8_t* bytes)
{
    return std::size_t{4} * (bytes[Ipv4Offset::VERSION] & 0x0fU);
}

} // namespace

Ipv4Bytes
MakeOuterHeader(const Ipv4Bytes& inner,
                uint32_t source,
                uint32_t destination,
                uint16_t identification,
                const IpTunnelRules& rules,
                std::size_t shimSize,
                uint8_t protocol)
{
    Ipv4Bytes outer{};
    const uint8_t innerTos = inner[Ipv4Offset::TOS];
    const auto dscp = static_cast<uint8_t>(
        rules.dscpModel == IpTunnelRules::UNIFORM ? innerTos & 0xfc : rules.dscp << 2);
    const auto length =
        static_cast<uint16_t>(load_big_u16(&inner[Ipv4Offset::LENGTH]) + shimSize + outer.size());
    const auto dontFragment = static_cast<uint8_t>(inner[Ipv4Offset::FRAGMENT] & DONT_FRAGMENT);
    outer[Ipv4Offset::VERSION] = IPV4_PLAIN_VERSION;
    outer[Ipv4Offset::TOS] = SetEcn(dscp, EncapsulateEcn(GetEcn(innerTos), rules.ingress));
    store_big_u16(&outer[Ipv4Offset::LENGTH], length);
    store_big_u16(&outer[Ipv4Offset::IDENTIFIER], dontFragment ? 0 : identification);
    outer[Ipv4Offset::FRAGMENT] = dontFragment;
    outer[Ipv4Offset::TTL] =
        rules.ttlModel == IpTunnelRules::UNIFORM ? inner[Ipv4Offset::TTL] : rules.ttl;
    outer[Ipv4Offset::PROTOCOL] = protocol;
    store_big_u32(&outer[Ipv4Offset::SOURCE], source);
    store_big_u32(&outer[Ipv4Offset::DESTINATION], destination);
    if (rules.hasChecksums)
    {
        SetIpv4Checksum(outer);
    }
    return outer;
}

InnerHeaderResult
CheckInnerHeader(const uint8_t* bytes, std::size_t size, std::size_t packetSize, bool hasChecksum)
{
    constexpr std::size_t MIN_HEADER = sizeof(Ipv4Bytes);
    if (size < MIN_HEADER)
    {
        return InnerHeaderResult::TRUNCATED;
    }
    if (bytes[Ipv4Offset::VERSION] >> 4 != 4)
    {
        return InnerHeaderResult::NOT_IPV4;
    }
    const std::size_t headerSize = GetHeaderSize(bytes);
    const std::size_t length = load_big_u16(bytes + Ipv4Offset::LENGTH);
    if (headerSize < MIN_HEADER)
    {
        return InnerHeaderResult::BAD_HEADER_LENGTH;
    }
    if (length < headerSize)
    {
        return InnerHeaderResult::BAD_LENGTH;
    }
    if (size < headerSize || packetSize < length)
    {
        return InnerHeaderResult::TRUNCATED;
    }
    if (hasChecksum && SumInternetWords(bytes, headerSize) != 0xffff)
    {
        return InnerHeaderResult::BAD_CHECKSUM;
    }
    return InnerHeaderResult::OK;
}

const TunnelEcnCell&
OpenInnerHeader(uint8_t* inner, uint8_t outerTos, uint8_t outerTtl, const IpTunnelRules& rules)
{
    const uint8_t innerTos = inner[Ipv4Offset::TOS];
    const auto& cell = DecapsulateEcn(GetEcn(innerTos), GetEcn(outerTos), rules.egress);
    if (cell.isDropped)
    {
        return cell;
    }
    const uint8_t tos =
        SetEcn(rules.dscpModel == IpTunnelRules::UNIFORM ? outerTos : innerTos, cell.inner);
    // Not more than the packet had, whatever the outer header says.
    const uint8_t innerTtl = inner[Ipv4Offset::TTL];
    const uint8_t ttl =
        rules.ttlModel == IpTunnelRules::UNIFORM ? std::min(innerTtl, outerTtl) : innerTtl;
    if (tos != innerTos || ttl != innerTtl)
    {
        inner[Ipv4Offset::TOS] = tos;
        inner[Ipv4Offset::TTL] = ttl;
        if (rules.hasChecksums)
        {
            store_big_u16(inner + Ipv4Offset::CHECKSUM, 0);
            store_big_u16(inner + Ipv4Offset::CHECKSUM,
                          static_cast<uint16_t>(~SumInternetWords(inner, GetHeaderSize(inner))));
        }
    }
    return cell;
}

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
/// The fragment offset and "more fragments", which a whole packet does not have.
constexpr uint16_t FRAGMENT_MASK = 0x3fff;

/// The part after a header.
struct Tunneled
{
    bool isTunneled;  //!< whether it is an outer header
    std::size_t shim; //!< the bytes between it and the next one
};

/// Tell whether a header is an outer one. size: the bytes that may be read there.
Tunneled
LookBehind(bool isOfTunnel, uint8_t protocol, const uint8_t* payload, std::size_t size)
{
    if (protocol == PROTOCOL_IP_IN_IP)
    {
        return {true, 0};
    }
    std::size_t shim = 0;
    if (isOfTunnel && protocol == PROTOCOL_GRE)
    {
        shim = GetGreHeaderSize(payload, size);
    }
    else if (isOfTunnel && protocol == PROTOCOL_UDP)
    {
        shim = GetVxlanShimSize(payload, size);
    }
    return {shim > 0, shim};
}

} // namespace

TunneledFlowResult
FindTunneledFlow(uint32_t source,
                 uint8_t protocol,
                 uint16_t fragment,
                 const uint8_t* payload,
                 std::size_t size,
                 FlowKey& flow,
                 uint32_t& egress,
                 std::size_t* offset)
{
    using Result = TunneledFlowResult;
    // Only the first fragment begins with what is after the header.
    const bool isBegin = (fragment & IPV4_OFFSET_MASK) == 0;
    Tunneled behind = LookBehind(isBegin, protocol, payload, size);
    if (!behind.isTunneled)
    {
        return Result::NOT_TUNNELED;
    }
    const uint8_t* const begin = payload;
    uint32_t end = egress;
    for (uint32_t depth = 0; depth < MAX_TUNNEL_HEADERS; ++depth)
    {
        payload += behind.shim;
        size -= behind.shim;
        if ((fragment & IPV4_OFFSET_MASK) != 0 || size < sizeof(Ipv4Bytes))
        {
            return Result::MALFORMED;
        }
        const std::size_t headerSize = std::size_t{4} * (payload[Ipv4Offset::VERSION] & 0x0fU);
        if (payload[Ipv4Offset::VERSION] >> 4 != 4 || headerSize < sizeof(Ipv4Bytes) ||
            headerSize > size)
        {
            return Result::MALFORMED;
        }
        fragment = load_big_u16(payload + Ipv4Offset::FRAGMENT);
        protocol = payload[Ipv4Offset::PROTOCOL];
        const uint32_t from = load_big_u32(payload + Ipv4Offset::SOURCE);
        const bool isOfTunnel = from == source && (fragment & IPV4_OFFSET_MASK) == 0;
        behind = LookBehind(isOfTunnel, protocol, payload + headerSize, size - headerSize);
        if (!behind.isTunneled)
        {
            flow = DecodeFlowKey(from,
                                 load_big_u32(payload + Ipv4Offset::DESTINATION),
                                 protocol,
                                 (fragment & FRAGMENT_MASK) != 0,
                                 payload + headerSize,
                                 size - headerSize);
            egress = end;
            if (offset)
            {
                *offset = static_cast<std::size_t>(payload - begin);
            }
            return Result::OK;
        }
        end = load_big_u32(payload + Ipv4Offset::DESTINATION);
        payload += headerSize;
        size -= headerSize;
    }
    return Result::TOO_DEEP;
}

} // namespace ns3::aidc
