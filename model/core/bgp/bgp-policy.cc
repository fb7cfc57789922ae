// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-policy.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

void
CheckBgpPolicy(const BgpPolicy& policy)
{
    for (std::size_t i = 0; i < policy.rules.size(); ++i)
    {
        const BgpPolicyRule& rule = policy.rules[i];
        std::ostringstream error;
        if (!rule.prefix)
        {
            if (!rule.ge && !rule.le)
            {
                continue;
            }
            error << "expected ge and le with a prefix only";
        }
        else
        {
            const BgpPrefix& prefix = *rule.prefix;
            const uint8_t ge = rule.ge.value_or(prefix.length);
            const uint8_t le = rule.le.value_or(rule.ge ? 32 : ge);
            if (prefix.length <= ge && ge <= le && le <= 32 &&
                MakeBgpPrefix(prefix.network, prefix.length) == prefix)
            {
                continue;
            }
            error << "expected length <= ge <= le <= 32 and no bits beyond the length, found "
                  << prefix << " ge " << +ge << " le " << +le;
        }
        throw std::invalid_argument("rule " + std::to_string(i + 1) +
                                    " of a BGP policy: " + error.str());
    }
}

/// Say whether all conditions of a rule hold. @return whether they do
static bool
Matches(const BgpPolicyRule& rule, const BgpPrefix& prefix, const BgpPathAttributes& attributes)
{
    if (rule.prefix)
    {
        const uint8_t ge = rule.ge.value_or(rule.prefix->length);
        const uint8_t le = rule.le.value_or(rule.ge ? 32 : ge);
        if (prefix.length < ge || prefix.length > le ||
            !(MakeBgpPrefix(prefix.network, rule.prefix->length) == *rule.prefix))
        {
            return false;
        }
    }
    return (!rule.asInPath || attributes.asPath.Contains(*rule.asInPath)) &&
           (!rule.neighborAs || attributes.asPath.GetNeighborAs() == *rule.neighborAs) &&
           std::all_of(rule.communities.begin(),
                       rule.communities.end(),
                       [&attributes](uint32_t community) {
                           return HasBgpCommunity(attributes.communities, community);
                       });
}

BgpPolicyResult
AskBgpPolicy(const BgpPolicy* policy, const BgpPrefix& prefix, const BgpPathAttributes& attributes)
{
    BgpPolicyResult result;
    if (!policy)
    {
        return result;
    }
    for (const BgpPolicyRule& rule : policy->rules)
    {
        if (Matches(rule, prefix, attributes))
        {
            result.isAccepted = rule.isAccepted;
            result.localPref = rule.localPref;
            result.multiExitDisc = rule.multiExitDisc;
            result.rule = &rule;
            return result;
        }
    }
    result.isAccepted = policy->acceptsOthers;
    return result;
}

void
ChangeBgpCommunities(const BgpPolicyRule& rule, std::vector<uint32_t>& communities)
{
    communities.erase(std::remove_if(communities.begin(),
                                     communities.end(),
                                     [&rule](uint32_t community) {
                                         return HasBgpCommunity(rule.removed, community);
                                     }),
                      communities.end());
    for (const uint32_t community : rule.added)
    {
        AddBgpCommunity(communities, community);
    }
}

} // namespace ns3::aidc
