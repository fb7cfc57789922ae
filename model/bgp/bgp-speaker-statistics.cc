/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker-statistics.h"

namespace ns3::aidc
{

void
BgpMessageCounts::Count(BgpMessageType type, std::size_t bytes)
{
    BgpMessageCount& count = types[static_cast<std::size_t>(type) - 1];
    ++count.messages;
    count.bytes += bytes;
}

BgpMessageCount
BgpMessageCounts::GetTotal() const
{
    BgpMessageCount total;
    for (const BgpMessageCount& count : types)
    {
        total.messages += count.messages;
        total.bytes += count.bytes;
    }
    return total;
}

static void
Add(BgpMessageCounts& sum, const BgpMessageCounts& more)
{
    for (std::size_t i = 0; i < BgpMessageCounts::N_TYPES; ++i)
    {
        sum.types[i].messages += more.types[i].messages;
        sum.types[i].bytes += more.types[i].bytes;
    }
}

BgpSpeakerStatistics&
operator+=(BgpSpeakerStatistics& sum, const BgpSpeakerStatistics& more)
{
    Add(sum.sent, more.sent);
    Add(sum.received, more.received);
    sum.established += more.established;
    sum.lost += more.lost;
    sum.refused += more.refused;
    sum.attributeDiscards += more.attributeDiscards;
    sum.treatedAsWithdrawn += more.treatedAsWithdrawn;
    sum.ignoredFamilies += more.ignoredFamilies;
    sum.malformedBandwidths += more.malformedBandwidths;
    sum.martians += more.martians;
    sum.ownNextHops += more.ownNextHops;
    sum.foreignNextHops += more.foreignNextHops;
    sum.tooLarge += more.tooLarge;
    sum.tooManyPrefixes += more.tooManyPrefixes;
    sum.tooSmallTtl += more.tooSmallTtl;
    sum.sendHoldExpired += more.sendHoldExpired;
    sum.endsOfRib += more.endsOfRib;
    sum.staleRoutes += more.staleRoutes;
    sum.staleRemoved += more.staleRemoved;
    return sum;
}

} // namespace ns3::aidc
