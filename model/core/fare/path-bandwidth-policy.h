// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_BANDWIDTH_POLICY_H
#define AIDC_PATH_BANDWIDTH_POLICY_H

#include "path-bandwidth.h"

#include <cstdint>
#include <vector>

/// @file
/// Weights of the routes of a prefix by path bandwidth, and the bandwidths that are readvertised
/// (draft-xu-idr-fare, section "Solution Description").
///
/// Both depend on the node's tier and on the tier of the nodes that sent the routes:
///
///      node         routes from    weight of a route               advertised again
///      leaf, spine  leaf, spine    min(link, transitive)           transitive: sum of the weights
///      spine        super-spine    min(link, non-transitive)       transitive: as received
///      super-spine  any            min(link, transitive)           transitive: as received
///                                                                  non-transitive (optional): link
///      edge         any            min(link, transitive,           transitive: sum of the weights
///                                      non-transitive)
///      host         leaf           min(link, transitive)           nothing: it does not forward
///
/// A fabric of three stages has no super-spines. Routes have weights only if all equal routes have
/// the bandwidth from which weights are made.
///
/// With PathBandwidthNode::sharesUplinks, which the draft does not have, a node tells the nodes
/// below what each one has if all use the routes from above at once:
///
///      spine        super-spine    min(link, non-transitive)       transitive: min(as received,
///                                                                  share of the sum)
///      leaf         spine          min(link, transitive)           transitive: share of the sum
///      super-spine  several nodes  min(link, transitive)           transitive: sum of the weights
///
/// The share is ComputeMaxMinShare() of the sum of the weights, among the links to the nodes below.
///
/// Where the draft is silent: an edge is a router outside of the fabric, such as a provider edge
/// router at the top tier. A path ends there, as it does at a leaf. A super-spine's transitive
/// bandwidth is of the links below the spine, and its non-transitive bandwidth is of the link to
/// the spine; the path has the lower one. A super-spine with several spines as next hops weights
/// them as other nodes do, and attaches the sum of its links. If a route lacks the bandwidth, the
/// sum is not known, and no bandwidth is advertised. Parallel links to a node count as one: the
/// minimum is of their aggregate, and is spread over them by their bandwidths (as from
/// draft-xu-idr-fare-05 on).

namespace ns3::aidc
{

/// The tier of a node in a Clos network.
enum class PathBandwidthTier : uint8_t
{
    LEAF,        //!< has the hosts
    SPINE,       //!< connects leaves
    SUPER_SPINE, //!< connects the spines of several pods
    EDGE,        //!< is outside of the fabric, and connected to its border switches
    HOST         //!< is connected to leaves, and does not forward
};

/// @return whether the nodes of a tier are above the nodes of another one, and tell these of routes
///         that lead up: true for super-spine and spine, spine and leaf, leaf and host
constexpr bool
IsAbove(PathBandwidthTier upper, PathBandwidthTier lower)
{
    using Tier = PathBandwidthTier;
    return (upper == Tier::SUPER_SPINE && lower == Tier::SPINE) ||
           (upper == Tier::SPINE && lower == Tier::LEAF) ||
           (upper == Tier::LEAF && lower == Tier::HOST);
}

/// @return the number of a node that advertises routes. BGP identifiers are unique within an AS
///         only (RFC 6286)
constexpr uint64_t
MakeBgpAdvertiser(uint32_t as, uint32_t identifier)
{
    return uint64_t{as} << 32 | identifier;
}

/// A node that weighs routes.
struct PathBandwidthNode
{
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< its place
    bool attachesNonTransitive{false}; //!< a super-spine attaches the bandwidth of its links
    bool sharesUplinks{false};   //!< nodes below are told their share of the routes from above
    std::vector<double> below{}; //!< links to each node below, bytes a second, if they share
};

/// A route to a prefix, one of several that are equal: one a link.
struct PathBandwidthRoute
{
    uint64_t advertiser{0}; //!< the node that has sent it, by MakeBgpAdvertiser()
    PathBandwidthTier from{PathBandwidthTier::LEAF}; //!< the tier of that node
    double linkBandwidth{0}; //!< of the link to that node, bytes a second, not negative
    RouteBandwidth received; //!< its bandwidths, of the carrier in use
};

/// The weights of the routes of a prefix, and the bandwidths to readvertise.
struct PathBandwidthOutcome
{
    /// The routes' weights in bytes a second, some of which may be 0; empty: plain ECMP
    std::vector<double> weights;

    BandwidthChange advertised; //!< the bandwidths of the route that is readvertised
};

/// Weight the equal routes of a prefix at a node. routes: the first one is the best, which is
/// readvertised.
PathBandwidthOutcome WeighPathBandwidths(const PathBandwidthNode& node,
                                         const std::vector<PathBandwidthRoute>& routes);

/// @return the change by which the origin of a route attaches a bandwidth, by default the largest
///         there is
BandwidthChange OriginatePathBandwidth(double bytesPerSecond = MAX_PATH_BANDWIDTH);

} // namespace ns3::aidc

#endif // AIDC_PATH_BANDWIDTH_POLICY_H
