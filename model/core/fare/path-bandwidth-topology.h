// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_BANDWIDTH_TOPOLOGY_H
#define AIDC_PATH_BANDWIDTH_TOPOLOGY_H

#include "../bgp/bgp-decision.h"
#include "path-bandwidth-policy.h"
#include "path-bandwidth.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The routes of a switch to a prefix.
struct PathBandwidthRoutes
{
    /// A distance that stands for no route.
    static constexpr uint32_t UNREACHABLE = std::numeric_limits<uint32_t>::max();

    /// A route that is used.
    struct NextHop
    {
        uint32_t link{0}; //!< the link that it leads over
        double weight{0}; //!< bytes a second; if all are 0, ECMP is plain
    };

    uint32_t distance{UNREACHABLE}; //!< the length of the AS path, 0 of an origin
    std::vector<NextHop> nextHops;  //!< by link; none of an origin
};

/// The routes and weights to which BGP with path bandwidth (draft-xu-idr-fare) converges,
/// computed from the topology, without messages.
///
/// A switch uses all routes with the shortest AS paths without loops, up to a maximum number: the
/// routes of the neighbors with the lowest BGP identifiers, and over the first of parallel links.
/// It advertises the first of these routes. Weights come from WeighPathBandwidths(), and advertised
/// bandwidths are rounded as on the wire. There are no policies.
///
/// A path gets longer by each hop. So the routes of a switch are known when all switches closer to
/// the origin have theirs, and one prefix costs a breadth-first search.
class PathBandwidthTopology
{
  public:
    /// Constructor of a topology without switches. attachesNonTransitive: super-spines attach the
    /// bandwidth of their links, and spines accept it; maxPaths: the most routes to a prefix that a
    /// switch uses together.
    explicit PathBandwidthTopology(bool attachesNonTransitive = true,
                                   BandwidthCarrier carrier = BandwidthCarrier::PATH_BANDWIDTH,
                                   uint32_t maxPaths = BGP_MAX_PATHS);

    /// Set whether nodes tell nodes below their share of the routes from above; false by default.
    void SetSharesUplinks(bool shares)
    {
        m_sharesUplinks = shares;
    }

    /// Add a switch, or a host, which has routes but does not advertise them. tier: its place;
    /// identifier: its BGP identifier, which no other one has. @return its number, from 0
    uint32_t AddSwitch(PathBandwidthTier tier, uint32_t as, uint32_t identifier);

    /// Add a link, which is up. Parallel links are legal. a: the switch at one end; b: the switch
    /// at the other end; bandwidth: bytes a second in each direction. @return its number, from 0
    uint32_t AddLink(uint32_t a, uint32_t b, double bandwidth);

    /// Set whether a link is up.
    void SetLinkUp(uint32_t link, bool isUp)
    {
        m_links[link].isUp = isUp;
    }

    /// Set the bandwidth of a link. bandwidth: bytes a second in each direction.
    void SetLinkBandwidth(uint32_t link, double bandwidth)
    {
        m_links[link].bandwidth = bandwidth;
    }

    /// Get all routes to a prefix. origins: the switches that have it; originBandwidth: what they
    /// attach, bytes a second. @return the routes by switch, until the next call
    const std::vector<PathBandwidthRoutes>& Compute(const std::vector<uint32_t>& origins,
                                                    double originBandwidth = MAX_PATH_BANDWIDTH);

  private:
    /// A switch.
    struct Switch
    {
        PathBandwidthTier tier;      //!< its place
        uint32_t as;                 //!< its AS
        uint32_t identifier;         //!< its BGP identifier
        std::vector<uint32_t> links; //!< its links, ascending
    };

    /// A link.
    struct Link
    {
        uint32_t a;       //!< a switch
        uint32_t b;       //!< another one
        double bandwidth; //!< bytes a second
        bool isUp{true};  //!< whether it is up
    };

    /// The route that a switch advertises.
    struct Advertisement
    {
        std::vector<uint32_t> asPath; //!< the AS path, the switch's own AS first
        RouteBandwidth bandwidth;     //!< its bandwidths, rounded
    };

    uint32_t GetPeer(uint32_t link, uint32_t node) const
    {
        return m_links[link].a == node ? m_links[link].b : m_links[link].a;
    }

    /// @return the switch as it weighs routes
    PathBandwidthNode GetNode(uint32_t node) const;

    /// Weight the routes of a switch with known next hops, and find the one that it advertises.
    void Weigh(uint32_t node);

    /// Round a bandwidth, if there is any, as it is rounded on the wire.
    std::optional<double> Round(std::optional<double> bytesPerSecond) const;

    bool m_attachesNonTransitive;                //!< super-spines attach their links' bandwidth
    bool m_sharesUplinks{false};                 //!< nodes below are told their share
    BandwidthCarrier m_carrier;                  //!< the community that carries bandwidths
    uint32_t m_maxPaths;                         //!< the most routes that are used together
    std::vector<Switch> m_switches;              //!< by number
    std::vector<Link> m_links;                   //!< by number
    std::vector<PathBandwidthRoutes> m_routes;   //!< of the last prefix, by switch
    std::vector<Advertisement> m_advertisements; //!< of the last prefix, by switch
    std::vector<PathBandwidthRoute> m_weighed;   //!< the routes of a switch
};

} // namespace ns3::aidc

#endif // AIDC_PATH_BANDWIDTH_TOPOLOGY_H
