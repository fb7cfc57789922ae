/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_TUNNEL_HELPER_H
#define AIDC_WAN_TUNNEL_HELPER_H

#include "wan-helper.h"

#include "ns3/attribute.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Connects the data centers of a WanHelper by tunnels, from each provider edge router (PE)
 *        to each PE of the other one.
 *
 * The primary path of a tunnel is that of the routes. The alternates are paths that share no link
 * with it or with each other, by ascending delay. An alternate has as few waypoints as are needed
 * to lead packets along it. The primary path has none, unless paths are pinned. Waypoints get an
 * end of a tunnel that decapsulates packets of any peer. A PE spreads flows over its tunnels.
 *
 * Core routers need not know the data centers then: WanHelper::SetCoreKnowsAidcs().
 */
class WanTunnelHelper
{
  public:
    WanTunnelHelper();

    /// Set an attribute of the tunnels.
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        m_factory.Set(name, value);
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

    /// Make the tunnels, and routes into them. Warns if packets of the data centers' MTU do not fit
    /// them.
    /// @param network the network, with its addresses assigned
    void Install(const WanHelper& network);

    /// Get a tunnel.
    /// @param from the PE where packets enter, in the WanPlan
    /// @param to the PE where packets leave
    /// @return the tunnel's device at the first one
    Ptr<IpTunnelNetDevice> GetTunnel(NodeIndex from, NodeIndex to) const
    {
        return m_tunnels.at({from, to}).device;
    }

    /// Get the tunnels of a PE.
    /// @param from the PE, in the WanPlan
    /// @return the devices, in the order of the other PEs
    std::vector<Ptr<IpTunnelNetDevice>> GetTunnels(NodeIndex from) const;

    /// Get the one-way delays of a tunnel's paths.
    /// @param from the PE where packets enter, in the WanPlan
    /// @param to the PE where packets leave
    /// @return the delays, by path
    std::vector<Time> GetPathDelays(NodeIndex from, NodeIndex to) const
    {
        return m_tunnels.at({from, to}).delays;
    }

    /// @return the additional delay that alternate paths may cause: the largest difference between
    ///         the one-way delays of a tunnel's paths
    Time GetDetour() const;

  private:
    /// A tunnel and its delays.
    struct Tunnel
    {
        Ptr<IpTunnelNetDevice> device; //!< its device where packets enter
        std::vector<Time> delays;      //!< of its paths
    };

    /// Make a tunnel.
    /// @param network the network
    /// @param from the PE where packets enter
    /// @param to the PE where packets leave
    /// @return the index of its IPv4 interface
    uint32_t MakeTunnel(const WanHelper& network, NodeIndex from, NodeIndex to);

    /// Warn if packets of the data centers may not fit the tunnels. @param network the network
    void WarnOfMtu(const WanHelper& network) const;

    ObjectFactory m_factory;                                     //!< makes tunnels
    std::size_t m_maxPaths{2};                                   //!< SetMaxPaths()
    bool m_isPinned{false};                                      //!< SetPinned()
    std::map<std::pair<NodeIndex, NodeIndex>, Tunnel> m_tunnels; //!< the tunnels, by their ends
};

} // namespace ns3::aidc

#endif // AIDC_WAN_TUNNEL_HELPER_H
