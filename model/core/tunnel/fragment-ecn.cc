/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fragment-ecn.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

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
