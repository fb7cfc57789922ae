/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-wan-policy.h"

#include "ns3/fabric-as-plan.h"
#include "ns3/wan-plan.h"

namespace ns3::aidc
{

namespace
{

/// From the AS numbers of a data center to those of the next one: as many data centers as a WAN may
/// have share the 94,967,295 private AS numbers (RFC 6996).
constexpr uint32_t AS_RANGE = 6000000;

} // namespace

uint32_t
GetEdgeAs(uint32_t site)
{
    return FIRST_PRIVATE_AS + site * AS_RANGE;
}

BgpPrefix
GetSiteNetwork(uint32_t site)
{
    const FabricPrefix network = WanPlan::GetNetworks(site).leaves;
    return MakeBgpPrefix(network.network, network.length);
}

Ipv4Mask
GetMask(const BgpPrefix& prefix)
{
    return Ipv4Mask(0xffffffffU << (32 - prefix.length));
}

std::shared_ptr<const BgpPolicy>
MakeBorderPolicy(const std::vector<uint32_t>& sites, bool isWhole)
{
    auto policy = std::make_shared<BgpPolicy>();
    for (const uint32_t site : sites)
    {
        BgpPolicyRule rule;
        rule.prefix = GetSiteNetwork(site);
        if (!isWhole)
        {
            rule.le = 32;
        }
        policy->rules.push_back(rule);
    }
    policy->acceptsOthers = false;
    return policy;
}

} // namespace ns3::aidc
