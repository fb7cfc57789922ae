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

/**
 * @file
 * @ingroup aidc
 * @brief Checks of the routes in an UPDATE whose bytes are correct (RFC 4271, section 6.3).
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Leave out routes to networks that no route leads to: IsBgpMartian().
/// @param [in,out] changes what a peer has sent
/// @return how many
uint64_t RemoveBgpMartians(BgpRouteChanges& changes);

/// @ingroup aidc
/// @brief Have routes with a wrong next hop count as withdrawn: they replace what was before.
/// @param [in,out] changes what a peer has sent
/// @param isWrong says whether a next hop is wrong, in host byte order
/// @return how many
uint64_t WithdrawBgpRoutes(BgpRouteChanges& changes, const std::function<bool(uint32_t)>& isWrong);

/// @ingroup aidc
/// @brief Count bandwidths that are no number, infinite or negative.
/// @param changes what a peer has sent
/// @param subtype the low octet of a path bandwidth's type
/// @return how many
uint64_t CountMalformedBandwidths(const BgpRouteChanges& changes, uint8_t subtype);

} // namespace ns3::aidc

#endif // AIDC_BGP_ROUTE_CHECKS_H
