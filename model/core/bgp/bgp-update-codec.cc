/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-update-codec.h"

#include "bgp-attribute-decoder.h"
#include "bgp-attribute-table.h"
#include "bgp-message.h"

namespace ns3::aidc
{

namespace
{

/// The most octets of MP_UNREACH_NLRI without routes: flags, type, length, AFI and SAFI.
constexpr std::size_t EMPTY_MP_UNREACH_SIZE = 7;

/// Get what has come of an UPDATE whose routes cannot even be told.
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

} // namespace ns3::aidc
