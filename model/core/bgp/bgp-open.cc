/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-open.h"

#include "bgp-as-path.h"
#include "bgp-message.h"

#include <utility>

namespace ns3::aidc
{

/// The type of an optional parameter that has capabilities.
static constexpr uint8_t PARAMETER_CAPABILITIES = 2;

/// What stands for the first parameter's type in the extended form (RFC 9072).
static constexpr uint8_t PARAMETER_EXTENDED = 255;

BgpOpen
MakeBgpOpen(uint32_t as, uint16_t holdTime, uint32_t identifier)
{
    BgpOpen open;
    open.as = static_cast<uint16_t>(as > 0xffff ? BGP_AS_TRANS : as);
    open.holdTime = holdTime;
    open.identifier = identifier;
    open.capabilities.families = {BGP_IPV4_UNICAST};
    open.capabilities.hasRouteRefresh = true;
    open.capabilities.fourOctetAs = as;
    return open;
}

BgpBytes
EncodeBgpOpen(const BgpOpen& open)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::OPEN);
    message.push_back(open.version);
    AppendBgp(message, open.as);
    AppendBgp(message, open.holdTime);
    AppendBgp(message, open.identifier);
    BgpBytes capabilities;
    EncodeBgpCapabilities(capabilities, open.capabilities);
    const std::size_t size = capabilities.size();
    if (size == 0)
    {
        message.push_back(0);
    }
    else if (size + 2 <= 0xff)
    {
        message.push_back(static_cast<uint8_t>(size + 2));
        message.push_back(PARAMETER_CAPABILITIES);
        message.push_back(static_cast<uint8_t>(size));
    }
    else
    {
        message.push_back(0xff);
        message.push_back(PARAMETER_EXTENDED);
        AppendBgp(message, static_cast<uint16_t>(size + 3));
        message.push_back(PARAMETER_CAPABILITIES);
        AppendBgp(message, static_cast<uint16_t>(size));
    }
    AppendBgpBytes(message, capabilities);
    if (message.size() > BGP_MAX_MESSAGE_SIZE)
    {
        return {};
    }
    FinishBgpMessage(message);
    return message;
}

/// Decode the optional parameters.
/// @param reader what follows the identifier
/// @param [out] capabilities gets capabilities
/// @return the NOTIFICATION to send if something is wrong
static std::optional<BgpNotification>
DecodeParameters(BgpReader reader, BgpCapabilities& capabilities)
{
    std::size_t length = reader.Read<uint8_t>();
    BgpReader ahead = reader;
    const bool isExtended = length > 0 && ahead.Read<uint8_t>() == PARAMETER_EXTENDED;
    if (isExtended)
    {
        length = ahead.Read<uint16_t>();
        reader = ahead;
    }
    BgpReader parameters = reader.ReadPart(length);
    if (!reader.IsWhole() || reader.GetSize() != 0)
    {
        return BgpOpenError::UNSPECIFIC;
    }
    while (parameters.GetSize() > 0)
    {
        const auto type = parameters.Read<uint8_t>();
        const std::size_t size =
            isExtended ? parameters.Read<uint16_t>() : parameters.Read<uint8_t>();
        const BgpReader value = parameters.ReadPart(size);
        if (!parameters.IsWhole())
        {
            return BgpOpenError::UNSPECIFIC;
        }
        if (type != PARAMETER_CAPABILITIES)
        {
            return BgpOpenError::UNSUPPORTED_OPTIONAL_PARAMETER;
        }
        if (!DecodeBgpCapabilities(value, capabilities))
        {
            return BgpOpenError::UNSPECIFIC;
        }
    }
    return std::nullopt;
}

BgpOpenResult
DecodeBgpOpen(const uint8_t* body, std::size_t size)
{
    BgpReader reader(body, size);
    BgpOpenResult result;
    BgpOpen& open = result.open;
    open.version = reader.Read<uint8_t>();
    open.as = reader.Read<uint16_t>();
    open.holdTime = reader.Read<uint16_t>();
    open.identifier = reader.Read<uint32_t>();
    if (reader.IsWhole() && open.version != BGP_VERSION)
    {
        BgpBytes supported;
        AppendBgp(supported, uint16_t{BGP_VERSION});
        result.notification = {BgpOpenError::UNSUPPORTED_VERSION, std::move(supported)};
        return result;
    }
    const auto malformed = DecodeParameters(reader, open.capabilities);
    const auto& fourOctetAs = open.capabilities.fourOctetAs;
    if (!reader.IsWhole())
    {
        result.notification = BgpOpenError::UNSPECIFIC;
    }
    else if (open.as == 0 || fourOctetAs == 0U ||
             (fourOctetAs && open.as != BGP_AS_TRANS && open.as != *fourOctetAs))
    {
        result.notification = BgpOpenError::BAD_PEER_AS;
    }
    else if (open.holdTime == 1 || open.holdTime == 2)
    {
        result.notification = BgpOpenError::UNACCEPTABLE_HOLD_TIME;
    }
    else if (open.identifier == 0)
    {
        result.notification = BgpOpenError::BAD_IDENTIFIER;
    }
    else
    {
        result.notification = malformed;
    }
    return result;
}

std::optional<BgpNotification>
CheckBgpOpen(const BgpOpen& open, const BgpOpen& own, uint32_t peerAs)
{
    if (peerAs != 0 && open.GetAs() != peerAs)
    {
        return BgpOpenError::BAD_PEER_AS;
    }
    if (open.GetAs() == own.GetAs() && open.identifier == own.identifier)
    {
        return BgpOpenError::BAD_IDENTIFIER;
    }
    if (!open.capabilities.HasFamily(BGP_IPV4_UNICAST))
    {
        BgpCapabilities required;
        required.families = {BGP_IPV4_UNICAST};
        BgpBytes data;
        EncodeBgpCapabilities(data, required);
        return BgpNotification(BgpOpenError::UNSUPPORTED_CAPABILITY, std::move(data));
    }
    return std::nullopt;
}

BgpSessionTerms
NegotiateBgpSession(const BgpOpen& own, const BgpOpen& peer)
{
    BgpSessionTerms terms;
    const bool isInternal = own.GetAs() == peer.GetAs();
    terms.peerType = isInternal ? BgpPeerType::INTERNAL : BgpPeerType::EXTERNAL;
    terms.firstAs = isInternal ? 0 : peer.GetAs();
    terms.isFourOctetAs = own.capabilities.fourOctetAs && peer.capabilities.fourOctetAs;
    const auto& ours = own.capabilities.gracefulRestart;
    const auto& theirs = peer.capabilities.gracefulRestart;
    const auto* const family = theirs ? theirs->Find(BGP_IPV4_UNICAST) : nullptr;
    terms.restart.isPeerRestarting = theirs && theirs->isRestarting;
    if (ours && family)
    {
        terms.restart.isAgreed = true;
        terms.restart.keepsOnNotification =
            ours->keepsOnNotification && theirs->keepsOnNotification;
        terms.restart.isForwardingKept = family->isForwardingKept;
        terms.restart.restartTime = theirs->restartTime;
    }
    return terms;
}

} // namespace ns3::aidc
