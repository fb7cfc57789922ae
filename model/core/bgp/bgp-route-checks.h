/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ROUTE_CHECKS_H
#define AIDC_BGP_ROUTE_CHECKS_H

#include "bgp-update.h"

#include <cstdint>
#include <functional>

/// @file
/// Checks of the routes in an UPDATE whose bytes are correct (RFC 4271, section 6.3).

namespace ns3::aidc
{

/// @brief Remove routes to martians: IsBgpMartian().
/// @param [in,out] changes the changes from a peer
/// @return their number
uint64_t RemoveBgpMartians(BgpRouteChanges& changes);

/// @brief Treat routes with a wrong next hop as withdrawn: they replace earlier routes.
/// @param [in,out] changes the changes from a peer
/// @param isWrong returns whether a next hop, in host byte order, is wrong
/// @return their number
uint64_t WithdrawBgpRoutes(BgpRouteChanges& changes, const std::function<bool(uint32_t)>& isWrong);

/// @brief Count bandwidths that are NaN, infinite or negative.
/// @param changes the changes from a peer
/// @param subtype the low octet of a path bandwidth's type
/// @return their number
uint64_t CountMalformedBandwidths(const BgpRouteChanges& changes, uint8_t subtype);

} // namespace ns3::aidc

#endif // AIDC_BGP_ROUTE_CHECKS_H
