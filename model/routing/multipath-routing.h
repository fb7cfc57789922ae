// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MULTIPATH_ROUTING_H
#define AIDC_MULTIPATH_ROUTING_H

#include "../aidc-compat.h"
#include "multipath-table.h"
#include "next-hop-selector.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/next-hop-weights.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The addresses of a node: which packets may be for it, and where its own come from.
class OwnAddresses
{
  public:
    /// Find all addresses of a node. @param ipv4 the protocol stack
    void Update(const Ipv4& ipv4);

    /// Tell whether a packet may be for the node. @param destination where it goes, in host byte
    /// order @return true if it is one of the node's addresses or a broadcast
    bool MayBe(uint32_t destination) const
    {
        return destination == BROADCAST ||
               (m_hashes.test(Hash(destination)) &&
                std::binary_search(m_addresses.begin(), m_addresses.end(), destination));
    }

    /// Get the source address of a packet that the node sends. ipv4: the protocol stack; interface:
    /// the outgoing interface. @return the address
    Ipv4Address GetSource(Ipv4& ipv4, uint32_t interface, Ipv4Address destination) const
    {
        return ipv4.GetNAddresses(interface) == 0
                   ? m_routerId
                   : ipv4.SourceAddressSelection(interface, destination);
    }

  private:
    static constexpr uint32_t BROADCAST = 0xffffffff; //!< 255.255.255.255

    /// Hash an address. @return a number from 0 to 255
    static constexpr std::size_t Hash(uint32_t address)
    {
        return (address * 0x9e3779b1U) >> 24; // 2^32 over the golden ratio
    }

    std::bitset<256> m_hashes;         //!< hashes of the addresses, to rule most others out
    std::vector<uint32_t> m_addresses; //!< ascending, including broadcast addresses
    /// Source at ports without an address
    Ipv4Address m_routerId{Ipv4Address::GetAny()};
};

/// The multicast routes of a node.
class MulticastRoutes
{
  public:
    /// Add a route.
    /// @param origin the source, or Ipv4Address::GetAny() for all
    /// @param group the multicast group
    /// @param inputInterface the interface on which packets arrive, or Ipv4::IF_ANY
    /// @param outputInterfaces the interfaces to which they are copied
    void Add(Ipv4Address origin,
             Ipv4Address group,
             uint32_t inputInterface,
             const std::vector<uint32_t>& outputInterfaces)
    {
        m_routes.push_back({origin, group, inputInterface, outputInterfaces});
    }

    /// @param ipv4 the node's interfaces
    /// @param origin the source of the packet
    /// @param group the multicast group
    /// @param interface where it has arrived
    /// @return the first route that matches, to the outgoing interfaces that are up, except the
    ///         interface of arrival; null if there is none
    Ptr<Ipv4MulticastRoute> Find(const Ipv4& ipv4,
                                 Ipv4Address origin,
                                 Ipv4Address group,
                                 uint32_t interface) const;

  private:
    /// A multicast route.
    struct Route
    {
        Ipv4Address origin;            //!< the source, or any
        Ipv4Address group;             //!< the group
        uint32_t inputInterface;       //!< where packets arrive, or Ipv4::IF_ANY
        std::vector<uint32_t> outputs; //!< where they go
    };

    std::vector<Route> m_routes; //!< the routes, in the order of addition
};

