/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-attribute-decoder.h"

#include "bgp-address-family.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The types of attributes, which are many here
using Type = BgpAttributeType;

/// Nothing is wrong.
constexpr std::nullopt_t GOOD = std::nullopt;

/**
 * @brief Say whether an address can be one of a host (RFC 1122, section 3.2.1.3).
 * @param address the address
 * @return false in 0.0.0.0/8, 127.0.0.0/8 and from 224.0.0.0 on
 */
bool
IsHostAddress(uint32_t address)
{
    const uint32_t first = address >> 24;
    return first != 0 && first != 127 && first < 224;
}

/**
 * @brief Say whether AS 0 is on a path.
 * @param path the path
 * @return whether it is
 */
bool
HasAsZero(const BgpAsPath& path)
{
    return path.Contains(0);
}

/**
 * @brief Decode a list whose elements have four octets.
 * @param value the list
 * @param [out] list gets the elements
 * @return what is wrong: a length that is no multiple, or 0
 */
std::optional<BgpFault>
DecodeList(BgpReader value, std::vector<uint32_t>& list)
{
    if (value.GetSize() == 0 || value.GetSize() % 4 != 0)
    {
        return BgpFault::LENGTH;
    }
    while (value.GetSize() > 0)
    {
        list.push_back(value.Read<uint32_t>());
    }
    return GOOD;
}

} // namespace

BgpAttributeDecoder::BgpAttributeDecoder(const BgpSessionOptions& options, BgpUpdateResult& result)
    : m_options(options),
      m_result(result)
{
}

bool
BgpAttributeDecoder::Decode(BgpReader list)
{
    while (list.GetSize() > 0 && m_result.action != BgpErrorAction::SESSION_RESET)
    {
        const uint8_t* const begin = list.GetData();
        const auto flags = list.Read<uint8_t>();
        const auto type = list.Read<uint8_t>();
        const bool isExtended = (flags & BgpAttributeFlag::EXTENDED_LENGTH) != 0;
        const std::size_t length = isExtended ? list.Read<uint16_t>() : list.Read<uint8_t>();
        const BgpReader value = list.ReadPart(length);
        m_hasOthers = m_hasOthers || type != static_cast<uint8_t>(Type::MP_UNREACH_NLRI);
        if (!list.IsWhole())
        {
            AddFault(type, BgpFault::OVERRUN, {});
            break;
        }
        if (m_seen[type])
        {
            AddFault(type, BgpFault::REPEATED, {});
            continue;
        }
        m_seen[type] = true;
        if (const auto fault = DecodeAttribute(flags, type, value))
        {
            BgpBytes whole(begin, value.GetData() + value.GetSize());
            if (type == static_cast<uint8_t>(Type::NEXT_HOP) && m_result.update.announced.empty())
            {
                m_nextHopFault = {*fault, std::move(whole)};
                continue;
            }
            AddFault(type, *fault, std::move(whole));
        }
    }
    MergeFourOctetAs();
    CheckTogether();
    return m_result.action != BgpErrorAction::SESSION_RESET;
}

