// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MULTIPATH_ROUTING_HELPER_H
#define AIDC_MULTIPATH_ROUTING_HELPER_H

#include "ns3/attribute.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3::aidc
{

/// Gives nodes a MultipathRouting, for InternetStackHelper::SetRoutingHelper() and
/// Ipv4ListRoutingHelper::Add().
class MultipathRoutingHelper : public Ipv4RoutingHelper
{
  public:
    /// @param routing the TypeId name of the routing: a MultipathRouting or a subclass
    /// @param selector the TypeId name of the selector; empty for the routing's default
    explicit MultipathRoutingHelper(const std::string& routing = "ns3::aidc::MultipathRouting",
                                    const std::string& selector = "");

    /// @param typeId the TypeId name of the selector of next hops
    void SetSelector(const std::string& typeId);

    /// @param name the name of an attribute of the selector, after SetSelector()
    /// @param value its value
    void SetSelectorAttribute(const std::string& name, const AttributeValue& value);

    MultipathRoutingHelper* Copy() const override;
    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node> node) const override;

    /// @param node the node
    /// @return its MultipathRouting, alone or in an Ipv4ListRouting; null if it has none
    static Ptr<MultipathRouting> GetRouting(Ptr<Node> node);

    /// Spread the UDP packets that a node sends by their ports, too.
    ///
    /// IPv4 then asks for their route again when they have a UDP header. Packets of sockets that
    /// are bound to a device leave by this device.
    /// @param node a node with UDP, and a MultipathRouting as its only routing
    static void SpreadUdp(Ptr<Node> node);

    /// Assign fixed random variable streams to the selectors.
    /// @param nodes the nodes
    /// @param stream the first stream to use
    /// @return the number of streams used
    static int64_t AssignStreams(const NodeContainer& nodes, int64_t stream);

  private:
    ObjectFactory m_routing;  //!< makes the routing
    ObjectFactory m_selector; //!< makes the selector; without a type if none is set
};

} // namespace ns3::aidc

#endif // AIDC_MULTIPATH_ROUTING_HELPER_H
