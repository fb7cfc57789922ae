/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-update-packer.h"

#include "bgp-attribute-encoder.h"
#include "bgp-message.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace ns3::aidc
{

/// Append messages that withdraw routes.
static void
PackWithdrawals(const std::vector<BgpPrefix>& prefixes, BgpPackedUpdates& packed)
{
    const std::size_t place = BGP_HEADER_SIZE;
    for (auto next = prefixes.begin(); next != prefixes.end();)
    {
        BgpBytes message = BeginBgpMessage(BgpMessageType::UPDATE);
        AppendBgp(message, uint16_t{0});
        while (next != prefixes.end() &&
               message.size() + GetBgpPrefixSize(*next) + 2 <= BGP_MAX_MESSAGE_SIZE)
        {
            EncodeBgpPrefix(message, *next++);
        }
        StoreBgp(&message[place], static_cast<uint16_t>(message.size() - place - 2));
        AppendBgp(message, uint16_t{0});
        FinishBgpMessage(message);
        packed.messages.push_back(std::move(message));
    }
}

/// Append messages that announce routes with the same attributes. packed: gets messages, or routes
/// that do not fit.
static void
PackAnnouncements(const BgpPathAttributes& attributes,
                  const std::vector<BgpPrefix>& prefixes,
                  const BgpSessionTerms& terms,
                  BgpPackedUpdates& packed)
{
    BgpBytes head = BeginBgpMessage(BgpMessageType::UPDATE);
    AppendBgp(head, uint16_t{0});
    const std::size_t place = head.size();
    AppendBgp(head, uint16_t{0});
    EncodeBgpPathAttributes(head, attributes, terms);
    StoreBgp(&head[place], static_cast<uint16_t>(head.size() - place - 2));
    for (auto next = prefixes.begin(); next != prefixes.end();)
    {
        if (head.size() + GetBgpPrefixSize(*next) > BGP_MAX_MESSAGE_SIZE)
        {
            packed.unsendable.push_back(*next++);
            continue;
        }
        BgpBytes message = head;
        while (next != prefixes.end() &&
               message.size() + GetBgpPrefixSize(*next) <= BGP_MAX_MESSAGE_SIZE)
        {
            EncodeBgpPrefix(message, *next++);
        }
        FinishBgpMessage(message);
        packed.messages.push_back(std::move(message));
    }
}

BgpPackedUpdates
PackBgpUpdates(const std::vector<BgpPrefix>& withdrawn,
               const std::vector<BgpOutgoingRoute>& announced,
               const BgpSessionTerms& terms)
{
    BgpPackedUpdates packed;
    PackWithdrawals(withdrawn, packed);

    struct Group
    {
        const BgpPathAttributes* attributes;
        std::vector<BgpPrefix> prefixes;
    };

    std::vector<Group> groups;
    std::unordered_map<const BgpPathAttributes*, std::size_t> groupOfObject;
    std::unordered_multimap<uint64_t, std::size_t> groupsOfHash;
    for (const BgpOutgoingRoute& route : announced)
    {
        const BgpPathAttributes* const attributes = route.attributes.get();
        const auto [known, isNew] = groupOfObject.try_emplace(attributes, groups.size());
        if (isNew)
        {
            // Equal attributes need not be one object.
            const uint64_t hash = HashBgpPathAttributes(*attributes);
            const auto [begin, end] = groupsOfHash.equal_range(hash);
            const auto equal = std::find_if(begin, end, [&groups, attributes](const auto& entry) {
                return *groups[entry.second].attributes == *attributes;
            });
            if (equal != end)
            {
                known->second = equal->second;
            }
            else
            {
                groupsOfHash.emplace(hash, groups.size());
                groups.push_back({attributes, {}});
            }
        }
        groups[known->second].prefixes.push_back(route.prefix);
    }
    for (const Group& group : groups)
    {
        PackAnnouncements(*group.attributes, group.prefixes, terms, packed);
    }
    return packed;
}

} // namespace ns3::aidc
