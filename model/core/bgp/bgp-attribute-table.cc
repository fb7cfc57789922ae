// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-attribute-table.h"

#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ns3::aidc
{

namespace
{

// Short names, so that a row is a few lines
using Type = BgpAttributeType;     //!< attributes
using Fault = BgpFault;            //!< the fault
using Error = BgpUpdateError;      //!< subcodes
using Scope = BgpAttributeScope;   //!< peers
using Terms = BgpSessionTerms;     //!< the terms of a session
using Values = BgpAttributeValues; //!< the decoded values

/// Nothing is wrong.
constexpr std::nullopt_t GOOD = std::nullopt;

/// @return whether all of a value was read, and nothing beyond
bool
IsReadUp(const BgpReader& value)
{
    return value.IsWhole() && value.GetSize() == 0;
}

/// @return whether an address can be a host's (RFC 1122, 3.2.1.3): not 0/8, 127/8, 224/3
bool
IsHostAddress(uint32_t address)
{
    const uint32_t first = address >> 24;
    return first != 0 && first != 127 && first < 224;
}

std::optional<BgpFault>
DecodeOrigin(BgpReader value, const Terms& /* terms */, Values& values)
{
    const auto origin = value.Read<uint8_t>();
    if (!IsReadUp(value))
    {
        return Fault::LENGTH;
    }
    if (origin > static_cast<uint8_t>(BgpOrigin::INCOMPLETE))
    {
        return Fault::VALUE;
    }
    values.attributes.origin = static_cast<BgpOrigin>(origin);
    return GOOD;
}

bool
EncodeOrigin(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& /* terms */)
{
    bytes.push_back(static_cast<uint8_t>(attributes.origin));
    return true;
}

std::optional<BgpFault>
DecodeAsPath(BgpReader value, const Terms& terms, Values& values)
{
    BgpAsPath path;
    if (!DecodeBgpAsPath(value, terms.isFourOctetAs, path))
    {
        return Fault::VALUE;
    }
    if (path.Contains(0))
    {
        return Fault::AS_ZERO;
    }
    values.attributes.asPath = std::move(path);
    return GOOD;
}

bool
EncodeAsPath(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& terms)
{
    EncodeBgpAsPath(bytes, attributes.asPath, terms.isFourOctetAs);
    return true;
}

std::optional<BgpFault>
DecodeAs4Path(BgpReader value, const Terms& /* terms */, Values& values)
{
    BgpAsPath path;
    if (!DecodeBgpAs4Path(value, path))
    {
        return Fault::VALUE;
    }
    if (path.Contains(0))
    {
        return Fault::AS_ZERO;
    }
    values.as4Path = std::move(path);
    return GOOD;
}

bool
EncodeAs4Path(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& /* terms */)
{
    EncodeBgpAsPath(bytes, attributes.asPath, true);
    return NeedsBgpAs4Path(attributes.asPath);
}

std::optional<BgpFault>
DecodeNextHop(BgpReader value, const Terms& /* terms */, Values& values)
{
    const auto nextHop = value.Read<uint32_t>();
    if (!IsReadUp(value))
    {
        return Fault::LENGTH;
    }
    if (!IsHostAddress(nextHop))
    {
        return Fault::VALUE;
    }
    values.attributes.nextHop = nextHop;
    return GOOD;
}

bool
EncodeNextHop(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& /* terms */)
{
    AppendBgp(bytes, attributes.nextHop);
    return true;
}

/// Decode an attribute that is a number of four octets.
template <std::optional<uint32_t> BgpPathAttributes::* MEMBER>
std::optional<BgpFault>
DecodeNumber(BgpReader value, const Terms& /* terms */, Values& values)
{
    const auto number = value.Read<uint32_t>();
    if (!IsReadUp(value))
    {
        return Fault::LENGTH;
    }
    values.attributes.*MEMBER = number;
    return GOOD;
}

/// Encode an attribute that is a number of four octets.
template <std::optional<uint32_t> BgpPathAttributes::* MEMBER>
bool
EncodeNumber(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& /* terms */)
{
    const std::optional<uint32_t>& number = attributes.*MEMBER;
    AppendBgp(bytes, number.value_or(0));
    return number.has_value();
}

std::optional<BgpFault>
DecodeAtomicAggregate(BgpReader value, const Terms& /* terms */, Values& values)
{
    if (value.GetSize() != 0)
    {
        return Fault::LENGTH;
    }
    values.attributes.isAtomicAggregate = true;
    return GOOD;
}

bool
EncodeAtomicAggregate(BgpBytes& /* bytes */,
                      const BgpPathAttributes& attributes,
                      const Terms& /* terms */)
{
    return attributes.isAtomicAggregate;
}

std::optional<BgpFault>
ReadAggregator(BgpReader value, bool isFourOctet, std::optional<BgpAggregator>& aggregator)
{
    BgpAggregator read;
    read.as = isFourOctet ? value.Read<uint32_t>() : value.Read<uint16_t>();
    read.address = value.Read<uint32_t>();
    if (!IsReadUp(value))
    {
        return Fault::LENGTH;
    }
    if (read.as == 0)
    {
        return Fault::AS_ZERO;
    }
    aggregator = read;
    return GOOD;
}

std::optional<BgpFault>
DecodeAggregator(BgpReader value, const Terms& terms, Values& values)
{
    return ReadAggregator(value, terms.isFourOctetAs, values.attributes.aggregator);
}

bool
EncodeAggregator(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& terms)
{
    const BgpAggregator aggregator = attributes.aggregator.value_or(BgpAggregator());
    if (terms.isFourOctetAs)
    {
        AppendBgp(bytes, aggregator.as);
    }
    else
    {
        AppendBgp(bytes,
                  static_cast<uint16_t>(aggregator.as > 0xffff ? BGP_AS_TRANS : aggregator.as));
    }
    AppendBgp(bytes, aggregator.address);
    return attributes.aggregator.has_value();
}

std::optional<BgpFault>
DecodeAs4Aggregator(BgpReader value, const Terms& /* terms */, Values& values)
{
    return ReadAggregator(value, true, values.as4Aggregator);
}

bool
EncodeAs4Aggregator(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& /* terms */)
{
    const BgpAggregator aggregator = attributes.aggregator.value_or(BgpAggregator());
    AppendBgp(bytes, aggregator.as);
    AppendBgp(bytes, aggregator.address);
    return aggregator.as > 0xffff;
}

/// @return the numbers of an element of a list, in the order of the wire
std::tuple<uint32_t&>
GetNumbers(uint32_t& number)
{
    return {number};
}

std::tuple<uint64_t&>
GetNumbers(BgpExtendedCommunity& community)
{
    return {community.value};
}

std::tuple<uint32_t&, uint32_t&, uint32_t&>
GetNumbers(BgpLargeCommunity& community)
{
    return {community.global, community.local1, community.local2};
}

/// Decode an attribute that is a list.
template <auto MEMBER>
std::optional<BgpFault>
DecodeList(BgpReader value, const Terms& /* terms */, Values& values)
{
    std::decay_t<decltype(values.attributes.*MEMBER)> list;
    while (value.GetSize() > 0)
    {
        std::apply(
            [&value](auto&... numbers) {
                ((numbers = value.Read<std::decay_t<decltype(numbers)>>()), ...);
            },
            GetNumbers(list.emplace_back()));
    }
    if (list.empty() || !value.IsWhole())
    {
        return Fault::LENGTH;
    }
    values.attributes.*MEMBER = std::move(list);
    return GOOD;
}

/// Encode an attribute that is a list.
template <auto MEMBER>
bool
EncodeList(BgpBytes& bytes, const BgpPathAttributes& attributes, const Terms& /* terms */)
{
    for (auto element : attributes.*MEMBER)
    {
        std::apply([&bytes](auto... numbers) { (AppendBgp(bytes, numbers), ...); },
                   GetNumbers(element));
    }
    return !(attributes.*MEMBER).empty();
}

BgpAddressFamily
ReadFamily(BgpReader& value)
{
    BgpAddressFamily family;
    family.afi = value.Read<uint16_t>();
    family.safi = value.Read<uint8_t>();
    return family;
}

std::optional<BgpFault>
DecodeMpReach(BgpReader value, const Terms& /* terms */, Values& values)
{
    const BgpAddressFamily family = ReadFamily(value);
    const auto nextHopSize = value.Read<uint8_t>();
    BgpReader nextHop = value.ReadPart(nextHopSize);
    value.Read<uint8_t>(); // reserved
    if (!value.IsWhole())
    {
        return Fault::LENGTH;
    }
    if (!(family == BGP_IPV4_UNICAST))
    {
        ++values.nIgnoredFamilies;
        return GOOD;
    }
    if (nextHopSize != 4)
    {
        return Fault::LENGTH;
    }
    BgpMpReach reach;
    reach.nextHop = nextHop.Read<uint32_t>();
    if (!DecodeBgpPrefixes(value, reach.prefixes))
    {
        return Fault::PREFIX;
    }
    const bool isHost = IsHostAddress(reach.nextHop);
    values.mpReach = std::move(reach); // also of a wrong next hop: the routes are withdrawn
    return isHost ? std::optional<BgpFault>() : Fault::VALUE;
}

std::optional<BgpFault>
DecodeMpUnreach(BgpReader value, const Terms& /* terms */, Values& values)
{
    const BgpAddressFamily family = ReadFamily(value);
    if (!value.IsWhole())
    {
        return Fault::LENGTH;
    }
    if (!(family == BGP_IPV4_UNICAST))
    {
        ++values.nIgnoredFamilies;
        return GOOD;
    }
    std::vector<BgpPrefix> prefixes;
    if (!DecodeBgpPrefixes(value, prefixes))
    {
        return Fault::PREFIX;
    }
    values.mpUnreach = std::move(prefixes);
    return GOOD;
}

constexpr auto DISCARD = BgpErrorAction::ATTRIBUTE_DISCARD;  //!< the attribute is left out
constexpr auto WITHDRAW = BgpErrorAction::TREAT_AS_WITHDRAW; //!< the routes are withdrawn
constexpr auto RESET = BgpErrorAction::SESSION_RESET;        //!< the session ends

/// Well-known attributes are transitive.
constexpr uint8_t WELL_KNOWN = BgpAttributeFlag::TRANSITIVE;
/// Optional ones that are not.
constexpr uint8_t NON_TRANSITIVE = BgpAttributeFlag::OPTIONAL;
/// Optional ones that are.
constexpr uint8_t TRANSITIVE = BgpAttributeFlag::OPTIONAL | BgpAttributeFlag::TRANSITIVE;

/// All attributes that are known, in the order of their types.
// clang-format off
constexpr std::array<BgpAttribute, N_BGP_ATTRIBUTES> ATTRIBUTES{{
    {Type::ORIGIN, "ORIGIN", WELL_KNOWN, Scope::ANY_PEER,
     DecodeOrigin, EncodeOrigin,
     {{{Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.1"},
       {Fault::VALUE, WITHDRAW, Error::INVALID_ORIGIN, "RFC 7606, 7.1"}}}},
    {Type::AS_PATH, "AS_PATH", WELL_KNOWN, Scope::ANY_PEER,
     DecodeAsPath, EncodeAsPath,
     {{{Fault::VALUE, WITHDRAW, Error::MALFORMED_AS_PATH, "RFC 7606, 7.2"},
       {Fault::FIRST_AS, WITHDRAW, Error::MALFORMED_AS_PATH, "RFC 7606, 7.2"},
       {Fault::AS_ZERO, WITHDRAW, Error::MALFORMED_AS_PATH, "RFC 7607, 2"}}}},
    {Type::NEXT_HOP, "NEXT_HOP", WELL_KNOWN, Scope::ANY_PEER,
     DecodeNextHop, EncodeNextHop,
     {{{Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.3"},
       {Fault::VALUE, WITHDRAW, Error::INVALID_NEXT_HOP, "RFC 7606, 3.e"}}}},
    {Type::MULTI_EXIT_DISC, "MULTI_EXIT_DISC", NON_TRANSITIVE, Scope::ANY_PEER,
     DecodeNumber<&BgpPathAttributes::multiExitDisc>, EncodeNumber<&BgpPathAttributes::multiExitDisc>,
     {{{Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.4"}}}},
    {Type::LOCAL_PREF, "LOCAL_PREF", WELL_KNOWN, Scope::INTERNAL_PEERS,
     DecodeNumber<&BgpPathAttributes::localPref>, EncodeNumber<&BgpPathAttributes::localPref>,
     {{{Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 7606, 7.5"},
       {Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.5"}}}},
    {Type::ATOMIC_AGGREGATE, "ATOMIC_AGGREGATE", WELL_KNOWN, Scope::ANY_PEER,
     DecodeAtomicAggregate, EncodeAtomicAggregate,
     {{{Fault::LENGTH, DISCARD, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.6"}}}},
    {Type::AGGREGATOR, "AGGREGATOR", TRANSITIVE, Scope::ANY_PEER,
     DecodeAggregator, EncodeAggregator,
     {{{Fault::LENGTH, DISCARD, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.7"},
       {Fault::AS_ZERO, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7607, 2"}}}},
    {Type::COMMUNITIES, "COMMUNITIES", TRANSITIVE, Scope::ANY_PEER,
     DecodeList<&BgpPathAttributes::communities>, EncodeList<&BgpPathAttributes::communities>,
     {{{Fault::LENGTH, WITHDRAW, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 7.8"}}}},
    {Type::ORIGINATOR_ID, "ORIGINATOR_ID", NON_TRANSITIVE, Scope::INTERNAL_PEERS,
     DecodeNumber<&BgpPathAttributes::originatorId>, EncodeNumber<&BgpPathAttributes::originatorId>,
     {{{Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 7606, 7.9"},
       {Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.9"}}}},
    {Type::CLUSTER_LIST, "CLUSTER_LIST", NON_TRANSITIVE, Scope::INTERNAL_PEERS,
     DecodeList<&BgpPathAttributes::clusterList>, EncodeList<&BgpPathAttributes::clusterList>,
     {{{Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 7606, 7.10"},
       {Fault::LENGTH, WITHDRAW, Error::ATTRIBUTE_LENGTH_ERROR, "RFC 7606, 7.10"}}}},
    {Type::MP_REACH_NLRI, "MP_REACH_NLRI", NON_TRANSITIVE, Scope::ANY_PEER,
     DecodeMpReach, nullptr,
     {{{Fault::LENGTH, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 7.11"},
       {Fault::VALUE, WITHDRAW, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 3.e"},
       {Fault::PREFIX, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 5.3"},
       {Fault::OVERRUN, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.j"},
       {Fault::REPEATED, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.g"}}}},
    {Type::MP_UNREACH_NLRI, "MP_UNREACH_NLRI", NON_TRANSITIVE, Scope::ANY_PEER,
     DecodeMpUnreach, nullptr,
     {{{Fault::LENGTH, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 5.3"},
       {Fault::PREFIX, RESET, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 5.3"},
       {Fault::OVERRUN, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.j"},
       {Fault::REPEATED, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.g"}}}},
    {Type::EXTENDED_COMMUNITIES, "EXTENDED COMMUNITIES", TRANSITIVE, Scope::ANY_PEER,
     DecodeList<&BgpPathAttributes::extendedCommunities>, EncodeList<&BgpPathAttributes::extendedCommunities>,
     {{{Fault::LENGTH, WITHDRAW, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7606, 7.14"}}}},
    {Type::AS4_PATH, "AS4_PATH", TRANSITIVE, Scope::TWO_OCTET_PEERS,
     DecodeAs4Path, EncodeAs4Path,
     {{{Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 6793, 6"},
       {Fault::VALUE, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 6793, 6"},
       {Fault::AS_ZERO, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7607, 2"}}}},
    {Type::AS4_AGGREGATOR, "AS4_AGGREGATOR", TRANSITIVE, Scope::TWO_OCTET_PEERS,
     DecodeAs4Aggregator, EncodeAs4Aggregator,
     {{{Fault::UNWANTED, DISCARD, Error::UNSPECIFIC, "RFC 6793, 6"},
       {Fault::LENGTH, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 6793, 6"},
       {Fault::AS_ZERO, DISCARD, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 7607, 2"}}}},
    {Type::LARGE_COMMUNITIES, "LARGE_COMMUNITY", TRANSITIVE, Scope::ANY_PEER,
     DecodeList<&BgpPathAttributes::largeCommunities>, EncodeList<&BgpPathAttributes::largeCommunities>,
     {{{Fault::LENGTH, WITHDRAW, Error::OPTIONAL_ATTRIBUTE_ERROR, "RFC 8092, 6"}}}},
}};

/// The rules for errors that an attribute has no rule for, and for errors of no attribute.
constexpr BgpErrorRule GENERAL_RULES[] = {
    {Fault::FIELD_LENGTH, RESET, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 4271, 6.3"},
    {Fault::PREFIX, RESET, Error::INVALID_NETWORK_FIELD, "RFC 7606, 5.3"},
    {Fault::OVERRUN, WITHDRAW, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 4"},
    {Fault::FLAGS, WITHDRAW, Error::ATTRIBUTE_FLAGS_ERROR, "RFC 7606, 3.c"},
    {Fault::REPEATED, DISCARD, Error::MALFORMED_ATTRIBUTE_LIST, "RFC 7606, 3.g"},
    {Fault::MISSING, WITHDRAW, Error::MISSING_WELL_KNOWN, "RFC 7606, 3.d"},
    {Fault::UNKNOWN_WELL_KNOWN, RESET, Error::UNRECOGNIZED_WELL_KNOWN, "RFC 4271, 6.3"},
};

/// The rule where nothing is written.
constexpr BgpErrorRule UNWRITTEN{Fault::VALUE, RESET, Error::UNSPECIFIC, "RFC 4271, 6"};
// clang-format on

/// The names of actions.
constexpr const char* ACTION_NAMES[] = {
    "none",
    "attribute discard",
    "treat-as-withdraw",
    "session reset",
};

/// The names of faults.
constexpr const char* FAULT_NAMES[] = {
    "length of fields",
    "prefix",
    "overrun",
    "flags",
    "length",
    "value",
    "AS 0",
    "first AS",
    "unwanted",
    "repeated",
    "missing",
    "unknown well-known",
};
static_assert(std::size(FAULT_NAMES) == static_cast<std::size_t>(BgpFault::N_FAULTS));

} // namespace

bool
BgpAttribute::IsFor(const BgpSessionTerms& terms) const
{
    switch (scope)
    {
    case Scope::INTERNAL_PEERS:
        return !terms.IsExternal();
    case Scope::TWO_OCTET_PEERS:
        return !terms.isFourOctetAs;
    case Scope::ANY_PEER:
        break;
    }
    return true;
}

const std::array<BgpAttribute, N_BGP_ATTRIBUTES>&
GetBgpAttributes()
{
    return ATTRIBUTES;
}

const BgpAttribute*
FindBgpAttribute(uint8_t type)
{
    for (const BgpAttribute& attribute : ATTRIBUTES)
    {
        if (static_cast<uint8_t>(attribute.type) == type)
        {
            return &attribute;
        }
    }
    return nullptr;
}

const BgpErrorRule&
GetBgpErrorRule(uint8_t type, BgpFault fault)
{
    if (const BgpAttribute* const attribute = FindBgpAttribute(type))
    {
        for (const BgpErrorRule& rule : attribute->rules)
        {
            if (rule.section && rule.fault == fault)
            {
                return rule;
            }
        }
    }
    for (const BgpErrorRule& rule : GENERAL_RULES)
    {
        if (rule.fault == fault)
        {
            return rule;
        }
    }
    return UNWRITTEN;
}

const char*
GetBgpErrorActionName(BgpErrorAction action)
{
    return ACTION_NAMES[static_cast<std::size_t>(action)];
}

const char*
GetBgpFaultName(BgpFault fault)
{
    return FAULT_NAMES[static_cast<std::size_t>(fault)];
}

} // namespace ns3::aidc
