/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_WAN_POLICY_H
#define AIDC_BGP_WAN_POLICY_H

#include "../model/core/bgp/bgp-prefix.h"

#include "ns3/bgp-policy.h"
#include "ns3/ipv4-address.h"

#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/// @ingroup aidc
/// @param site a data center
/// @return the AS of its provider edge routers
uint32_t GetEdgeAs(uint32_t site);

/// @ingroup aidc
/// @param site a data center
/// @return the prefix of its hosts
BgpPrefix GetSiteNetwork(uint32_t site);

/// @ingroup aidc
/// @param prefix a prefix
/// @return its mask
Ipv4Mask GetMask(const BgpPrefix& prefix);

/// @ingroup aidc
/// Make a policy that accepts a data center only.
/// @param site the data center
/// @param isWhole whether its network as a whole is accepted, and not the prefixes within
/// @return the policy
std::shared_ptr<const BgpPolicy> MakeBorderPolicy(uint32_t site, bool isWhole);

} // namespace ns3::aidc

#endif // AIDC_BGP_WAN_POLICY_H
