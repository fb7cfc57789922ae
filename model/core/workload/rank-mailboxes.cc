/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-mailboxes.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

std::optional<RankMailboxes::Item>
RankMailboxes::Receive(uint32_t peer, uint32_t tag, uint64_t bytes)
{
    return Match(peer, tag, {bytes, 0, 0}, true);
}

bool
RankMailboxes::Await(uint32_t peer, uint32_t tag, const Item& item)
{
    return Match(peer, tag, item, false).has_value();
}

std::optional<RankMailboxes::Item>
RankMailboxes::Match(uint32_t peer, uint32_t tag, const Item& item, bool hasArrived)
{
    const auto found = m_mailboxes.try_emplace(GetKey(peer, tag)).first;
    Mailbox& mailbox = found->second;
    if (mailbox.items.empty() || mailbox.hasArrived == hasArrived)
    {
        mailbox.hasArrived = hasArrived;
        mailbox.items.push_back(item);
        return std::nullopt;
    }
    const Item other = mailbox.items[mailbox.first++];
    if (mailbox.first == mailbox.items.size())
    {
        m_mailboxes.erase(found);
    }
    const uint64_t expected = (hasArrived ? other : item).bytes;
    const uint64_t arrived = (hasArrived ? item : other).bytes;
    if (expected != arrived)
    {
        throw std::runtime_error("expected a message of " + std::to_string(expected) +
                                 " bytes from rank " + std::to_string(peer) + " with tag " +
                                 std::to_string(tag) + ", found " + std::to_string(arrived) +
                                 " bytes");
    }
    return other;
}

} // namespace ns3::aidc
