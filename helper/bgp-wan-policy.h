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
#include <vector>

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
/// Make a policy that accepts some data centers only.
/// @param sites the data centers
/// @param isWhole whether their networks as a whole are accepted, and not the prefixes within
/// @return the policy
std::shared_ptr<const BgpPolicy> MakeBorderPolicy(const std::vector<uint32_t>& sites, bool isWhole);

} // namespace ns3::aidc

#endif // AIDC_BGP_WAN_POLICY_H
