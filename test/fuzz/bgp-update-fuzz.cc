// SPDX-License-Identifier: GPL-2.0-only

// A byte of options and any bytes as the body of an UPDATE: there is a message, routes that are
// treated as withdrawn, or a NOTIFICATION; and what is understood is the same when it has been
// packed and read again.

#include "fuzz-require.h"
#include "model/core/bgp/bgp-update.h"
#include "model/core/fare/path-bandwidth.h"
#include "test/core/bgp/bgp-update-equality.h"

#include "ns3/bgp-message.h"

#include <memory>
#include <set>
#include <sstream>

using aidctest::IsSame;

namespace
{

BgpUpdateResult
Decode(const BgpBytes& message, const BgpSessionTerms& terms)
{
    return DecodeBgpUpdate(message.data() + BGP_HEADER_SIZE,
                           message.size() - BGP_HEADER_SIZE,
                           terms);
}

/// Pack announced routes, and find them all in the messages.
void
CheckPacked(const BgpAnnouncement& announcement, const BgpSessionTerms& terms)
{
    const auto attributes = std::make_shared<const BgpPathAttributes>(announcement.attributes);
    std::vector<BgpOutgoingRoute> routes;
    for (const BgpPrefix& prefix : announcement.prefixes)
    {
        routes.push_back({prefix, attributes});
    }
    const BgpPackedUpdates packed = PackBgpUpdates({}, routes, terms);
    std::vector<BgpPrefix> found = packed.unsendable;
    for (const BgpBytes& message : packed.messages)
    {
        Require(message.size() <= BGP_MAX_MESSAGE_SIZE, "packed messages are not too large");
        const BgpUpdateResult result = Decode(message, terms);
        Require(result.action == BgpErrorAction::NONE, "packed messages have no errors");
        Require(result.update.attributes == *attributes, "packed messages have the attributes");
        found.insert(found.end(), result.update.announced.begin(), result.update.announced.end());
    }
    std::sort(found.begin(), found.end());
    std::vector<BgpPrefix> expected = announcement.prefixes;
    std::sort(expected.begin(), expected.end());
    Require(found == expected, "all routes are packed once");
}

/// Check what came of bytes that do not reset the session.
void
CheckUpdate(const BgpUpdate& update, const BgpSessionTerms& terms)
{
    const BgpRouteChanges changes = GetBgpRouteChanges(update);
    std::set<BgpPrefix> seen(changes.withdrawn.begin(), changes.withdrawn.end());
    for (const BgpAnnouncement& announcement : changes.announced)
    {
        for (const BgpPrefix& prefix : announcement.prefixes)
        {
            Require(prefix.length <= 32, "prefixes have up to 32 bits");
            Require(seen.count(prefix) == 0, "no prefix comes twice");
        }
        seen.insert(announcement.prefixes.begin(), announcement.prefixes.end());
        CheckPacked(announcement, terms);
        std::ostringstream text;
        text << announcement.attributes.asPath;
        HashBgpPathAttributes(announcement.attributes);
        const auto bandwidths = DecodeBandwidths(announcement.attributes.extendedCommunities);
        Require(bandwidths.path.GetLowest().value_or(0) >= 0, "bandwidths are not negative");
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    BgpSessionTerms terms;
    terms.isFourOctetAs = (data[0] & 1) != 0;
    terms.peerType = (data[0] & 4) != 0 ? BgpPeerType::INTERNAL : BgpPeerType::EXTERNAL;
    const BgpUpdateResult result = DecodeBgpUpdate(data + 1, size - 1, terms);
    BgpErrorAction strongest = BgpErrorAction::NONE;
    for (const BgpUpdateFault& fault : result.faults)
    {
        Require(fault.fault < BgpFault::N_FAULTS, "faults are among those there are");
        strongest = std::max(strongest, fault.action);
    }
    if (result.action == BgpErrorAction::SESSION_RESET)
    {
        // Withdrawals become resets where there are no routes.
        Require(strongest >= BgpErrorAction::TREAT_AS_WITHDRAW, "a reset has its fault");
        Require(result.notification.code == 3, "the NOTIFICATION is of an UPDATE");
        Require(result.notification.subcode >= 1 && result.notification.subcode <= 11,
                "its subcode is one of RFC 4271");
        Require(IsSame(result.update, {}), "nothing is told of an UPDATE that resets");
        return 0;
    }
    Require(result.action == strongest, "the strongest action is taken");
    Require(result.action != BgpErrorAction::TREAT_AS_WITHDRAW || !result.update.Announces(),
            "what is treated as withdrawn is not announced");
    CheckUpdate(result.update, terms);
    return 0;
}
