/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_ROUTERS_H
#define AIDC_WAN_ROUTERS_H

#include "multipath-routing-helper.h"

#include "ns3/ethernet-channel.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/wan-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The routers of a WAN and the links between them, which a WanHelper has built, by the
///        numbers and names of a WanPlan.
///
/// Of several processes (MpiProcesses), each one simulates some of the routers (WanProcesses). The
/// others are empty nodes.
class WanRouters
{
  public:
    WanRouters(const WanRouters&) = delete;
    WanRouters& operator=(const WanRouters&) = delete;

    /// @return the plan of the WAN that was built
    const WanPlan& GetPlan() const
    {
        return m_plan;
    }

    /// @param router the number of a router in the plan
    /// @return its node
    Ptr<Node> GetRouter(NodeIndex router) const;

    /// @param router the number of a router in the plan
    /// @return whether this process simulates it
    bool IsLocal(NodeIndex router) const;

    /// Get a router.
    /// @param name its name, such as pe-a-0 or core-0-1
    /// @return its node
    /// @throws std::invalid_argument if there is none
    Ptr<Node> GetRouter(const std::string& name) const;

    /// @param site a data center
    /// @return its provider edge routers (PEs) of this process, in the order of the plan
    NodeContainer GetEdges(uint32_t site) const;

    /// @return the PEs of all data centers of this process, those of the first data center first
    NodeContainer GetEdges() const;

    /// @return the core routers of this process, in the order of the plan
    NodeContainer GetCores() const;

    /// @param router the number of a router in the plan
    /// @param i the number of its address: a PE has one for each tunnel to another PE
    /// @return the address
    static Ipv4Address GetAddress(NodeIndex router, uint32_t i = 0);

    /// Get a port to another router.
    /// @param router the number of the router in the plan
    /// @param port the port
    /// @return its device, null if neither end of the link is of this process
    Ptr<EthernetNetDevice> GetPort(NodeIndex router, PortIndex port) const;

    /// Get a port to another router.
    /// @param router the name of the router
    /// @param peer the name of the other one
    /// @return its device
    /// @throws std::invalid_argument if there is none
    Ptr<EthernetNetDevice> GetPort(const std::string& router, const std::string& peer) const;

    /// @param router the number of a router in the plan
    /// @return its devices to other routers, by port; of another process, those to this one
    NetDeviceContainer GetWanPorts(NodeIndex router) const;

    /// @param link the index of a link in the plan
    /// @return the link between routers, null if neither end is of this process
    Ptr<EthernetChannel> GetChannel(LinkIndex link) const;

  protected:
    WanRouters() = default;
    ~WanRouters() = default;

    /// Make the routers, their links and their protocol stacks.
    /// @param plan the plan
    /// @param mtu the MTU of the links in bytes
    /// @param routing makes the routers' routing
    /// @param processes the process of each router
    void BuildRouters(const WanPlan& plan,
                      uint16_t mtu,
                      const MultipathRoutingHelper& routing,
                      const WanProcesses& processes);

    /// @return the routers of this process
    NodeContainer GetLocalRouters() const;

    /// Add the names of routers and their ports to ns-3's Names.
    void RegisterRouterNames() const;

    WanPlan m_plan;                        //!< the plan
    NodeContainer m_routers;               //!< the routers
    std::vector<Ptr<NetDevice>> m_devices; //!< two a link of the plan; null of other processes
};

} // namespace ns3::aidc

#endif // AIDC_WAN_ROUTERS_H
