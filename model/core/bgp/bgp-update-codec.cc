/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-update-codec.h"

#include "bgp-address-family.h"
#include "bgp-attribute-decoder.h"
#include "bgp-attribute-encoder.h"
#include "bgp-message.h"

#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Get what has come of an UPDATE whose routes cannot even be told.
 * @param fault what is wrong, of the message and no attribute
 * @return the result
 */
BgpUpdateResult
Reset(BgpFault fault)
{
    const BgpErrorRule& rule = GetBgpErrorRule(BgpAttributeType::ANY, fault);
    BgpUpdateResult result;
    result.action = rule.action;
    result.notification = BgpNotification(rule.subcode);
    result.faults.push_back({0, fault, rule.action});
    return result;
}

/**
 * @brief Let routes that were announced count as withdrawn (RFC 7606, section 2).
 * @param [in,out] update the UPDATE
 */
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

/**
 * @brief Append prefixes.
 * @param [in,out] bytes what to append to
 * @param prefixes the prefixes
 */
void
AppendPrefixes(BgpBytes& bytes, const std::vector<BgpPrefix>& prefixes)
{
    for (const BgpPrefix& prefix : prefixes)
    {
        AppendBgpPrefix(bytes, prefix);
    }
}

/**
 * @brief Append MP attributes.
 * @param [in,out] bytes what to append to
 * @param update the UPDATE
 */
void
AppendMpAttributes(BgpBytes& bytes, const BgpUpdate& update)
{
    BgpAttributeWriter writer(bytes);
    if (update.mpReach)
    {
        writer.Begin(BgpAttributeFlag::OPTIONAL,
                     static_cast<uint8_t>(BgpAttributeType::MP_REACH_NLRI));
        AppendBgp(bytes, BGP_IPV4_UNICAST.afi);
        bytes.push_back(BGP_IPV4_UNICAST.safi);
        bytes.push_back(4);
        AppendBgp(bytes, update.mpReach->nextHop);
        bytes.push_back(0); // reserved
        AppendPrefixes(bytes, update.mpReach->prefixes);
        writer.End();
    }
    if (update.mpUnreach)
    {
        writer.Begin(BgpAttributeFlag::OPTIONAL,
                     static_cast<uint8_t>(BgpAttributeType::MP_UNREACH_NLRI));
        AppendBgp(bytes, BGP_IPV4_UNICAST.afi);
        bytes.push_back(BGP_IPV4_UNICAST.safi);
        AppendPrefixes(bytes, *update.mpUnreach);
        writer.End();
    }
}

/**
 * @brief Set the length of a field that stands in two bytes in front of it.
 * @param [in,out] bytes what the field is at the end of
 * @param place where the length is
 */
void
SetLength(BgpBytes& bytes, std::size_t place)
{
    StoreBgp(&bytes[place], static_cast<uint16_t>(bytes.size() - place - 2));
}

} // namespace

BgpUpdateResult
DecodeBgpUpdate(const uint8_t* body, std::size_t size, const BgpSessionOptions& options)
{
    BgpReader reader(body, size);
    const BgpReader withdrawn = reader.ReadPart(reader.Read<uint16_t>());
    const BgpReader attributes = reader.ReadPart(reader.Read<uint16_t>());
    if (!reader.IsWhole())
    {
        return Reset(BgpFault::FIELD_LENGTH);
    }
    BgpUpdateResult result;
    if (!DecodeBgpPrefixes(withdrawn, result.update.withdrawn) ||
        !DecodeBgpPrefixes(reader, result.update.announced))
    {
        return Reset(BgpFault::PREFIX);
    }
    if (!BgpAttributeDecoder(options, result).Decode(attributes))
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
    return result;
}

BgpBytes
EncodeBgpUpdate(const BgpUpdate& update, const BgpSessionOptions& options)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::UPDATE);
    std::size_t place = message.size();
    AppendBgp(message, uint16_t{0});
    AppendPrefixes(message, update.withdrawn);
    SetLength(message, place);
    place = message.size();
    AppendBgp(message, uint16_t{0});
    AppendMpAttributes(message, update);
    if (update.Announces())
    {
        AppendBgpPathAttributes(message, update.attributes, !update.announced.empty(), options);
    }
    SetLength(message, place);
    AppendPrefixes(message, update.announced);
    if (message.size() > options.maxMessageSize)
    {
        return {};
    }
    FinishBgpMessage(message);
    return message;
}

} // namespace ns3::aidc
