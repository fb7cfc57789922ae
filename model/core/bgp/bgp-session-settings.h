/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SESSION_SETTINGS_H
#define AIDC_BGP_SESSION_SETTINGS_H

#include "bgp-open.h"

#include <cstdint>

namespace ns3::aidc
{

/// The settings of a session. Times are in milliseconds, except for the OPEN's hold time.
struct BgpSessionSettings
{
    BgpOpen open;                      //!< the own one; its hold time is 0, or 3 s at least
    uint32_t peerAs{0};                //!< the AS that the peer must have, 0: any
    uint32_t connectRetryTime{120000}; //!< between attempts
    uint32_t openHoldTime{240000};     //!< the hold time until OPEN has arrived
    uint32_t keepaliveTime{0};   //!< between KEEPALIVEs; 0, or longer: a third of the hold time
    uint32_t idleHoldTime{5000}; //!< between an error and the next start
    bool isPassive{false};       //!< only the peer makes connections
    bool restarts{true};         //!< restarts after an error
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SESSION_SETTINGS_H
