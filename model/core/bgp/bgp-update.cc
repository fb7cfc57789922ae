// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-update.h"

#include "../fare/path-bandwidth.h"

#include <algorithm>
#include <bitset>
#include <unordered_map>
#include <utility>

namespace ns3::aidc
{

namespace
{

using Type = BgpAttributeType; //!< the types of attributes, which are many here

bool
IsType(uint8_t type, BgpAttributeType known)
{
    return type == static_cast<uint8_t>(known);
}

/// Decodes the path attributes of an UPDATE.
///
/// The checks of each attribute are, in this order: it is complete, its type is not repeated,
/// flags, this peer may send it, length, value. The first check that fails is its fault, and the
/// table of attributes has the rule for this fault.
class BgpAttributeDecoder
{
  public:
    /// terms: of the session; result: gets attributes, MP attributes and faults; both outlive this
    BgpAttributeDecoder(const BgpSessionTerms& terms, BgpUpdateResult& result)
        : m_terms(terms),
          m_result(result),
          m_values{result.update.attributes, result.update.mpReach, result.update.mpUnreach}
    {
    }

    /// Decode all attributes. @return false if the session is to be reset, as the result says then
    bool Decode(BgpReader list)
    {
        while (list.GetSize() > 0 && m_result.action != BgpErrorAction::SESSION_RESET)
        {
            const uint8_t* const begin = list.GetData();
            const auto flags = list.Read<uint8_t>();
            const auto type = list.Read<uint8_t>();
            const bool isExtended = (flags & BgpAttributeFlag::EXTENDED_LENGTH) != 0;
            const std::size_t length = isExtended ? list.Read<uint16_t>() : list.Read<uint8_t>();
            const BgpReader value = list.ReadPart(length);
            m_hasOthers = m_hasOthers || !IsType(type, Type::MP_UNREACH_NLRI);
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
                if (IsType(type, Type::NEXT_HOP) && m_result.update.announced.empty())
                {
                    m_nextHopFault = {*fault, std::move(whole)};
                    continue;
                }
                AddFault(type, *fault, std::move(whole));
            }
        }
        m_result.nIgnoredFamilies = m_values.nIgnoredFamilies;
        MergeFourOctetAs();
        CheckTogether();
        return m_result.action != BgpErrorAction::SESSION_RESET;
    }

  private:
    /// Decode an attribute whose type is not repeated. @return its fault, if it has one
    std::optional<BgpFault> DecodeAttribute(uint8_t flags, uint8_t type, BgpReader value)
    {
        const BgpAttribute* const attribute = FindBgpAttribute(type);
        if (!attribute)
        {
            if ((flags & BgpAttributeFlag::OPTIONAL) == 0)
            {
                return BgpFault::UNKNOWN_WELL_KNOWN;
            }
            if ((flags & BgpAttributeFlag::TRANSITIVE) != 0)
            {
                KeepUnknown(type, value);
            }
            return std::nullopt;
        }
        constexpr uint8_t FIXED = BgpAttributeFlag::OPTIONAL | BgpAttributeFlag::TRANSITIVE;
        const bool hasWrongFlags = (flags & FIXED) != attribute->flags;
        if (IsType(type, Type::MP_REACH_NLRI) || IsType(type, Type::MP_UNREACH_NLRI))
        {
            // Wrong flags do not keep the routes from being withdrawn, so that these are read
            // first.
            const auto fault = attribute->decode(value, m_terms, m_values);
            return fault || !hasWrongFlags ? fault : BgpFault::FLAGS;
        }
        if (hasWrongFlags)
        {
            return BgpFault::FLAGS;
        }
        if (!attribute->IsFor(m_terms))
        {
            return BgpFault::UNWANTED;
        }
        const auto fault = attribute->decode(value, m_terms, m_values);
        const bool isOfPath = attribute->scope != BgpAttributeScope::TWO_OCTET_PEERS;
        if (!fault && attribute->flags == FIXED && isOfPath &&
            (flags & BgpAttributeFlag::PARTIAL) != 0)
        {
            m_result.update.attributes.partial |= uint64_t{1} << type;
        }
        return fault;
    }

    void KeepUnknown(uint8_t type, const BgpReader& value)
    {
        auto& unknown = m_result.update.attributes.unknown;
        const auto place =
            std::find_if(unknown.begin(), unknown.end(), [type](const BgpUnknownAttribute& other) {
                return other.type > type;
            });
        unknown.insert(place, {type, value.GetBytes()});
    }

