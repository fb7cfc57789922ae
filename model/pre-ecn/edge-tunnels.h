/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_TUNNELS_H
#define AIDC_EDGE_TUNNELS_H

#include "../core/pre-ecn/path-steering.h"

#include "ns3/domain-message.h"
#include "ns3/flow-key.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// A tunnel of an ingress PE.
struct EdgeTunnel
{
    Ptr<IpTunnelNetDevice> device;  //!< the tunnel
    std::vector<SteeredPath> paths; //!< its paths for PathSteering
    std::optional<uint32_t> limit;  //!< the group of EdgeShaper that limits it, if there is one

    /// Update the list of paths and their states. @return whether their number has changed
    bool UpdatePaths();
};

/// The tunnels of an ingress PE, and the choice of a flow's tunnel.
class EdgeTunnels
{
  public:
    /// @return the key of all its packets: its ends and protocol 4
    static FlowKey GetKey(const IpTunnelNetDevice& device);

    /// Add a tunnel.
    void Add(Ptr<IpTunnelNetDevice> device)
    {
        m_tunnels.push_back({device, {}, std::nullopt});
    }

    /// @return its record, whose address does not change; null if it was not added
    EdgeTunnel* Find(const IpTunnelNetDevice& device);

    /**
     * @brief Find the tunnel that a notification names.
     *
     * The flow's destination has to be behind a tunnel, and its source behind none, unless it is
     * GetKey() of the tunnel.
     *
     * @param notification the notification
     * @param ipv4 the stack of the PE
     * @return the tunnel, null if it is none of these or the flow does not take one
     */
    EdgeTunnel* Find(const CongestionNotification& notification, const Ipv4& ipv4);

  private:
    /// @return whether the route to it leads into a tunnel, if there is a route
    std::optional<bool> IsBehindTunnel(uint32_t address, const Ipv4& ipv4) const;

    std::deque<EdgeTunnel> m_tunnels; //!< the tunnels
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_TUNNELS_H
