// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_SESSION_EVENTS_H
#define AIDC_BGP_SESSION_EVENTS_H

#include "model/core/bgp/bgp-session-fsm.h"

#include <cstdint>

// Events of BGP sessions for the tests of the core.

namespace aidctest
{

using namespace ns3::aidc;

constexpr BgpSessionEvent ALL_SESSION_EVENTS[] = {BgpSessionEvent::MANUAL_START,
                                                  BgpSessionEvent::MANUAL_STOP,
                                                  BgpSessionEvent::AUTOMATIC_START,
                                                  BgpSessionEvent::AUTOMATIC_STOP,
                                                  BgpSessionEvent::CONNECT_RETRY_EXPIRED,
                                                  BgpSessionEvent::HOLD_EXPIRED,
                                                  BgpSessionEvent::KEEPALIVE_EXPIRED,
                                                  BgpSessionEvent::IDLE_HOLD_EXPIRED,
                                                  BgpSessionEvent::TCP_ACKNOWLEDGED,
                                                  BgpSessionEvent::TCP_CONFIRMED,
                                                  BgpSessionEvent::TCP_FAILED,
                                                  BgpSessionEvent::OPEN_RECEIVED,
                                                  BgpSessionEvent::HEADER_ERROR,
                                                  BgpSessionEvent::OPEN_ERROR,
                                                  BgpSessionEvent::COLLISION_DUMP,
                                                  BgpSessionEvent::NOTIFICATION_RECEIVED,
                                                  BgpSessionEvent::KEEPALIVE_RECEIVED,
                                                  BgpSessionEvent::UPDATE_RECEIVED,
                                                  BgpSessionEvent::UPDATE_ERROR,
                                                  BgpSessionEvent::ROUTE_REFRESH_RECEIVED,
                                                  BgpSessionEvent::UPDATE_SENT};

/// AS 65001 with a hold time of 90 s, and a peer of AS 65002.
inline BgpSessionSettings
MakeSessionSettings()
{
    BgpSessionSettings settings;
    settings.open = MakeBgpOpen(65001, 90, 0x0a000001);
    settings.peerAs = 65002;
    return settings;
}

inline BgpOpen
MakePeerOpen(uint16_t holdTime = 30, uint32_t as = 65002)
{
    return MakeBgpOpen(as, holdTime, 0x0a000002);
}

/// What belongs to an event unless a test says otherwise: the errors have these codes.
inline BgpNotification
GetUsualNotification(BgpSessionEvent event)
{
    switch (event)
    {
    case BgpSessionEvent::HEADER_ERROR:
        return BgpHeaderError::NOT_SYNCHRONIZED;
    case BgpSessionEvent::OPEN_ERROR:
        return BgpOpenError::BAD_PEER_AS;
    case BgpSessionEvent::UPDATE_ERROR:
        return BgpUpdateError::MALFORMED_ATTRIBUTE_LIST;
    case BgpSessionEvent::NOTIFICATION_RECEIVED:
        return BgpCease::ADMINISTRATIVE_SHUTDOWN;
    default:
        return {};
    }
}

} // namespace aidctest

#endif // AIDC_BGP_SESSION_EVENTS_H