/// Forwards IPv4 packets over groups of next hops of equal cost.
///
/// Routes are looked up by longest prefix, in a time that does not grow with their number. A route
/// leads to a group of next hops, which all routes with the same next hops share; a NextHopSelector
/// chooses among the members that can be used. A route without a usable member gives way to the
/// connected network of the same prefix, then to the next shorter prefix, save a discard route,
/// which ends the search.
///
/// It works alone and inside an Ipv4ListRouting, on switches and on hosts. Local delivery and
/// broadcast work as in ns-3's Ipv4StaticRouting: packets for this node go up, packets that arrive
/// at an interface with forwarding disabled are not forwarded, and the network of each interface
/// that is up and has an address is reached over it, unless a route to it was added. Multicast
/// packets are delivered here and follow multicast routes, but not to the interface of their
/// arrival or to interfaces that are down.
///
/// A port needs no address. The source of packets that the node itself sends over such a port is
/// the first address of the loopback interface outside of 127.0.0.0/8, like a router ID.
///
/// Limits: packets that a UDP socket without a local address sends are spread by addresses only,
/// because ns-3 asks for their route before they have a UDP header;
/// MultipathRoutingHelper::SpreadUdp changes that. There is no administrative distance: use
/// Ipv4ListRouting where several protocols are to be ranked.
class MultipathRouting : public Ipv4RoutingProtocol
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// Set the selector of next hops.
    /// @param selector the selector, which serves no other routing
    void SetSelector(Ptr<NextHopSelector> selector);

    /// Get the selector of next hops. @return the selector
    Ptr<NextHopSelector> GetSelector() const
    {
        return m_selector;
    }

    /// Set the limits of the hardware: how many entries a table has, which give next hops their
    /// weights, and how many tables there are. A group without a table is held: it uses one of its
    /// next hops until there is a table.
    /// @param table the limits, of routes from now on
    void SetNextHopTable(const NextHopTableSettings& table)
    {
        m_table.SetLimits(table);
    }

    /// Add a route, or replace the one to the same network.
    ///
    /// The program ends, with a message that says what was expected, if the network has bits beyond
    /// the mask, if there is no next hop, if an interface does not exist, or if a weight is
    /// negative or not finite.
    /// @param network the network
    /// @param mask its mask
    /// @param nextHops the next hops, at least one
    void AddRoute(Ipv4Address network, Ipv4Mask mask, const std::vector<NextHop>& nextHops);

    /// Add a route by which packets are dropped, or replace the one to the same network.
    /// @param network the network
    /// @param mask its mask
    void AddDiscardRoute(Ipv4Address network, Ipv4Mask mask);

    /// Remove a route.
    /// @param network the network
    /// @param mask its mask
    /// @return whether there was one
    bool RemoveRoute(Ipv4Address network, Ipv4Mask mask);

    /// Remove a route that a protocol has learned (RouteUpdate::isLearned); other routes to the
    /// network stay.
    /// @param network the network
    /// @param mask its mask
    void RemoveLearned(Ipv4Address network, Ipv4Mask mask);

    /// Set the weights of a route's next hops, also for all other routes that share them.
    /// @param network the network
    /// @param mask its mask
    /// @param weights a weight for each next hop, in the order in which AddRoute had them
    /// @return false if there is no such route or it has another number of next hops
    bool SetWeights(Ipv4Address network, Ipv4Mask mask, const std::vector<double>& weights);

    /// Add routes, or replace the routes to the same networks.
    ///
    /// If a route keeps its next hops and gets other weights, and all routes that share its group
    /// get the same ones, the weights are set in place: the selector's state of flows survives.
    /// @param updates the routes, each network once, as AddRoute() takes them
    void UpdateRoutes(const std::vector<RouteUpdate>& updates);

    /// Add a multicast route.
    /// @param origin the source, or Ipv4Address::GetAny() for all
    /// @param group the multicast group
    /// @param inputInterface the interface on which packets arrive, or Ipv4::IF_ANY
    /// @param outputInterfaces the interfaces to which they are copied
    void AddMulticastRoute(Ipv4Address origin,
                           Ipv4Address group,
                           uint32_t inputInterface,
                           const std::vector<uint32_t>& outputInterfaces);

    /// @return the number of routes, including the routes of connected networks
    std::size_t GetNRoutes() const
    {
        return m_table.GetRoutes().GetSize();
    }

    /// @return the number of groups of next hops
    std::size_t GetNGroups() const
    {
        return m_table.GetNGroups();
    }

    /// @return the number of groups of next hops that are held, see SetNextHopTable()
    std::size_t GetNHeldGroups() const
    {
        return m_table.GetNHeldGroups();
    }

    /// Block the next hops over an interface, or use them again.
    ///
    /// This is for failures that neither the interface nor its device reports. The interface stays
    /// up: it receives, and senders with routes of their own use it.
    /// @param interface the index of the interface
    /// @param isBlocked whether its next hops are not used even while it is up
    void SetBlocked(uint32_t interface, bool isBlocked);

    /// Assign fixed random variable streams to the selector.
    /// @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Find the next hops of a packet that this node forwards, if it forwards packets.
    /// @param destination where it goes, in host byte order
    /// @return the next hops, at least one of which can be used; null if RouteInput() has to
    ///         deliver, copy, drop or refuse the packet
    NextHopGroup* FindTransit(uint32_t destination) const;

    /// Choose a next hop of a packet.
    /// @param group the next hops, at least one of which can be used
    /// @param key the flow of the packet
    /// @return the next hop
    const NextHopGroup::Member& Select(NextHopGroup& group, const FlowKey& key) const;

    /// Give UDP sockets provisional routes, where there is a choice.
    ///
    /// Sockets ask for a route before their packets have a UDP header. The caller of this function
    /// asks again once they have one, instead of sending by a provisional route.
    void SetUdpProvisional()
    {
        m_isUdpProvisional = true;
    }

    /// Tell whether a route is a provisional one.
    /// @param route the route that RouteOutput() gave last, may be null
    /// @return whether it was chosen by addresses only, without the selector
    bool IsProvisional(const Ptr<Ipv4Route>& route) const;

    /// TracedCallback signature for a change of routes, or of which next hops can be used.
    typedef void (*ChangeTracedCallback)();

    // From Ipv4RoutingProtocol
    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> p,
                               const Ipv4Header& header,
                               Ptr<NetDevice> oif,
                               Socket::SocketErrno& sockerr) override;
    bool RouteInput(Ptr<const Packet> p,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> idev,
                    RouteInputArgs::Unicast ucb,
                    RouteInputArgs::Multicast mcb,
                    RouteInputArgs::Local lcb,
                    RouteInputArgs::Error ecb) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream,
                           Time::Unit unit = Time::S) const override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// Find out which next hops over an interface can be used. @param interface its index
    void UpdateInterface(uint32_t interface);

    /// Find the route of a packet. @param destination where it goes, in host byte order @return the
    /// route with the longest prefix that can be used, null if there is none
    const MultipathRoute* FindRoute(uint32_t destination) const;

    /// @return the index of the interface
    uint32_t GetInterface(const NetDevice& device);

    /// Make the route of a member ready to be handed out. The same object serves all packets,
    /// unless somebody has kept it.
    Ptr<Ipv4Route> GetRoute(NextHopGroup::Member& member, Ipv4Address destination) const;

    // What a transit packet touches comes first.
    Ptr<Ipv4> m_ipv4;                         //!< the protocol stack
    Ptr<NextHopSelector> m_selector;          //!< chooses among next hops
    OwnAddresses m_own;                       //!< this node's addresses
    MultipathTable m_table;                   //!< the unicast routes
    MulticastRoutes m_multicastRoutes;        //!< the multicast routes
    std::vector<int32_t> m_interfaceOfDevice; //!< by index of the device, -1 for none
    bool m_isUdpProvisional{false};           //!< whether UDP sockets get provisional routes
    NextHopGroup::Member m_provisional;       //!< holds the provisional route
    TracedCallback<> m_changeTrace;           //!< trace of changes
};

} // namespace ns3::aidc

#endif // AIDC_MULTIPATH_ROUTING_H