    /// Merge the attributes of two-octet peers (RFC 6793, section 4.2.3).
    void MergeFourOctetAs()
    {
        BgpPathAttributes& attributes = m_result.update.attributes;
        if (attributes.aggregator && m_values.as4Aggregator)
        {
            // A router that has aggregated since then does not know AS4_PATH either.
            if (attributes.aggregator->as != BGP_AS_TRANS)
            {
                return;
            }
            attributes.aggregator = m_values.as4Aggregator;
        }
        if (m_values.as4Path)
        {
            attributes.asPath = MergeBgpAs4Path(attributes.asPath, *m_values.as4Path);
        }
    }

    /// Check what can only be seen when all attributes are there.
    void CheckTogether()
    {
        if (m_result.action == BgpErrorAction::SESSION_RESET)
        {
            return;
        }
        const BgpUpdate& update = m_result.update;
        const bool hasReach = m_seen[static_cast<uint8_t>(Type::MP_REACH_NLRI)]; // of any family
        if (m_nextHopFault && !hasReach)
        {
            // Next to MP_REACH_NLRI it would be ignored (RFC 4760, section 3).
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
            if (m_terms.peerType == BgpPeerType::INTERNAL)
            {
                require(Type::LOCAL_PREF);
            }
            if (m_result.action != BgpErrorAction::TREAT_AS_WITHDRAW && m_terms.IsExternal() &&
                m_terms.firstAs != 0 && update.attributes.asPath.GetNeighborAs() != m_terms.firstAs)
            {
                AddFault(static_cast<uint8_t>(Type::AS_PATH), BgpFault::FIRST_AS, {});
            }
        }
        // Which routes are meant cannot be relied on (RFC 7606, section 5.2).
        if (m_result.action == BgpErrorAction::TREAT_AS_WITHDRAW && m_hasOthers && !hasReach &&
            update.announced.empty())
        {
            m_result.action = BgpErrorAction::SESSION_RESET;
            m_result.notification = m_withdrawal;
        }
    }

    /// Note an error. type: the attribute, 0 if it is about none.
    void AddFault(uint8_t type, BgpFault fault, BgpBytes data)
    {
        const BgpErrorRule& rule = GetBgpErrorRule(type, fault);
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

    const BgpSessionTerms& m_terms; //!< the terms of the session
    BgpUpdateResult& m_result;      //!< gets what is decoded
    BgpAttributeValues m_values;    //!< the contents of attributes
    std::bitset<256> m_seen;        //!< types that have been there
    bool m_hasOthers{false};        //!< others than MP_UNREACH_NLRI
    /// The fault of a NEXT_HOP that no route needs, and the attribute
    std::optional<std::pair<BgpFault, BgpBytes>> m_nextHopFault;
    BgpNotification m_withdrawal; //!< of the first treat-as-withdraw, if it has to be a reset
};

/// The most octets of MP_UNREACH_NLRI without routes: flags, type, length, AFI and SAFI.
constexpr std::size_t EMPTY_MP_UNREACH_SIZE = 7;

/// Get the result for an UPDATE whose routes cannot even be found.
BgpUpdateResult
Reset(BgpFault fault)
{
    const BgpErrorRule& rule = GetBgpErrorRule(0, fault);
    BgpUpdateResult result;
    result.action = rule.action;
    result.notification = BgpNotification(rule.subcode);
    result.faults.push_back({0, fault, rule.action});
    return result;
}

/// Let routes that were announced count as withdrawn (RFC 7606, section 2).
void
TreatAsWithdraw(BgpUpdate& update)
{
    auto& withdrawn = update.withdrawn;
    withdrawn.insert(withdrawn.end(), update.announced.begin(), update.announced.end());
    update.announced.clear();
    if (update.mpReach)
    {
        const auto& prefixes = update.mpReach->prefixes;
        withdrawn.insert(withdrawn.end(), prefixes.begin(), prefixes.end());
        update.mpReach.reset();
    }
}

} // namespace

BgpUpdateResult
DecodeBgpUpdate(const uint8_t* body, std::size_t size, const BgpSessionTerms& terms)
{
    BgpReader reader(body, size);
    const BgpReader withdrawn = reader.ReadPart(reader.Read<uint16_t>());
    const BgpReader attributes = reader.ReadPart(reader.Read<uint16_t>());
    if (!reader.IsWhole())
    {
        return Reset(BgpFault::FIELD_LENGTH);
    }
    const bool hasRoutes = withdrawn.GetSize() > 0 || reader.GetSize() > 0;
    BgpUpdateResult result;
    if (!DecodeBgpPrefixes(withdrawn, result.update.withdrawn) ||
        !DecodeBgpPrefixes(reader, result.update.announced))
    {
        return Reset(BgpFault::PREFIX);
    }
    if (!BgpAttributeDecoder(terms, result).Decode(attributes))
    {
        result.update = {};
        return result;
    }
    if (result.action == BgpErrorAction::TREAT_AS_WITHDRAW)
    {
        TreatAsWithdraw(result.update);
    }
    if (!result.update.Announces())
    {
        result.update.attributes = {};
    }
    else if (result.update.announced.empty())
    {
        result.update.attributes.nextHop = 0; // is not about the routes of MP_REACH_NLRI
    }
    // Some speakers write it in the form of other families, as MP_UNREACH_NLRI without routes.
    const bool isEmpty = attributes.GetSize() == 0;
    const bool isEmptyMpUnreach = attributes.GetSize() <= EMPTY_MP_UNREACH_SIZE &&
                                  result.update.mpUnreach && result.update.mpUnreach->empty();
    result.isEndOfRib = !hasRoutes && result.faults.empty() && (isEmpty || isEmptyMpUnreach);
    return result;
}

BgpBytes
EncodeBgpEndOfRib()
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::UPDATE);
    AppendBgp(message, uint16_t{0}); // withdrawn routes
    AppendBgp(message, uint16_t{0}); // path attributes
    FinishBgpMessage(message);
    return message;
}

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

