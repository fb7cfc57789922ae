// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_IP_TUNNEL_HELPER_H
#define AIDC_IP_TUNNEL_HELPER_H

#include "factory-attribute.h"

#include "ns3/attribute.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Installs IP-in-IP tunnels between routers, and routes into them.
///
/// Routers must already have their links, protocol stacks and the routes to each other's addresses.
/// A router's address is the address of its loopback interface other than 127.0.0.1, or else the
/// first address of another interface. SetAddress() assigns one.
///
/// The waypoints of paths get an end of a tunnel that decapsulates packets of any peer. It copies
/// all marks to the header below (EgressMode Rfc6040), so that the tunnel's own exit sees them. It
/// treats TTL and DSCP as the tunnels do.
class IpTunnelHelper
{
  public:
    /// The two directions of a tunnel.
    using Pair = std::pair<Ptr<IpTunnelNetDevice>, Ptr<IpTunnelNetDevice>>;
    /// A path: its waypoints, the nearest first.
    using Waypoints = std::vector<Ptr<Node>>;

    IpTunnelHelper();

    /// Set an attribute of the tunnels to make.
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_factory, name, value);
    }

    /// Make a tunnel in both directions, with the direct path.
    /// @param a a router
    /// @param b the other one
    /// @return the devices of a and b
    Pair Install(Ptr<Node> a, Ptr<Node> b) const;

    /// Make tunnels between two sites that survive the failure of a router.
    ///
    /// Each router of a site has one tunnel to the other site. It leads to an anycast address that
    /// all routers of that site own and at which they let packets out. If one of them fails, the
    /// network's routes lead to the others. These routes are the user's: to each anycast address,
    /// by way of each of its routers. The source of outer headers is the router's own address, to
    /// which notifications and keepalives return.
    ///
    /// The program ends if a router has no address of its own at its loopback interface: ns-3 would
    /// take the anycast address for it.
    /// @param site the routers of the site where packets enter
    /// @param siteExit the anycast address of these routers
    /// @param other the routers of the site where packets leave
    /// @param otherExit the anycast address of these routers
    /// @return the tunnels, in the order of the routers of the first site. A second call makes the
    ///         tunnels of the opposite direction.
    std::vector<Ptr<IpTunnelNetDevice>> InstallAnycast(const NodeContainer& site,
                                                       Ipv4Address siteExit,
                                                       const NodeContainer& other,
                                                       Ipv4Address otherExit) const;

    /// Set the paths of a tunnel, and have their waypoints decapsulate packets.
    /// @param tunnel the tunnel
    /// @param paths the primary path, then the alternates; a path without waypoints is the direct
    ///        one
    void SetPaths(Ptr<IpTunnelNetDevice> tunnel, const std::vector<Waypoints>& paths) const;

    /// Make a router a waypoint, which decapsulates packets of any peer.
    /// @param node the router
    /// @return its device, null if it is a waypoint already
    Ptr<IpTunnelNetDevice> InstallWaypoint(Ptr<Node> node) const;

    /// Assign an address to a router, at its loopback interface.
    /// @param node the router
    /// @param address the address
    static void SetAddress(Ptr<Node> node, Ipv4Address address);

    /// Get a router's address.
    ///
    /// The program ends if it has none.
    /// @param node the router
    /// @return the address
    static Ipv4Address GetAddress(Ptr<Node> node);

    /// Route a network into a tunnel, by the router's MultipathRouting or ns-3's static routing.
    /// @param tunnel the tunnel
    /// @param network the network
    /// @param mask its mask
    static void AddRoute(Ptr<IpTunnelNetDevice> tunnel, Ipv4Address network, Ipv4Mask mask);

  private:
    /// Make a tunnel that is not part of a node yet.
    Ptr<IpTunnelNetDevice> Make(Ipv4Address local, Ipv4Address remote) const;

    ObjectFactory m_factory; //!< makes tunnels
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_HELPER_H
