// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PLAIN_NETWORK_H
#define AIDC_PLAIN_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/fabric-plan.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-size.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief What FabricHelper is measured against: the same network by ns-3's own helpers.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The network of a FabricPlan as ns-3's helpers build it: each link is a network of its own.
 *
 * Nodes and links have the numbers, rates, delays and MTU that FabricHelper gives them. The first
 * uplinks of the switches of a pod lead to different switches: NixVector takes the first one for
 * all packets, which would meet in one super-spine otherwise. The user installs queue discs on the
 * switches before AssignAddresses(); hosts have FabricHelper's.
 */
class PlainNetwork
{
  public:
    /**
     * @brief Make nodes, links and stacks.
     * @param fabric the plan, finished
     * @param routing makes the routing of all nodes
     */
    PlainNetwork(const FabricPlan& fabric, const Ipv4RoutingHelper& routing)
        : m_addresses(fabric.GetNNodes()),
          m_nodes(fabric.GetNNodes()),
          m_links(fabric.GetLinks().size())
    {
        for (const LinkIndex id : GetOrder(fabric))
        {
            const FabricLink& link = fabric.GetLinks()[id];
            PointToPointHelper pointToPoint;
            pointToPoint.SetDeviceAttribute("Mtu", UintegerValue(9000));
            pointToPoint.SetDeviceAttribute("DataRate", DataRateValue(DataRate(link.rate)));
            pointToPoint.SetChannelAttribute("Delay", TimeValue(NanoSeconds(link.delay)));
            m_links[id] =
                pointToPoint.Install(m_nodes.Get(link.a.value), m_nodes.Get(link.b.value));
        }
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.SetRoutingHelper(routing);
        stack.Install(m_nodes);
        TrafficControlHelper fifo;
        fifo.SetRootQueueDisc("ns3::FifoQueueDisc",
                              "MaxSize",
                              QueueSizeValue(QueueSize("100000p")));
        for (const NodeIndex host : fabric.GetHosts())
        {
            fifo.Install(m_nodes.Get(host.value)->GetDevice(0));
        }
        for (const NodeIndex id : fabric.GetSwitches())
        {
            m_switches.Add(m_nodes.Get(id.value));
        }
    }

    /**
     * @brief Give each link a network of four addresses.
     * @param fabric the plan
     */
    void AssignAddresses(const FabricPlan& fabric)
    {
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
        for (LinkIndex i; i < m_links.GetEnd(); ++i)
        {
            const auto interfaces = addresses.Assign(m_links[i]);
            addresses.NewNetwork();
            m_addresses[fabric.GetLinks()[i].a] = interfaces.GetAddress(0);
            m_addresses[fabric.GetLinks()[i].b] = interfaces.GetAddress(1);
        }
    }

    /**
     * @brief Get the switches.
     * @return the switches, by ascending id
     */
    const NodeContainer& GetSwitches() const
    {
        return m_switches;
    }

    /**
     * @brief Get a node.
     * @param id its id in the plan
     * @return the node
     */
    Ptr<Node> GetNode(NodeIndex id) const
    {
        return m_nodes.Get(id.value);
    }

    /**
     * @brief Get an address of a node.
     * @param id its id in the plan
     * @return the address of a host, or one address of a switch
     */
    Ipv4Address GetAddress(NodeIndex id) const
    {
        return m_addresses[id];
    }

  private:
    /// Get the order in which links are made, and with it the order of the ports of a node.
    /// @param fabric the plan, whose links go up from their ends a
    static std::vector<LinkIndex> GetOrder(const FabricPlan& fabric)
    {
        IndexedVector<NodeIndex, uint32_t> nUplinks(fabric.GetNNodes());
        for (const auto& link : fabric.GetLinks())
        {
            ++nUplinks[link.a];
        }
        IndexedVector<NodeIndex, uint32_t> next(fabric.GetNNodes());
        std::vector<std::pair<uint32_t, LinkIndex>> rounds;
        for (LinkIndex id; id < fabric.GetLinks().GetEnd(); ++id)
        {
            const NodeIndex a = fabric.GetLinks()[id].a;
            const uint32_t turned = fabric.GetNode(a).pod + fabric.GetNode(a).index + next[a]++;
            rounds.emplace_back(fabric.IsHost(a) ? 0 : 1 + turned % nUplinks[a], id);
        }
        std::sort(rounds.begin(), rounds.end());
        std::vector<LinkIndex> order;
        for (const auto& [round, id] : rounds)
        {
            order.push_back(id);
        }
        return order;
    }

    IndexedVector<NodeIndex, Ipv4Address> m_addresses;    //!< an address of each node
    NodeContainer m_nodes;                                //!< all nodes
    NodeContainer m_switches;                             //!< the switches
    IndexedVector<LinkIndex, NetDeviceContainer> m_links; //!< the devices of each link
};

} // namespace ns3::aidc

#endif // AIDC_PLAIN_NETWORK_H
