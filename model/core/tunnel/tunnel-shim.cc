/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tunnel-shim.h"

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

/// Read the header of GRE at the exit.
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

/// Read the headers of VXLAN at the exit.
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

} // namespace ns3::aidc
