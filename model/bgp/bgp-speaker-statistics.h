// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_SPEAKER_STATISTICS_H
#define AIDC_BGP_SPEAKER_STATISTICS_H

#include "ns3/bgp-message.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// Messages of a type.
struct BgpMessageCount
{
    uint64_t messages{0}; //!< how many
    uint64_t bytes{0};    //!< their bytes, with BGP's headers but not TCP's

    /// Add messages.
    BgpMessageCount& operator+=(const BgpMessageCount& more)
    {
        messages += more.messages;
        bytes += more.bytes;
        return *this;
    }
};

/// Messages by their types.
struct BgpMessageCounts
{
    /// How many types there are; the numbers of the types begin with 1.
    static constexpr std::size_t N_TYPES = 5;

    std::array<BgpMessageCount, N_TYPES> types; //!< by the number of the type less 1

    /// @return the messages of a type
    const BgpMessageCount& Get(BgpMessageType type) const
    {
        return types[static_cast<std::size_t>(type) - 1];
    }

    /// Count a message of so many bytes.
    void Count(BgpMessageType type, std::size_t bytes)
    {
        types[static_cast<std::size_t>(type) - 1] += {1, bytes};
    }

    /// @return all messages
    BgpMessageCount GetTotal() const
    {
        BgpMessageCount total;
        for (const BgpMessageCount& count : types)
        {
            total += count;
        }
        return total;
    }
};

/// The counters of a BgpSpeaker for a peer, or for all peers.
struct BgpSpeakerStatistics
{
    BgpMessageCounts sent;           //!< messages that TCP has been given
    BgpMessageCounts received;       //!< complete messages, correct or not
    uint64_t established{0};         //!< times that a session has come up
    uint64_t lost{0};                //!< times that a session has gone down
    uint64_t refused{0};             //!< connections of the peer that were refused
    uint64_t attributeDiscards{0};   //!< UPDATEs that have lost attributes (RFC 7606)
    uint64_t treatedAsWithdrawn{0};  //!< UPDATEs whose routes were treated as withdrawn (RFC 7606)
    uint64_t ignoredFamilies{0};     //!< MP attributes of other families than IPv4 unicast
    uint64_t malformedBandwidths{0}; //!< bandwidths that are NaN, infinite or negative
    uint64_t martians{0};            //!< routes not accepted: 0/8, 127/8, 224/4, 240/4
    uint64_t ownNextHops{0};         //!< routes not accepted: next hop is the speaker's own
    uint64_t foreignNextHops{0};     //!< routes not accepted: next hop is not on the link
    uint64_t tooLarge{0};            //!< routes that fit in no message and were not sent
    uint64_t tooManyPrefixes{0};     //!< sessions that have ended with the maximum of prefixes
    uint64_t tooSmallTtl{0};         //!< segments that were dropped (RFC 5082)
    uint64_t sendHoldExpired{0};     //!< sessions ended because the peer took nothing (RFC 9687)
    uint64_t endsOfRib{0};           //!< End-of-RIB received (RFC 4724)
    uint64_t staleRoutes{0};         //!< routes that a lost session has left stale (RFC 4724)
    uint64_t staleRemoved{0};        //!< stale routes that were not replaced in time
};

/// Add counters. @return the sum
inline BgpSpeakerStatistics&
operator+=(BgpSpeakerStatistics& sum, const BgpSpeakerStatistics& more)
{
    for (std::size_t i = 0; i < BgpMessageCounts::N_TYPES; ++i)
    {
        sum.sent.types[i] += more.sent.types[i];
        sum.received.types[i] += more.received.types[i];
    }
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

#endif // AIDC_BGP_SPEAKER_STATISTICS_H