/// Append messages that announce routes of one attribute set, or routes that do not fit, to packed.
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

uint64_t
RemoveBgpMartians(BgpRouteChanges& changes)
{
    uint64_t n = 0;
    for (BgpAnnouncement& announcement : changes.announced)
    {
        auto& prefixes = announcement.prefixes;
        const auto end = std::remove_if(prefixes.begin(), prefixes.end(), IsBgpMartian);
        n += static_cast<uint64_t>(prefixes.end() - end);
        prefixes.erase(end, prefixes.end());
    }
    return n;
}

uint64_t
WithdrawBgpRoutes(BgpRouteChanges& changes, const std::function<bool(uint32_t)>& isWrong)
{
    uint64_t n = 0;
    const auto goes = [&](const BgpAnnouncement& announcement) {
        if (!isWrong(announcement.attributes.nextHop))
        {
            return false;
        }
        n += announcement.prefixes.size();
        changes.withdrawn.insert(changes.withdrawn.end(),
                                 announcement.prefixes.begin(),
                                 announcement.prefixes.end());
        return true;
    };
    changes.announced.erase(
        std::remove_if(changes.announced.begin(), changes.announced.end(), goes),
        changes.announced.end());
    return n;
}

uint64_t
CountMalformedBandwidths(const BgpRouteChanges& changes, uint8_t subtype)
{
    uint64_t n = 0;
    for (const BgpAnnouncement& announcement : changes.announced)
    {
        n += DecodeBandwidths(announcement.attributes.extendedCommunities, subtype).nMalformed;
    }
    return n;
}

/// Leave out prefixes that are among others.
static void
RemoveOthers(std::vector<BgpPrefix>& prefixes, const std::vector<BgpPrefix>& others)
{
    prefixes.erase(
        std::remove_if(prefixes.begin(),
                       prefixes.end(),
                       [&others](const BgpPrefix& prefix) {
                           return std::binary_search(others.begin(), others.end(), prefix);
                       }),
        prefixes.end());
}

BgpRouteChanges
GetBgpRouteChanges(BgpUpdate update)
{
    BgpRouteChanges changes;
    changes.withdrawn = std::move(update.withdrawn);
    if (update.mpUnreach)
    {
        changes.withdrawn.insert(changes.withdrawn.end(),
                                 update.mpUnreach->begin(),
                                 update.mpUnreach->end());
    }
    if (update.mpReach)
    {
        std::vector<BgpPrefix> sorted = update.mpReach->prefixes;
        std::sort(sorted.begin(), sorted.end());
        RemoveOthers(changes.withdrawn, sorted);
        RemoveOthers(update.announced, sorted);
    }
    if (!update.announced.empty() && !changes.withdrawn.empty())
    {
        std::vector<BgpPrefix> sorted = update.announced;
        std::sort(sorted.begin(), sorted.end());
        RemoveOthers(changes.withdrawn, sorted);
    }
    if (update.mpReach && !update.mpReach->prefixes.empty())
    {
        BgpPathAttributes attributes = update.attributes;
        attributes.nextHop = update.mpReach->nextHop;
        changes.announced.push_back({std::move(attributes), std::move(update.mpReach->prefixes)});
    }
    if (!update.announced.empty())
    {
        changes.announced.push_back({std::move(update.attributes), std::move(update.announced)});
    }
    return changes;
}

} // namespace ns3::aidc