std::optional<BgpFault>
BgpAttributeDecoder::DecodeAttribute(uint8_t flags, uint8_t type, BgpReader value)
{
    const BgpAttributeInfo& info = GetBgpAttributeInfo(type);
    if (info.type == Type::ANY)
    {
        if ((flags & BgpAttributeFlag::OPTIONAL) == 0)
        {
            return BgpFault::UNKNOWN_WELL_KNOWN;
        }
        if ((flags & BgpAttributeFlag::TRANSITIVE) != 0)
        {
            KeepUnknown(type, value);
        }
        return GOOD;
    }
    if (info.type == Type::MP_REACH_NLRI || info.type == Type::MP_UNREACH_NLRI)
    {
        // Wrong flags do not keep the routes from being withdrawn, so that these are read first.
        m_hasReach = m_hasReach || info.type == Type::MP_REACH_NLRI;
        if (const auto fault = DecodeValue(info.type, value))
        {
            return fault;
        }
    }
    constexpr uint8_t FIXED = BgpAttributeFlag::OPTIONAL | BgpAttributeFlag::TRANSITIVE;
    if ((flags & FIXED) != info.flags)
    {
        return BgpFault::FLAGS;
    }
    if (info.type == Type::MP_REACH_NLRI || info.type == Type::MP_UNREACH_NLRI)
    {
        return GOOD;
    }
    const auto fault = DecodeValue(info.type, value);
    const bool isOfPath = info.type != Type::AS4_PATH && info.type != Type::AS4_AGGREGATOR;
    if (!fault && info.flags == FIXED && isOfPath && (flags & BgpAttributeFlag::PARTIAL) != 0)
    {
        m_result.update.attributes.partial |= uint64_t{1} << type;
    }
    return fault;
}

std::optional<BgpFault>
BgpAttributeDecoder::DecodeValue(Type type, BgpReader value)
{
    BgpPathAttributes& attributes = m_result.update.attributes;
    const std::size_t size = value.GetSize();
    switch (type)
    {
    case Type::ORIGIN: {
        const auto origin = value.Read<uint8_t>();
        if (size != 1)
        {
            return BgpFault::LENGTH;
        }
        if (origin > static_cast<uint8_t>(BgpOrigin::INCOMPLETE))
        {
            return BgpFault::VALUE;
        }
        attributes.origin = static_cast<BgpOrigin>(origin);
        return GOOD;
    }
    case Type::AS_PATH:
        return DecodeAsPath(value);
    case Type::NEXT_HOP:
        if (size != 4)
        {
            return BgpFault::LENGTH;
        }
        attributes.nextHop = value.Read<uint32_t>();
        return IsHostAddress(attributes.nextHop) ? std::optional<BgpFault>() : BgpFault::VALUE;
    case Type::MULTI_EXIT_DISC:
        if (size != 4)
        {
            return BgpFault::LENGTH;
        }
        attributes.multiExitDisc = value.Read<uint32_t>();
        return GOOD;
    case Type::LOCAL_PREF:
        if (m_options.IsExternal())
        {
            return BgpFault::UNWANTED;
        }
        if (size != 4)
        {
            return BgpFault::LENGTH;
        }
        attributes.localPref = value.Read<uint32_t>();
        return GOOD;
    case Type::ATOMIC_AGGREGATE:
        if (size != 0)
        {
            return BgpFault::LENGTH;
        }
        attributes.isAtomicAggregate = true;
        return GOOD;
    case Type::AGGREGATOR:
    case Type::AS4_AGGREGATOR: {
        const bool isAs4 = type == Type::AS4_AGGREGATOR;
        if (isAs4 && m_options.isFourOctetAs)
        {
            return BgpFault::UNWANTED;
        }
        const bool isFourOctet = isAs4 || m_options.isFourOctetAs;
        BgpAggregator aggregator;
        aggregator.as = isFourOctet ? value.Read<uint32_t>() : value.Read<uint16_t>();
        aggregator.address = value.Read<uint32_t>();
        if (!value.IsWhole() || value.GetSize() != 0)
        {
            return BgpFault::LENGTH;
        }
        if (aggregator.as == 0)
        {
            return BgpFault::AS_ZERO;
        }
        (isAs4 ? m_as4Aggregator : attributes.aggregator) = aggregator;
        return GOOD;
    }
    case Type::COMMUNITIES:
        return DecodeList(value, attributes.communities);
    case Type::ORIGINATOR_ID:
        if (m_options.peerType != BgpPeerType::INTERNAL)
        {
            return BgpFault::UNWANTED;
        }
        if (size != 4)
        {
            return BgpFault::LENGTH;
        }
        attributes.originatorId = value.Read<uint32_t>();
        return GOOD;
    case Type::CLUSTER_LIST:
        return m_options.peerType != BgpPeerType::INTERNAL
                   ? BgpFault::UNWANTED
                   : DecodeList(value, attributes.clusterList);
    case Type::EXTENDED_COMMUNITIES:
        if (size == 0 || size % 8 != 0)
        {
            return BgpFault::LENGTH;
        }
        while (value.GetSize() > 0)
        {
            attributes.extendedCommunities.push_back({value.Read<uint64_t>()});
        }
        return GOOD;
    case Type::LARGE_COMMUNITIES:
        if (size == 0 || size % 12 != 0)
        {
            return BgpFault::LENGTH;
        }
        while (value.GetSize() > 0)
        {
            BgpLargeCommunity community;
            community.global = value.Read<uint32_t>();
            community.local1 = value.Read<uint32_t>();
            community.local2 = value.Read<uint32_t>();
            attributes.largeCommunities.push_back(community);
        }
        return GOOD;
    case Type::AS4_PATH:
        return DecodeAs4Path(value);
    case Type::MP_REACH_NLRI:
        return DecodeMpReach(value);
    case Type::MP_UNREACH_NLRI:
        return DecodeMpUnreach(value);
    case Type::ANY:
        break;
    }
    return GOOD;
}

