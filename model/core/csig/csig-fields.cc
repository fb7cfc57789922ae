// SPDX-License-Identifier: GPL-2.0-only

#include "csig-fields.h"

#include "../require-argument.h"

#include "ns3/protocol-numbers.h"

#include <boost/endian/conversion.hpp>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;

constexpr uint16_t SMALLEST_ETHERTYPE = 0x0600; //!< what is below is a length (IEEE 802.3)

/// Write data fields that are known to fit.
void
WriteData(const CsigFields& fields, uint8_t* bytes)
{
    if (fields.format == CsigFormat::COMPACT)
    {
        const uint32_t word = uint32_t{fields.type} << 13 | uint32_t{fields.reserved} << 12 |
                              fields.value << 7 | fields.locator;
        store_big_u16(bytes, static_cast<uint16_t>(word));
        return;
    }
    const uint32_t word = uint32_t{fields.type} << 28 | fields.value << 8 | fields.reserved;
    store_big_u16(bytes, fields.locator);
    store_big_u16(bytes + 2, static_cast<uint16_t>(word >> 16));
    store_big_u16(bytes + 4, static_cast<uint16_t>(word));
}

/// Read the data fields of a format: the mirror image of WriteData.
CsigFields
ReadData(const uint8_t* bytes, CsigFormat format)
{
    CsigFields fields;
    fields.format = format;
    if (format == CsigFormat::COMPACT)
    {
        const uint32_t word = load_big_u16(bytes);
        fields.type = static_cast<uint8_t>(word >> 13);
        fields.reserved = static_cast<uint8_t>(word >> 12 & 0x1);
        fields.value = word >> 7 & 0x1F;
        fields.locator = static_cast<uint16_t>(word & 0x7F);
        return fields;
    }
    const uint32_t word = load_big_u32(bytes + 2);
    fields.locator = load_big_u16(bytes);
    fields.type = static_cast<uint8_t>(word >> 28);
    fields.value = word >> 8 & 0xFFFFF;
    fields.reserved = static_cast<uint8_t>(word);
    return fields;
}

/// A protocol whose frames must not be taken for tagged ones.
struct Protocol
{
    uint16_t etherType; //!< its EtherType or TPID
    const char* name;   //!< its name
};

/// EtherTypes that stations of data centers use (IEEE's registry of EtherTypes).
constexpr Protocol PROTOCOLS[] = {
    {ETHERTYPE_IPV4, "IPv4"},
    {ETHERTYPE_ARP, "ARP"},
    {0x0842, "Wake-on-LAN"},
    {0x22e7, "congestion notification messages (802.1Qau)"},
    {0x22e9, "congestion notification tags (802.1Qau)"},
    {0x22ea, "SRP"},
    {0x22f0, "AVTP"},
    {0x22f3, "TRILL"},
    {0x6558, "transparent Ethernet bridging"},
    {0x8035, "RARP"},
    {TPID_C_VLAN, "VLAN tags (802.1Q)"},
    {ETHERTYPE_IPV6, "IPv6"},
    {ETHERTYPE_MAC_CONTROL, "MAC control"},
    {0x8809, "slow protocols (LACP)"},
    {0x8847, "MPLS"},
    {0x8848, "MPLS (multicast)"},
    {0x8863, "PPPoE discovery"},
    {0x8864, "PPPoE sessions"},
    {0x888e, "802.1X"},
    {TPID_S_VLAN, "service VLAN tags (802.1ad)"},
    {0x88cc, "LLDP"},
    {0x88e5, "MACsec (802.1AE)"},
    {0x88e7, "provider backbone bridges (802.1ah)"},
    {0x88f5, "MVRP"},
    {0x88f7, "PTP"},
    {0x8902, "connectivity fault management"},
    {0x8906, "FCoE"},
    {0x8914, "FCoE initialization"},
    {0x8915, "RoCE"},
    {0x893f, "port extension tags (802.1BR)"},
    {0x894f, "network service headers"},
    {0x9000, "configuration testing (loopback)"},
    {0x9100, "VLAN tags before 802.1ad"},
    {0x9200, "VLAN tags before 802.1ad"},
    {0x9300, "VLAN tags before 802.1ad"},
    {0xf1c1, "redundancy tags (802.1CB)"},
};

