/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-update-packer.h"

#include "bgp-attribute-table.h"
#include "bgp-message.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The flags of attributes that are passed on without being known
constexpr uint8_t UNKNOWN_FLAGS =
    BgpAttributeFlag::OPTIONAL | BgpAttributeFlag::TRANSITIVE | BgpAttributeFlag::PARTIAL;

/// Begin an attribute, whose value is appended from now on. @return where it begins
std::size_t
BeginAttribute(BgpBytes& bytes, uint8_t flags, uint8_t type)
{
    bytes.insert(bytes.end(), {flags, type, 0});
    return bytes.size() - 3;
}

/// End an attribute: its length is known now. bytes: what ends with its value.
void
EndAttribute(BgpBytes& bytes, std::size_t begin)
{
    const std::size_t length = bytes.size() - begin - 3;
    bytes[begin + 2] = static_cast<uint8_t>(length);
    if (length > 0xff)
    {
        bytes[begin] |= BgpAttributeFlag::EXTENDED_LENGTH;
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(begin) + 2,
                     static_cast<uint8_t>(length >> 8));
    }
}

} // namespace

void
EncodeBgpPathAttributes(BgpBytes& bytes,
                        const BgpPathAttributes& attributes,
                        const BgpSessionTerms& terms)
{
    auto unknown = attributes.unknown.begin();
    const auto appendUnknownBelow = [&](uint32_t type) {
        for (; unknown != attributes.unknown.end() && unknown->type < type; ++unknown)
        {
            const std::size_t begin = BeginAttribute(bytes, UNKNOWN_FLAGS, unknown->type);
            AppendBgpBytes(bytes, unknown->value);
            EndAttribute(bytes, begin);
        }
    };
    for (const BgpAttribute& attribute : GetBgpAttributes())
    {
        if (!attribute.encode || !attribute.IsFor(terms))
        {
            continue;
        }
        const auto type = static_cast<uint8_t>(attribute.type);
        appendUnknownBelow(type);
        const bool isPartial = (attributes.partial >> type & 1) != 0;
        const std::size_t begin =
            BeginAttribute(bytes,
                           attribute.flags | (isPartial ? BgpAttributeFlag::PARTIAL : 0),
                           type);
        if (attribute.encode(bytes, attributes, terms))
        {
            EndAttribute(bytes, begin);
        }
        else
        {
            bytes.resize(begin);
        }
    }
    appendUnknownBelow(256);
}

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