std::optional<BgpFault>
BgpAttributeDecoder::DecodeAsPath(BgpReader value)
{
    BgpAsPath path;
    if (!DecodeBgpAsPath(value, m_options.isFourOctetAs, path))
    {
        return BgpFault::VALUE;
    }
    if (HasAsZero(path))
    {
        return BgpFault::AS_ZERO;
    }
    if (m_options.IsExternal() && path.HasConfederation())
    {
        return BgpFault::CONFEDERATION;
    }
    m_result.update.attributes.asPath = std::move(path);
    return GOOD;
}

std::optional<BgpFault>
BgpAttributeDecoder::DecodeAs4Path(BgpReader value)
{
    if (m_options.isFourOctetAs)
    {
        return BgpFault::UNWANTED;
    }
    BgpAsPath path;
    if (value.GetSize() == 0 || !DecodeBgpAsPath(value, true, path))
    {
        return BgpFault::VALUE;
    }
    if (HasAsZero(path))
    {
        return BgpFault::AS_ZERO;
    }
    m_as4Path = GetBgpPathOutsideConfederation(path);
    return GOOD;
}

std::optional<BgpFault>
BgpAttributeDecoder::DecodeMpReach(BgpReader value)
{
    BgpAddressFamily family;
    family.afi = value.Read<uint16_t>();
    family.safi = value.Read<uint8_t>();
    const auto nextHopSize = value.Read<uint8_t>();
    BgpReader nextHop = value.ReadPart(nextHopSize);
    value.Read<uint8_t>(); // reserved
    if (!value.IsWhole())
    {
        return BgpFault::LENGTH;
    }
    if (!(family == BGP_IPV4_UNICAST))
    {
        ++m_result.nIgnoredFamilies;
        return GOOD;
    }
    if (nextHopSize != 4)
    {
        return BgpFault::LENGTH;
    }
    BgpMpReach reach;
    reach.nextHop = nextHop.Read<uint32_t>();
    if (!DecodeBgpPrefixes(value, reach.prefixes))
    {
        return BgpFault::PREFIX;
    }
    const bool isHost = IsHostAddress(reach.nextHop);
    m_result.update.mpReach = std::move(reach);
    return isHost ? std::optional<BgpFault>() : BgpFault::VALUE;
}