/// Check that fields fit their bits. @throws std::invalid_argument if one does not
void
CheckFields(const CsigFields& fields)
{
    if (!CanEncodeCsig(fields))
    {
        const auto widths = GetCsigWidths(fields.format);
        std::ostringstream text;
        text << "The CSIG fields " << fields << " do not fit: T must be at most "
             << GetCsigMaximum(widths.type) << ", R " << GetCsigMaximum(widths.reserved) << ", S "
             << GetCsigMaximum(widths.value) << " and LM " << GetCsigMaximum(widths.locator);
        throw std::invalid_argument(text.str());
    }
}

} // namespace

bool
IsTpidOfOtherTag(uint16_t etherType)
{
    switch (etherType)
    {
    case 0x22e9:      // congestion notification, 802.1Qau
    case TPID_C_VLAN: // VLAN, 802.1Q
    case TPID_S_VLAN: // service VLAN, 802.1ad
    case 0x88e5:      // security, 802.1AE
    case 0x88e7:      // service instance, 802.1ah
    case 0x893f:      // port extension, 802.1BR
    case 0x9100:      // VLANs before 802.1ad
    case 0x9200:
    case 0x9300:
    case 0xf1c1: // redundancy, 802.1CB
        return true;
    default:
        return false;
    }
}

void
CheckCsigTpid(uint16_t tpid)
{
    AIDC_REQUIRE(tpid >= SMALLEST_ETHERTYPE,
                 "A TPID of CSIG must be from 1536 (0x0600) to 65535, found " +
                     std::to_string(tpid));
    for (const auto& protocol : PROTOCOLS)
    {
        AIDC_REQUIRE(tpid != protocol.etherType,
                     "A TPID of CSIG must be of no other protocol, found " + std::to_string(tpid) +
                         ", which is " + protocol.name);
    }
}

void
CheckCsigTpids(const CsigTpids& tpids)
{
    AIDC_REQUIRE(tpids.compact != tpids.expanded,
                 "The compact and the expanded CSIG tag need two different TPIDs, found " +
                     std::to_string(tpids.compact) + " for both");
    CheckCsigTpid(tpids.compact);
    CheckCsigTpid(tpids.expanded);
}

bool
operator==(const CsigFields& a, const CsigFields& b)
{
    return a.format == b.format && a.type == b.type && a.reserved == b.reserved &&
           a.locator == b.locator && a.value == b.value;
}

bool
operator!=(const CsigFields& a, const CsigFields& b)
{
    return !(a == b);
}

std::ostream&
operator<<(std::ostream& os, const CsigFields& fields)
{
    return os << (fields.format == CsigFormat::COMPACT ? "compact" : "expanded")
              << " T=" << uint32_t{fields.type} << " R=" << uint32_t{fields.reserved}
              << " S=" << fields.value << " LM=" << fields.locator;
}

bool
CanEncodeCsig(const CsigFields& fields)
{
    const auto widths = GetCsigWidths(fields.format);
    return fields.type <= GetCsigMaximum(widths.type) &&
           fields.reserved <= GetCsigMaximum(widths.reserved) &&
           fields.value <= GetCsigMaximum(widths.value) &&
           fields.locator <= GetCsigMaximum(widths.locator);
}

std::size_t
EncodeCsigData(const CsigFields& fields, uint8_t* bytes)
{
    CheckFields(fields);
    WriteData(fields, bytes);
    return GetCsigDataSize(fields.format);
}

std::size_t
EncodeCsigTag(const CsigFields& fields, const CsigTpids& tpids, uint8_t* bytes)
{
    CheckFields(fields);
    store_big_u16(bytes, tpids.Get(fields.format));
    WriteData(fields, bytes + CSIG_TPID_SIZE);
    return GetCsigTagSize(fields.format);
}

std::optional<CsigFields>
DecodeCsigData(const uint8_t* bytes, std::size_t length)
{
    for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
    {
        if (length == GetCsigDataSize(format))
        {
            return ReadData(bytes, format);
        }
    }
    return std::nullopt;
}

std::optional<CsigFields>
DecodeCsigTag(const uint8_t* bytes, std::size_t length, const CsigTpids& tpids)
{
    if (length < CSIG_TPID_SIZE)
    {
        return std::nullopt;
    }
    const auto format = tpids.Find(load_big_u16(bytes));
    if (!format || length < GetCsigTagSize(*format))
    {
        return std::nullopt;
    }
    return ReadData(bytes + CSIG_TPID_SIZE, *format);
}

} // namespace ns3::aidc
