/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bfd-session-table.h"

#include <stdexcept>

namespace ns3::aidc
{

uint32_t
BfdSessionTable::Add(uint32_t interface, uint32_t address)
{
    const auto number = static_cast<uint32_t>(m_numbers.size());
    if (!m_numbers.emplace(std::pair(interface, address), number).second)
    {
        throw std::invalid_argument("BFD: expected one session with a neighbor at an interface");
    }
    return number;
}

bool
BfdSessionTable::Find(uint32_t interface, uint32_t address, uint32_t& number) const
{
    const auto found = m_numbers.find({interface, address});
    if (found == m_numbers.end())
    {
        return false;
    }
    number = found->second;
    return true;
}

BfdDiscard
BfdSessionTable::Select(const BfdPacket& packet,
                        uint32_t interface,
                        uint32_t source,
                        uint32_t& number) const
{
    if (packet.yourDiscriminator != 0)
    {
        if (packet.yourDiscriminator > m_numbers.size())
        {
            return BfdDiscard::UNKNOWN_SESSION;
        }
        number = packet.yourDiscriminator - 1;
        return BfdDiscard::NONE;
    }
    if (packet.state == BfdState::INIT || packet.state == BfdState::UP)
    {
        return BfdDiscard::NOT_DOWN;
    }
    return Find(interface, source, number) ? BfdDiscard::NONE : BfdDiscard::UNKNOWN_NEIGHBOR;
}

} // namespace ns3::aidc
