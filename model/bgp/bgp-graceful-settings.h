/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_GRACEFUL_SETTINGS_H
#define AIDC_BGP_GRACEFUL_SETTINGS_H

#include "ns3/nstime.h"

namespace ns3::aidc
{

/// How a BGP speaker restarts, and lets others restart and shut down.
struct BgpGracefulSettings
{
    bool offersRestart{false};  //!< graceful restart is offered (RFC 4724, RFC 8538)
    Time restartTime;           //!< offered: until sessions are back
    Time staleTime;             //!< the longest time that a peer's stale routes stay
    Time deferralTime;          //!< the longest wait for End-of-RIB after the own restart
    bool acceptsShutdown{true}; //!< routes with its community are the last choice (RFC 8326)
};

} // namespace ns3::aidc

#endif // AIDC_BGP_GRACEFUL_SETTINGS_H
