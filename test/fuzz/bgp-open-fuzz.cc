// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as the body of an OPEN: it is understood, or there is a NOTIFICATION; and what is
// understood is the same when it has been written and read again.

#include "fuzz-require.h"
#include "model/core/bgp/bgp-open.h"

#include "ns3/bgp-message.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    const BgpOpenResult result = DecodeBgpOpen(data, size);
    if (result.notification)
    {
        const BgpNotification& notification = *result.notification;
        Require(notification.code == 2, "the NOTIFICATION is of an OPEN");
        Require(notification.subcode <= 4 || notification.subcode == 6, "its subcode is known");
        return 0;
    }
    const BgpOpen& open = result.open;
    Require(open.GetAs() != 0 && open.identifier != 0, "AS and identifier are not 0");
    Require(open.holdTime == 0 || open.holdTime >= 3, "the hold time is none or 3 s and more");
    const BgpBytes message = EncodeBgpOpen(open);
    if (message.empty())
    {
        return 0;
    }
    const BgpOpenResult again =
        DecodeBgpOpen(message.data() + BGP_HEADER_SIZE, message.size() - BGP_HEADER_SIZE);
    Require(!again.notification, "what is written has no errors");
    Require(again.open.as == open.as && again.open.holdTime == open.holdTime &&
                again.open.identifier == open.identifier &&
                again.open.capabilities == open.capabilities,
            "what is written is the same");
    BgpOpen own = MakeBgpOpen(65001, 9, 1);
    own.capabilities.gracefulRestart = {false, true, 120, {{BGP_IPV4_UNICAST, true}}};
    const auto refused = CheckBgpOpen(open, own, 0);
    Require(!refused || refused->code == 2, "what is refused is refused as an OPEN");
    const BgpSessionTerms terms = NegotiateBgpSession(own, open);
    Require(terms.isFourOctetAs == open.capabilities.fourOctetAs.has_value(), "both have to know");
    const auto& restart = open.capabilities.gracefulRestart;
    const bool hasFamily = restart && restart->Find(BGP_IPV4_UNICAST);
    Require(terms.restart.isAgreed == hasFamily, "graceful restart is of the family");
    Require(!restart || restart->restartTime <= BGP_MAX_RESTART_TIME, "the time has 12 bits");
    Require(!terms.restart.keepsOnNotification || restart->keepsOnNotification, "both have N");
    return 0;
}
