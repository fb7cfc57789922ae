// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_POLICY_H
#define AIDC_BGP_POLICY_H

#include "bgp-path-attributes.h"
#include "bgp-prefix.h"

#include <cstdint>
#include <optional>
#include <vector>

/// @file
/// Policies: the routes that are accepted from a peer or sent to it, and their preferences.

namespace ns3::aidc
{

/// A rule. It matches the routes for which all of its conditions hold.
struct BgpPolicyRule
{
    std::optional<BgpPrefix>
        prefix;                //!< condition: the route is this one, or within it by ge and le
    std::optional<uint8_t> ge; //!< its length is at least this; by default the prefix's
    std::optional<uint8_t> le; //!< its length is at most this; by default the prefix's, 32 with ge
    std::optional<uint32_t> asInPath;      //!< condition: the AS is on the path
    std::optional<uint32_t> neighborAs;    //!< condition: the path begins with the AS
    std::vector<uint32_t> communities;     //!< condition: the route has all of these communities
    bool isAccepted{true};                 //!< whether the routes are accepted
    std::optional<uint32_t> localPref;     //!< LOCAL_PREF that they get
    std::optional<uint32_t> multiExitDisc; //!< MULTI_EXIT_DISC that they get
    std::vector<uint32_t> removed;         //!< communities that they lose
    std::vector<uint32_t> added;           //!< communities that they get, after the loss of others

    /// How often an AS is put in front of their path in addition to the usual one: the peer's AS
    /// for routes from a peer, the speaker's own AS for routes to an external peer
    uint8_t nPrepended{0};
};

/// A list of rules. The first rule that matches a route decides.
struct BgpPolicy
{
    std::vector<BgpPolicyRule> rules; //!< in their order
    bool acceptsOthers{true};         //!< whether routes without a matching rule are accepted
};

/// Check a policy.
/// @throws std::invalid_argument if a rule's lengths are not in order: prefix, ge, le, 32; or if
///        there are ge or le without a prefix, or bits beyond a prefix's length
void CheckBgpPolicy(const BgpPolicy& policy);

/// The decision of a policy on a route.
struct BgpPolicyResult
{
    bool isAccepted{true};                 //!< whether it is accepted
    std::optional<uint32_t> localPref;     //!< LOCAL_PREF instead of its own
    std::optional<uint32_t> multiExitDisc; //!< MULTI_EXIT_DISC instead of its own
    const BgpPolicyRule* rule{nullptr};    //!< the rule that has decided, in the policy
};

/// Ask a policy about a route. policy: null: all routes are accepted unchanged. @return the
/// decision
BgpPolicyResult AskBgpPolicy(const BgpPolicy* policy,
                             const BgpPrefix& prefix,
                             const BgpPathAttributes& attributes);

/// Change a route's communities as a rule says, without adding one that the route has.
void ChangeBgpCommunities(const BgpPolicyRule& rule, std::vector<uint32_t>& communities);

} // namespace ns3::aidc

#endif // AIDC_BGP_POLICY_H
