// SPDX-License-Identifier: GPL-2.0-only

#include "tunnel-ecn.h"

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

constexpr EcnCodepoint NOT_ECT = EcnCodepoint::NOT_ECT; //!< short for the tables
constexpr EcnCodepoint ECT_1 = EcnCodepoint::ECT_1;     //!< short for the tables
constexpr EcnCodepoint ECT_0 = EcnCodepoint::ECT_0;     //!< short for the tables
constexpr EcnCodepoint CE = EcnCodepoint::CE;           //!< short for the tables

/// Make a cell of a packet that goes on.
constexpr TunnelEcnCell
Give(EcnCodepoint inner, TunnelEcnAlarm alarm = TunnelEcnAlarm::NONE)
{
    return {inner, false, false, alarm};
}

/// Make a cell of a packet that goes on, and has a light mark.
constexpr TunnelEcnCell
Light(EcnCodepoint inner)
{
    return {inner, false, true, TunnelEcnAlarm::NONE};
}

constexpr TunnelEcnAlarm POSSIBLE = TunnelEcnAlarm::POSSIBLE;   //!< short for the tables
constexpr TunnelEcnAlarm DANGEROUS = TunnelEcnAlarm::DANGEROUS; //!< short for the tables
/// Not-ECT below CE: the transport would not see the mark, so the packet is lost instead.
constexpr TunnelEcnCell DROP{NOT_ECT, true, false, DANGEROUS};

/// Cells by inner (row) and outer (column) codepoint, both in the order of their numbers.
using Cells = std::array<std::array<TunnelEcnCell, 4>, 4>;

/// Make the table of an egress mode. marked: what an inner ECT(0) becomes below an outer ECT(1).
constexpr Cells
MakeCells(EcnCodepoint marked)
{
    // Outer: Not-ECT, ECT(1), ECT(0), CE. RFC 6040 prints the columns in another order.
    return {{{Give(NOT_ECT), Give(NOT_ECT, DANGEROUS), Give(NOT_ECT, DANGEROUS), DROP},
             {Give(ECT_1), Light(ECT_1), Give(ECT_1, POSSIBLE), Give(CE)},
             {Give(ECT_0), Light(marked), Give(ECT_0), Give(CE)},
             {Give(CE), Give(CE, DANGEROUS), Give(CE), Give(CE)}}};
}

/// The tables of the egress modes.
constexpr std::array<Cells, 2> CELLS{MakeCells(ECT_1), MakeCells(ECT_0)};

} // namespace

EcnCodepoint
EncapsulateEcn(EcnCodepoint inner, TunnelEcn::Ingress ingress)
{
    return ingress == TunnelEcn::NORMAL ? inner : EcnCodepoint::NOT_ECT;
}

const TunnelEcnCell&
DecapsulateEcn(EcnCodepoint inner, EcnCodepoint outer, TunnelEcn::Egress egress)
{
    return CELLS[static_cast<std::size_t>(egress)][static_cast<std::size_t>(inner)]
                [static_cast<std::size_t>(outer)];
}

std::optional<EcnCodepoint>
FragmentEcn::Combine() const
{
    if (Has(EcnCodepoint::NOT_ECT))
    {
        return Has(EcnCodepoint::CE) ? std::nullopt : std::optional(EcnCodepoint::NOT_ECT);
    }
    for (const auto codepoint : {EcnCodepoint::CE, EcnCodepoint::ECT_1})
    {
        if (Has(codepoint))
        {
            return codepoint;
        }
    }
    return EcnCodepoint::ECT_0;
}

std::optional<FragmentEcn>
FragmentEcnTable::Take(const Ipv4Bytes& header)
{
    const auto packet = m_packets.find(GetKey(header));
    if (packet == m_packets.end())
    {
        return std::nullopt;
    }
    const FragmentEcn ecn = packet->second;
    m_packets.erase(packet);
    return ecn;
}

FragmentEcnTable::Key
FragmentEcnTable::GetKey(const Ipv4Bytes& header)
{
    using boost::endian::load_big_u16;
    using boost::endian::load_big_u64;
    // The destination follows the source.
    return {load_big_u64(&header[Ipv4Offset::SOURCE]),
            uint32_t{load_big_u16(&header[Ipv4Offset::IDENTIFIER])} << 16 |
                header[Ipv4Offset::PROTOCOL]};
}

} // namespace ns3::aidc