std::optional<BgpFault>
BgpAttributeDecoder::DecodeMpUnreach(BgpReader value)
{
    BgpAddressFamily family;
    family.afi = value.Read<uint16_t>();
    family.safi = value.Read<uint8_t>();
    if (!value.IsWhole())
    {
        return BgpFault::LENGTH;
    }
    if (!(family == BGP_IPV4_UNICAST))
    {
        ++m_result.nIgnoredFamilies;
        return GOOD;
    }
    std::vector<BgpPrefix> prefixes;
    if (!DecodeBgpPrefixes(value, prefixes))
    {
        return BgpFault::PREFIX;
    }
    m_result.update.mpUnreach = std::move(prefixes);
    return GOOD;
}

void
BgpAttributeDecoder::KeepUnknown(uint8_t type, const BgpReader& value)
{
    auto& unknown = m_result.update.attributes.unknown;
    const auto place =
        std::find_if(unknown.begin(), unknown.end(), [type](const BgpUnknownAttribute& other) {
            return other.type > type;
        });
    unknown.insert(place, {type, value.GetBytes()});
}

void
BgpAttributeDecoder::MergeFourOctetAs()
{
    BgpPathAttributes& attributes = m_result.update.attributes;
    if (attributes.aggregator && m_as4Aggregator)
    {
        // Who has aggregated since then does not know AS4_PATH either.
        if (attributes.aggregator->as != BGP_AS_TRANS)
        {
            return;
        }
        attributes.aggregator = m_as4Aggregator;
    }
    if (m_as4Path)
    {
        attributes.asPath = MergeBgpAs4Path(attributes.asPath, *m_as4Path);
    }
}

void
BgpAttributeDecoder::CheckTogether()
{
    if (m_result.action == BgpErrorAction::SESSION_RESET)
    {
        return;
    }
    const BgpUpdate& update = m_result.update;
    if (m_nextHopFault && !m_hasReach)
    {
        // Beside MP_REACH_NLRI it would be ignored (RFC 4760, section 3).
        AddFault(static_cast<uint8_t>(Type::NEXT_HOP),
                 m_nextHopFault->first,
                 std::move(m_nextHopFault->second));
    }
    const auto require = [this](Type type) {
        const auto number = static_cast<uint8_t>(type);
        if (!m_seen[number])
        {
            AddFault(number, BgpFault::MISSING, {number});
        }
    };
    if (update.Announces())
    {
        require(Type::ORIGIN);
        require(Type::AS_PATH);
        if (!update.announced.empty())
        {
            require(Type::NEXT_HOP);
        }
        if (m_options.peerType == BgpPeerType::INTERNAL)
        {
            require(Type::LOCAL_PREF);
        }
        if (m_result.action != BgpErrorAction::TREAT_AS_WITHDRAW && m_options.IsExternal() &&
            m_options.firstAs != 0 && update.attributes.asPath.GetNeighborAs() != m_options.firstAs)
        {
            AddFault(static_cast<uint8_t>(Type::AS_PATH), BgpFault::FIRST_AS, {});
        }
    }
    // Which routes are meant cannot be relied on (RFC 7606, section 5.2).
    if (m_result.action == BgpErrorAction::TREAT_AS_WITHDRAW && m_hasOthers && !m_hasReach &&
        update.announced.empty())
    {
        m_result.action = BgpErrorAction::SESSION_RESET;
        m_result.notification = m_withdrawal;
    }
}

void
BgpAttributeDecoder::AddFault(uint8_t type, BgpFault fault, BgpBytes data)
{
    const BgpErrorRule& rule = GetBgpErrorRule(GetBgpAttributeInfo(type).type, fault);
    m_result.faults.push_back({type, fault, rule.action});
    BgpNotification notification(rule.subcode, std::move(data));
    if (rule.action == BgpErrorAction::SESSION_RESET)
    {
        m_result.notification = std::move(notification);
    }
    else if (rule.action == BgpErrorAction::TREAT_AS_WITHDRAW &&
             m_result.action < BgpErrorAction::TREAT_AS_WITHDRAW)
    {
        m_withdrawal = std::move(notification);
    }
    m_result.action = std::max(m_result.action, rule.action);
}

} // namespace ns3::aidc
