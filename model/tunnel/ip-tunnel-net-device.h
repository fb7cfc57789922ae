// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_IP_TUNNEL_NET_DEVICE_H
#define AIDC_IP_TUNNEL_NET_DEVICE_H

#include "../core/tunnel/ip-tunnel-headers.h"
#include "ip-tunnel-endpoint.h"
#include "ip-tunnel-paths.h"
#include "tunnel-traffic-controller.h"

#include "ns3/flow-key.h"
#include "ns3/ipv4-address.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"
#include "ns3/virtual-net-device.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

struct IpTunnelArrival;

/// A tunnel of IP-in-IP (RFC 2003), GRE (RFC 2784) or VXLAN (RFC 7348) from this router to
/// another one, with the ECN of RFC 6040 and RFC 9601 and the draft "Precise ECN in WAN".
///
/// Routes lead into it as into any device. Packets of the tunnel in the other direction arrive by
/// it. A device whose Remote is 0.0.0.0 decapsulates packets of any peer, and encapsulates none:
/// this is what a waypoint needs.
///
/// A tunnel has a primary path and may have alternate ones (IpTunnelPaths). A path is a list of
/// waypoints. Each waypoint costs one more outer header, which is IP-in-IP. The outermost header
/// leads to the first waypoint, which removes this header and forwards the packet inside by its
/// destination.
///
/// If a packet with DF is too long for the path, its source gets an ICMP message with the MTU.
/// Without DF, the packet is fragmented before it is encapsulated (RFC 4459, section 3.4), so that
/// the other end has nothing to reassemble. Therefore the MTU of ns-3's device is the largest
/// possible: ns-3's stack would fragment all longer packets, with DF or without.
///
/// A keepalive is an outer packet of the path with an inner packet from the remote end to this one,
/// as in GRE. So the remote end needs no support to return it. The inner packet has protocol 253
/// (RFC 3692), and returns by the routes of the network.
///
/// With SwitchDatapath, packets are encapsulated and decapsulated in place on its fast path.
/// Results are the same as with ns-3's stack. A packet that a fixed DSCP moves into another
/// lossless class is charged to the ingress account of that class.
class IpTunnelNetDevice : public VirtualNetDevice,
                          public IpTunnelExit,
                          private IpTunnelPaths::Listener
{
  public:
    /// The value of the attribute EgressMode with which an outer ECT(1) is a light mark.
    static constexpr TunnelEcn::Egress PIPE_FOR_ECT_1 = TunnelEcn::PIPE_FOR_ECT_1;

    /// The treatment of packets that enter with ECT(1).
    enum Ect1Policy
    {
        PASSED,  //!< they enter unchanged
        REFUSED, //!< they are dropped
        REMARKED //!< they enter as ECT(0)
    };

    /// The reasons for dropping a packet.
    enum DropReason
    {
        DROP_ECT_1,       //!< with ECT(1), which the domain does not let in
        DROP_TOO_LONG,    //!< with DF, for the path's MTU
        DROP_NO_PATH,     //!< while no path was up
        DROP_RECURSIVE,   //!< the outer header leads into a tunnel of this node again
        DROP_UNSUPPORTED, //!< not IPv4, or with options
        DROP_ECN,         //!< CE above Not-ECT (RFC 6040)
        DROP_MALFORMED    //!< no inner header
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    IpTunnelNetDevice();

    /// Add the tunnel to a router, which has its protocol stack, with an IPv4 interface.
    ///
    /// It is an error if the router has a tunnel of the same Local and Remote already.
    /// @param node the router
    /// @return the index of the interface
    /// @throws std::runtime_error if GreKey or Vni is set without its Encapsulation
    uint32_t Install(Ptr<Node> node);

    /// Let out packets of other addresses, too, once the tunnel is installed.
    ///
    /// If both routers of a site own an address and let packets for it out, a tunnel to this
    /// address survives the failure of either router (an anycast address, RFC 4786).
    ///
    /// It is an error if the router has a tunnel of these addresses already.
    /// @param local the destination of outer headers, one of the router's addresses
    /// @param remote the source of outer headers
    void AddArrivals(Ipv4Address local, Ipv4Address remote);

    /// Set the paths: the primary one, then the alternates in the order of preference. By default
    /// there is one without waypoints. It is an error if there is none, or if one has more than
    /// IpTunnelPaths::MAX_WAYPOINTS.
    /// @param paths the waypoints of each path, the nearest first
    void SetPaths(const std::vector<std::vector<Ipv4Address>>& paths)
    {
        m_paths.Set(paths);
    }

    /// @return the paths and their state
    const IpTunnelPaths& GetPaths() const
    {
        return m_paths;
    }

    /// Set the controller that steers and delays packets.
    /// @param controller the controller, null for none
    void SetTrafficController(Ptr<TunnelTrafficController> controller)
    {
        m_controller = controller;
    }

    /// @return the controller that steers packets and lets them wait; null if there is none
    Ptr<TunnelTrafficController> GetTrafficController() const
    {
        return m_controller;
    }

    /// Send a packet that the controller has held. Must not be called by TunnelTrafficController's
    /// virtual functions.
    /// @param packet the packet
    /// @param path the index of the path, or TunnelTrafficController::DEFAULT_PATH; a packet for a
    ///        path that is down takes the default path
    void Resume(TunnelPacket&& packet, uint32_t path);

    /// @return this end's address, the source of outer headers
    Ipv4Address GetLocal() const
    {
        return m_local;
    }

    /// @return the other end's address, 0.0.0.0 for any peer
    Ipv4Address GetRemote() const
    {
        return m_remote;
    }

    /// @return the statistics
    const IpTunnelStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From TransitTunnel
    void Enter(EthernetFrame& frame, const FrameContext& context) override;

    const NetDevice& GetDevice() const override
    {
        return *this;
    }

    void GiveToStack(EthernetFrame& frame, const FrameContext& context) override;

    // From IpTunnelExit
    void Open(EthernetFrame& frame) override;
    void NotifyKeepalive(const Packet& packet) override;
    bool NotifyTooLong(const FragmentationNeeded& message) override;

    // From NetDevice
    uint16_t GetMtu() const override;

    bool IsLinkUp() const override
    {
        return m_paths.GetDefault() != TunnelPathChoice::NONE;
    }

    void AddLinkChangeCallback(Callback<void> callback) override
    {
        m_linkChange.ConnectWithoutContext(callback);
    }

    /// TracedCallback signature for a path that goes up or down.
    /// @param [in] path the index of the path
    /// @param [in] isUp whether it is up
    typedef void (*PathTracedCallback)(uint32_t path, bool isUp);

    /// TracedCallback signature for another default path.
    /// @param [in] before the index of the path, TunnelPathChoice::NONE for none
    /// @param [in] after the index of the path, TunnelPathChoice::NONE for none
    typedef void (*DefaultPathTracedCallback)(uint32_t before, uint32_t after);

    /// TracedCallback signature for a packet that arrives with a mark or an alarm.
    /// @param [in] flow its flow
    /// @param [in] inner the inner header's codepoint, as it has arrived
    /// @param [in] outer the outer header's codepoint
    /// @param [in] cell RFC 6040's rule for both
    typedef void (*EcnTracedCallback)(const FlowKey& flow,
                                      EcnCodepoint inner,
                                      EcnCodepoint outer,
                                      const TunnelEcnCell& cell);

    /// TracedCallback signature for a packet that is dropped.
    /// @param [in] packet the inner packet, with its header
    /// @param [in] reason the reason
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, DropReason reason);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// Add the attributes of headers to the device. @return the TypeId
    static TypeId AddHeaderAttributes(TypeId tid);

    // From IpTunnelPathListener
    void NotifyPathState(uint32_t path, bool isUp) override;
    void NotifyDefaultPath(uint32_t before, uint32_t after) override;
    void NotifyPaths() override;
    void SendKeepalive(uint32_t path) override;

    /// Have the routing look whether the tunnel has a path.
    void NotifyRouting();

    /// Send a packet of ns-3's stack. @return whether it was taken
    bool SendFromStack(Ptr<Packet> packet,
                       const Address& source,
                       const Address& destination,
                       uint16_t protocol);

    /// Send an entering packet by a path, or by the default path if that is down; takes the packet.
    void SendBy(EthernetFrame& frame, const FrameContext& context, uint32_t path);

    /// Encapsulate and send a packet, or drop it; takes the packet. @return whether it was sent
    bool Transmit(EthernetFrame& frame, const FrameContext& context, uint32_t path);

    /// Fragment a packet that is too long, or notify its source; takes the packet.
    void HandleTooLong(EthernetFrame& frame, const FrameContext& context, uint32_t path);

    /// Drop a packet. frame: the packet; without packet afterwards.
    void Drop(EthernetFrame& frame, uint64_t& counter, DropReason reason);

    /// Count and trace the marks and alarms of a packet by RFC 6040.
    void NoteEcn(const IpTunnelArrival& arrival);

    // The members that each packet touches come first.
    IpTunnelRules m_rules;                             //!< how headers are treated
    Ect1Policy m_ect1{PASSED};                         //!< attribute EdgeEct1
    uint8_t m_keepaliveTos{0};                         //!< attribute KeepaliveTos
    bool m_isDiscovering{true};                        //!< attribute PathMtuDiscovery
    Ptr<TunnelTrafficController> m_controller;         //!< attribute TrafficController
    IpTunnelPaths::Settings m_pathSettings;            //!< how paths are chosen
    IpTunnelPaths m_paths;                             //!< the paths
    IpTunnelStatistics m_statistics;                   //!< the statistics
    TunnelShim m_shim;                                 //!< as the attributes were set
    Ipv4Address m_local;                               //!< attribute Local
    Ipv4Address m_remote;                              //!< attribute Remote
    Ptr<IpTunnelEndpoint> m_endpoint;                  //!< the tunnels of the node
    TracedCallback<> m_linkChange;                     //!< called when the link goes up or down
    TracedCallback<uint32_t, bool> m_pathTrace;        //!< trace PathState
    TracedCallback<uint32_t, uint32_t> m_defaultTrace; //!< trace DefaultPath
    TracedCallback<const FlowKey&, EcnCodepoint, EcnCodepoint, const TunnelEcnCell&>
        m_ecnTrace;                                            //!< trace EcnArrival
    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace; //!< trace Drop
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_NET_DEVICE_H
