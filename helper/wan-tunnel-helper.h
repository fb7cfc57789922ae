// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_TUNNEL_HELPER_H
#define AIDC_WAN_TUNNEL_HELPER_H

#include "factory-attribute.h"
#include "wan-helper.h"

#include "ns3/attribute.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4-address.h"
#include "ns3/next-hop-selector.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Connects the data centers of a WanHelper by tunnels, from each provider edge router (PE)
/// to each PE of the others.
///
/// The primary path of a tunnel follows the routes. The alternates are paths that share no link
/// with it or with each other, by ascending delay. An alternate has as few waypoints as are needed
/// to lead packets along it. The primary path has none, unless paths are pinned. Waypoints get an
/// end of a tunnel that decapsulates packets of any peer. A PE spreads flows over its tunnels.
///
/// Two PEs may have several tunnels, each with a weight (SetWeights()). Tunnel t takes path t
/// first, then path t + 1 and so on, and the first path again after the last one.
///
/// Core routers need not know the data centers then: WanHelper::SetCoreKnowsAidcs().
class WanTunnelHelper
{
  public:
    /// A path of a tunnel.
    struct Path
    {
        std::vector<NodeIndex> routers;     //!< from one PE to the other
        std::vector<Ipv4Address> waypoints; //!< the addresses that lead along it, the nearest first
        Time delay;                         //!< one-way
        uint64_t rate{0};                   //!< of the slowest link, in bit/s
    };

    WanTunnelHelper();

    /// Set an attribute of the tunnels.
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_factory, name, value);
    }

    /// Set the number of paths of a tunnel.
    /// @param max the most paths, including the primary one; 2 by default
    void SetMaxPaths(std::size_t max)
    {
        m_maxPaths = max;
    }

    /// Set whether the primary path has waypoints, too. Then it is down if one of its links is
    /// down. Otherwise it follows the routes around the failure.
    /// @param isPinned whether it has; false by default
    void SetPinned(bool isPinned)
    {
        m_isPinned = isPinned;
    }

    /// Set the tunnels between two PEs, and their shares of the flows.
    ///
    /// If weights differ, the selector of the PEs' routing has to use them, as
    /// PathBandwidthRouting's does (WanHelper::SetRouterRouting()); a HashSelector is an error.
    /// With BgpWanHelper, BGP sets the weights, so that these must not differ.
    /// @param weights the weight of each tunnel, finite and above 0; {1} by default, at most
    ///                WanPlan::MAX_ADDRESSES
    void SetWeights(const std::vector<double>& weights);

    /// Set the tunnels between the PEs of two data centers, instead of the tunnels of all pairs.
    /// @param siteA a data center
    /// @param siteB the other one
    /// @param weights the weight of each tunnel, both ways, as above
    void SetWeights(uint32_t siteA, uint32_t siteB, const std::vector<double>& weights);

    /// Make the tunnels, and routes into them. With several processes, each one calls it, and makes
    /// the tunnels of its own PEs. Warns if packets of the data centers' MTU do not fit them.
    /// @param network the network, with its addresses assigned
    void Install(WanHelper& network);

    /// Get a tunnel.
    /// @param from the PE where packets enter, in the WanPlan
    /// @param to the PE where packets leave
    /// @param i the number of the tunnel between both
    /// @return the tunnel's device at the first one, null if that is of another process
    ///         (MpiProcesses)
    Ptr<IpTunnelNetDevice> GetTunnel(NodeIndex from, NodeIndex to, std::size_t i = 0) const
    {
        return m_tunnels.at({from, to}).at(i).device;
    }

    /// @param from the PE where packets enter, in the WanPlan
    /// @param to the PE where packets leave
    /// @return the number of tunnels from the first to the second
    std::size_t GetNTunnels(NodeIndex from, NodeIndex to) const
    {
        return m_tunnels.at({from, to}).size();
    }

    /// Get the tunnels of a PE.
    /// @param from the PE, in the WanPlan
    /// @return the devices, in the order of the other PEs; none if the PE is of another process
    std::vector<Ptr<IpTunnelNetDevice>> GetTunnels(NodeIndex from) const;

    /// @return the ends of all tunnels: the PE where packets enter, and the PE where they leave
    std::vector<std::pair<NodeIndex, NodeIndex>> GetEnds() const;

    /// Get the paths of a tunnel.
    /// @param from the PE where packets enter, in the WanPlan
    /// @param to the PE where packets leave
    /// @param i the number of the tunnel between both
    /// @return the paths, in the order of preference
    const std::vector<Path>& GetPaths(NodeIndex from, NodeIndex to, std::size_t i = 0) const
    {
        return m_tunnels.at({from, to}).at(i).paths;
    }

    /// @return whether tunnels have weights that differ
    bool HasWeights() const;

    /// @return the additional delay that alternate paths may cause: the largest difference between
    ///         the one-way delays of a tunnel's paths
    Time GetDetour() const;

  private:
    /// A tunnel and its paths.
    struct Tunnel
    {
        Ptr<IpTunnelNetDevice> device; //!< its device where packets enter, null of another process
        std::vector<Path> paths;       //!< in the order of preference
    };

    /// Get the weights between two data centers. @return the weight of each tunnel between two PEs
    const std::vector<double>& GetWeights(uint32_t siteA, uint32_t siteB) const;

    /// @return the most tunnels between two PEs; refuses weights of a data center that does not
    ///         exist
    std::size_t GetMostTunnels(uint32_t nSites) const;

    /// @return the paths between two PEs, with waypoints, the one of the least delay first
    std::vector<Path> MakePaths(const WanHelper& network, NodeIndex from, NodeIndex to) const;

    /// Make tunnels from a PE to another. @return routes' next hops; none of another process
    std::vector<NextHop> MakeTunnels(const WanHelper& network,
                                     NodeIndex from,
                                     NodeIndex to,
                                     const std::vector<double>& weights);

    /// Warn if packets of the data centers may not fit the tunnels. @param network the network
    void WarnOfMtu(const WanHelper& network) const;

    ObjectFactory m_factory;          //!< makes tunnels
    std::size_t m_maxPaths{2};        //!< SetMaxPaths()
    bool m_isPinned{false};           //!< SetPinned()
    std::vector<double> m_weights{1}; //!< SetWeights(), between all
    /// SetWeights() between two data centers, the lower one first.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<double>> m_pairWeights;
    /// The tunnels, by their ends.
    std::map<std::pair<NodeIndex, NodeIndex>, std::vector<Tunnel>> m_tunnels;
};

} // namespace ns3::aidc

#endif // AIDC_WAN_TUNNEL_HELPER_H
