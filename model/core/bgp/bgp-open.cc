// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-open.h"

#include "bgp-as-path.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

bool
BgpCapabilities::HasFamily(const BgpAddressFamily& family) const
{
    return families.empty() ? family == BGP_IPV4_UNICAST
                            : std::find(families.begin(), families.end(), family) != families.end();
}

/// R in the first two octets of graceful restart.
static constexpr uint16_t RESTARTING = 0x8000;

/// N in the first two octets.
static constexpr uint16_t ON_NOTIFICATION = 0x4000;

/// F in the flags of a family.
static constexpr uint8_t FORWARDING = 0x80;

const BgpRestartFamily*
BgpGracefulRestart::Find(const BgpAddressFamily& family) const
{
    const auto found =
        std::find_if(families.begin(), families.end(), [&family](const BgpRestartFamily& entry) {
            return entry.family == family;
        });
    return found == families.end() ? nullptr : &*found;
}

BgpBytes
EncodeBgpGracefulRestart(const BgpGracefulRestart& restart)
{
    BgpBytes value;
    AppendBgp(value,
              static_cast<uint16_t>((restart.isRestarting ? RESTARTING : 0) |
                                    (restart.keepsOnNotification ? ON_NOTIFICATION : 0) |
                                    (restart.restartTime & BGP_MAX_RESTART_TIME)));
    for (const BgpRestartFamily& entry : restart.families)
    {
        AppendBgp(value, entry.family.afi);
        value.push_back(entry.family.safi);
        value.push_back(entry.isForwardingKept ? FORWARDING : 0);
    }
    return value;
}

std::optional<BgpGracefulRestart>
DecodeBgpGracefulRestart(BgpReader value)
{
    BgpGracefulRestart restart;
    const auto first = value.Read<uint16_t>();
    restart.isRestarting = (first & RESTARTING) != 0;
    restart.keepsOnNotification = (first & ON_NOTIFICATION) != 0;
    restart.restartTime = first & BGP_MAX_RESTART_TIME;
    while (value.IsWhole() && value.GetSize() > 0)
    {
        BgpRestartFamily entry;
        entry.family.afi = value.Read<uint16_t>();
        entry.family.safi = value.Read<uint8_t>();
        entry.isForwardingKept = (value.Read<uint8_t>() & FORWARDING) != 0;
        auto& families = restart.families;
        families.erase(std::remove_if(families.begin(),
                                      families.end(),
                                      [&entry](const BgpRestartFamily& other) {
                                          return other.family == entry.family;
                                      }),
                       families.end());
        families.push_back(entry);
    }
    return value.IsWhole() ? std::make_optional(restart) : std::nullopt;
}

/// value: its value, of which a length has no more than 255 bytes.
static void
AppendCapability(BgpBytes& bytes, uint8_t code, BgpBytes value)
{
    value.resize(std::min<std::size_t>(value.size(), 255));
    bytes.push_back(code);
    bytes.push_back(static_cast<uint8_t>(value.size()));
    AppendBgpBytes(bytes, value);
}

/// Append capabilities, in the order of their codes; unknown ones are last.
static void
EncodeCapabilities(BgpBytes& bytes, const BgpCapabilities& capabilities)
{
    const auto append = [&bytes](BgpCapabilityCode code, BgpBytes value) {
        AppendCapability(bytes, static_cast<uint8_t>(code), std::move(value));
    };
    for (const BgpAddressFamily& family : capabilities.families)
    {
        BgpBytes value;
        AppendBgp(value, family.afi);
        value.push_back(0); // reserved
        value.push_back(family.safi);
        append(BgpCapabilityCode::MULTIPROTOCOL, std::move(value));
    }
    if (capabilities.hasRouteRefresh)
    {
        append(BgpCapabilityCode::ROUTE_REFRESH, {});
    }
    if (capabilities.gracefulRestart)
    {
        append(BgpCapabilityCode::GRACEFUL_RESTART,
               EncodeBgpGracefulRestart(*capabilities.gracefulRestart));
    }
    if (capabilities.fourOctetAs)
    {
        BgpBytes value;
        AppendBgp(value, *capabilities.fourOctetAs);
        append(BgpCapabilityCode::FOUR_OCTET_AS, std::move(value));
    }
    for (const BgpUnknownCapability& capability : capabilities.unknown)
    {
        AppendCapability(bytes, capability.code, capability.value);
    }
}

/// @return false if it is known, and has another length than it must
static bool
DecodeCapability(uint8_t code, BgpReader value, BgpCapabilities& capabilities)
{
    switch (static_cast<BgpCapabilityCode>(code))
    {
    case BgpCapabilityCode::MULTIPROTOCOL: {
        BgpAddressFamily family;
        family.afi = value.Read<uint16_t>();
        value.Read<uint8_t>(); // reserved
        family.safi = value.Read<uint8_t>();
        auto& families = capabilities.families;
        if (std::find(families.begin(), families.end(), family) == families.end())
        {
            families.push_back(family);
        }
        break;
    }
    case BgpCapabilityCode::ROUTE_REFRESH:
        capabilities.hasRouteRefresh = true;
        break;
    case BgpCapabilityCode::GRACEFUL_RESTART: {
        const auto restart = DecodeBgpGracefulRestart(value);
        if (restart)
        {
            capabilities.gracefulRestart = restart; // the last one counts (RFC 4724, section 3)
        }
        return restart.has_value();
    }
    case BgpCapabilityCode::FOUR_OCTET_AS: {
        const auto as = value.Read<uint32_t>();
        if (value.IsWhole())
        {
            capabilities.fourOctetAs = as;
        }
        break;
    }
    default:
        capabilities.unknown.push_back({code, value.GetBytes()});
        return true;
    }
    return value.IsWhole() && value.GetSize() == 0;
}

/// @return false if one is cut off, or a known one has a wrong length
static bool
DecodeCapabilities(BgpReader bytes, BgpCapabilities& capabilities)
{
    while (bytes.GetSize() > 0)
    {
        const auto code = bytes.Read<uint8_t>();
        const BgpReader value = bytes.ReadPart(bytes.Read<uint8_t>());
        if (!bytes.IsWhole() || !DecodeCapability(code, value, capabilities))
        {
            return false;
        }
    }
    return true;
}

/// The type of an optional parameter that has capabilities.
static constexpr uint8_t PARAMETER_CAPABILITIES = 2;

/// The value in place of the first parameter's type in the extended form (RFC 9072).
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
    EncodeCapabilities(capabilities, open.capabilities);
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
        if (!DecodeCapabilities(value, capabilities))
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
        EncodeCapabilities(data, required);
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
