/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_NET_DEVICE_H
#define AIDC_IP_TUNNEL_NET_DEVICE_H

#include "ip-tunnel-endpoint.h"
#include "ip-tunnel-statistics.h"
#include "tunnel-traffic-controller.h"

#include "ns3/ethernet-queue-item.h"
#include "ns3/event-id.h"
#include "ns3/ip-tunnel-headers.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"
#include "ns3/transit-tunnel.h"
#include "ns3/tunnel-path-choice.h"
#include "ns3/virtual-net-device.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

class MultipathRouting;
class SwitchDatapath;

/**
 * @ingroup aidc
 * @brief An IP-in-IP tunnel (RFC 2003) from this router to another one, with the ECN of RFC 6040
 * and the draft "Precise ECN in WAN".
 *
 * Routes lead into it as into any device. What comes out of the tunnel of the other direction
 * arrives by it. A device whose Remote is 0.0.0.0 lets packets of any peer out, and none in: that
 * is what a waypoint needs.
 *
 * A tunnel has a primary path, number 0, and may have alternate ones. A path is a list of
 * waypoints. Each costs an outer header more: the outermost leads to the first waypoint, which
 * takes it off and passes on what is inside by its destination. A path is up while there is a route
 * to where it leads first, over a link that is up, and keepalives come back, if there are any.
 *
 * A packet that is too long for the path gets its source an ICMP message of the MTU if it has DF,
 * and is fragmented before it is encapsulated otherwise (RFC 4459, section 3.4), so that the other
 * end has nothing to reassemble. The MTU of ns-3's device is the largest possible for that: ns-3's
 * stack would fragment all that exceeds it, with DF or without.
 *
 * A keepalive is an outer packet of the path with a packet from the remote end to this one inside,
 * as GRE's are: the remote end needs nothing to send it back. The inner one has protocol 253 (RFC
 * 3692), and comes back by the routes of the network.
 *
 * With SwitchDatapath, packets are encapsulated and decapsulated in place on its fast path. Results
 * are those of ns3's stack. What a fixed DSCP puts into another lossless class is charged to the
 * ingress account of that class.
 */
class IpTunnelNetDevice : public VirtualNetDevice, public IpTunnelExit
{
  public:
    /// What an outer ECN field begins with (RFC 6040, section 4.1).
    enum IngressMode
    {
        NORMAL,       //!< with the inner one
        COMPATIBILITY //!< with Not-ECT
    };

    /// What becomes of an outer ECT(1).
    enum EgressMode
    {
        RFC_6040,      //!< it is copied to the inner header
        PIPE_FOR_ECT_1 //!< it is a light mark, which ends here
    };

    /// What becomes of packets that are sent as ECT(1).
    enum Ect1Policy
    {
        PASSED,  //!< they enter as they are
        REFUSED, //!< they are dropped
        REMARKED //!< they enter as ECT(0)
    };

    /// How inner and outer fields depend on each other.
    enum FieldModel
    {
        UNIFORM, //!< the tunnel is part of the path
        PIPE     //!< the tunnel is a hop
    };

    /// Why a packet was dropped.
    enum DropReason
    {
        DROP_ECT_1,       //!< with ECT(1), which the domain does not let in
        DROP_TOO_LONG,    //!< with DF, for the path's MTU
        DROP_NO_PATH,     //!< while no path was up
        DROP_RECURSIVE,   //!< the outer header leads into a tunnel of this node again
        DROP_UNSUPPORTED, //!< no IPv4, or with options
        DROP_ECN,         //!< CE above Not-ECT (RFC 6040)
        DROP_MALFORMED    //!< no inner header
    };

    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    IpTunnelNetDevice();
    ~IpTunnelNetDevice() override;

    /**
     * @brief Add the tunnel to a router, which has its protocol stack, with an IPv4 interface.
     *
     * It is an error if the router has a tunnel of the same Local and Remote already.
     *
     * @param node the router
     * @return the index of the interface
     */
    uint32_t Install(Ptr<Node> node);

    /**
     * @brief Set the paths: the primary one, then the alternates in the order of preference. By
     *        default there is one without waypoints.
     *
     * It is an error if there is none, or if one has more than MAX_WAYPOINTS.
     *
     * @param paths the waypoints of each path, the nearest first
     */
    void SetPaths(const std::vector<std::vector<Ipv4Address>>& paths);

    /**
     * @brief Get the number of paths.
     * @return the number
     */
    uint32_t GetNPaths() const;

    /**
     * @brief Tell whether a path is up.
     * @param path the index of the path
     * @return whether it is
     */
    bool IsPathUp(uint32_t path) const;

    /**
     * @brief Get the primary path.
     * @return the index of the path
     */
    uint32_t GetPrimary() const;

    /**
     * @brief Get the path of packets that are not steered.
     * @return the index of the path, TunnelPathChoice::NONE if none is up
     */
    uint32_t GetDefaultPath() const;

    /**
     * @brief Get the waypoints of a path.
     * @param path the index of the path
     * @return the waypoints, the nearest first
     */
    const std::vector<Ipv4Address>& GetWaypoints(uint32_t path) const;

    /**
     * @brief Get the longest inner packet of a path.
     * @param path the index of the path
     * @return bytes with the inner header, 0 while there is no route
     */
    uint32_t GetTunnelMtu(uint32_t path) const;

    /**
     * @brief Set who steers packets and has them wait.
     * @param controller the controller, null for none
     */
    void SetTrafficController(Ptr<TunnelTrafficController> controller);

    /**
     * @brief Get who steers packets.
     * @return the controller, null if there is none
     */
    Ptr<TunnelTrafficController> GetTrafficController() const;

    /**
     * @brief Send a packet that the controller has kept; not within TunnelTrafficController's
     * calls.
     * @param packet the packet
     * @param path the index of the path, or TunnelTrafficController::DEFAULT_PATH; a packet for a
     *        path that is down takes the default path
     */
    void Resume(TunnelPacket&& packet, uint32_t path);

    /**
     * @brief Get this end's address.
     * @return the source of outer headers
     */
    Ipv4Address GetLocal() const;

    /**
     * @brief Get the other end's address.
     * @return the address, 0.0.0.0 for any peer
     */
    Ipv4Address GetRemote() const;

    /**
     * @brief Get the statistics.
     * @return the statistics
     */
    const IpTunnelStatistics& GetStatistics() const;

    /// The most waypoints of a path: the flow of what is inside can still be seen then.
    static constexpr uint32_t MAX_WAYPOINTS = 4;
    /// The protocol of keepalives.
    static constexpr uint8_t KEEPALIVE_PROTOCOL = IpTunnelEndpoint::KEEPALIVE_PROTOCOL;

    // From TransitTunnel
    void Enter(EthernetFrame& frame, const FrameContext& context) override;
    const NetDevice& GetDevice() const override;
    void GiveToStack(EthernetFrame& frame, const FrameContext& context) override;

    // From IpTunnelExit
    void Open(EthernetFrame& frame) override;
    void NotifyKeepalive(const Packet& packet) override;

    // From NetDevice
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;

    /**
     * @brief TracedCallback signature for a path that goes up or down.
     * @param [in] path the index of the path
     * @param [in] isUp whether it is up
     */
    typedef void (*PathTracedCallback)(uint32_t path, bool isUp);

    /**
     * @brief TracedCallback signature for another default path.
     * @param [in] before the index of the path, TunnelPathChoice::NONE for none
     * @param [in] after the index of the path, TunnelPathChoice::NONE for none
     */
    typedef void (*DefaultPathTracedCallback)(uint32_t before, uint32_t after);

    /**
     * @brief TracedCallback signature for a packet that arrives with a mark or an alarm.
     * @param [in] flow its flow
     * @param [in] inner the inner header's codepoint, as it has arrived
     * @param [in] outer the outer header's codepoint
     * @param [in] cell what RFC 6040 says of it
     */
    typedef void (*EcnTracedCallback)(const FlowKey& flow,
                                      EcnCodepoint inner,
                                      EcnCodepoint outer,
                                      const TunnelEcnCell& cell);

    /**
     * @brief TracedCallback signature for a packet that is dropped.
     * @param [in] packet the inner packet, with its header
     * @param [in] reason why
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, DropReason reason);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// A path.
    struct Path
    {
        std::vector<Ipv4Address> waypoints; //!< the nearest first
        std::vector<uint32_t> destinations; //!< of the outer headers, the innermost first
        uint32_t mtu{0};                    //!< the longest inner packet, 0 without a route
        uint32_t unanswered{0};             //!< keepalives since one came back
        bool isSilent{false};               //!< whether keepalives do not come back
    };

    /**
     * @brief Take a packet of ns-3's stack.
     * @param packet the packet with its header
     * @param source not used
     * @param destination not used
     * @param protocol the EtherType
     * @return whether it was taken
     */
    bool SendFromStack(Ptr<Packet> packet,
                       const Address& source,
                       const Address& destination,
                       uint16_t protocol);

    /**
     * @brief Decide on a packet with ECT(1).
     * @param [in,out] frame the packet
     * @return false if it was dropped
     */
    bool AdmitEct1(EthernetFrame& frame);

    /**
     * @brief Send a packet by a path, or by the default path if that is down.
     * @param [in,out] frame the packet; without packet afterwards
     * @param context what is known of it
     * @param path the index of the path
     */
    void SendBy(EthernetFrame& frame, const FrameContext& context, uint32_t path);

    /**
     * @brief Give a packet the outer headers of a path.
     * @param [in,out] frame the packet
     * @param path the path
     */
    void Encapsulate(EthernetFrame& frame, const Path& path);

    /**
     * @brief Send an encapsulated packet.
     * @param [in,out] frame the packet; without packet afterwards
     * @param context what is known of it
     * @return false if it was dropped
     */
    bool Transmit(EthernetFrame& frame, const FrameContext& context);

    /**
     * @brief Send an encapsulated packet by ns-3's stack.
     * @param [in,out] frame the packet; without packet afterwards
     * @param context what is known of it
     * @return false if it was dropped
     */
    bool TransmitByStack(EthernetFrame& frame, const FrameContext& context);

    /**
     * @brief Count a packet that has entered.
     * @param isSent whether it has
     * @param size its bytes, with the inner header
     */
    void CountSent(bool isSent, uint32_t size);

    /**
     * @brief Fragment a packet that is too long, or tell its source.
     * @param [in,out] frame the packet; without packet afterwards
     * @param context what is known of it
     * @param path the path
     */
    void HandleTooLong(EthernetFrame& frame, const FrameContext& context, const Path& path);

    /**
     * @brief Drop a packet.
     * @param [in,out] frame the packet; without packet afterwards
     * @param [in,out] counter what to count it as
     * @param reason why
     */
    void Drop(EthernetFrame& frame, uint64_t& counter, DropReason reason);

    /**
     * @brief Count what RFC 6040 says of a packet, and tell who watches.
     * @param flow its flow
     * @param inner the inner header's codepoint
     * @param outer the outer header's codepoint
     * @param cell what RFC 6040 says
     */
    void NoteEcn(const FlowKey& flow,
                 EcnCodepoint inner,
                 EcnCodepoint outer,
                 const TunnelEcnCell& cell);

    /**
     * @brief Have a packet keep its context on its way through ns-3's stack.
     * @param packet the packet
     * @param context its context
     */
    void KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const;

    /**
     * @brief Get the index of the path that a packet takes.
     * @param path the one that it should take
     * @return that one, or the default path
     */
    uint32_t GetUsable(uint32_t path) const;

    /// Look at the paths again, as soon as what happens now is over.
    void NotifyRoutes();

    /// Find out which paths are up.
    void UpdatePaths();

    /**
     * @brief Get the longest packet that the route to an address carries.
     * @param destination the address
     * @return bytes, 0 if there is no route over a link that is up
     */
    uint32_t GetRouteMtu(Ipv4Address destination) const;

    /// Choose the default path.
    void ChoosePath();

    /// Send keepalives from now on, if there are to be any.
    void StartKeepalives();

    /// Send a keepalive by each path.
    void SendKeepalives();

    /**
     * @brief Set the time between keepalives.
     * @param interval the time, 0 for none
     */
    void SetKeepaliveInterval(Time interval);

    /**
     * @brief Get the time between keepalives.
     * @return the time, 0 for none
     */
    Time GetKeepaliveInterval() const;

    /**
     * @brief Set the longest outer packet.
     * @param mtu bytes
     */
    void SetPathMtu(uint32_t mtu);

    /**
     * @brief Get the longest outer packet.
     * @return bytes
     */
    uint32_t GetPathMtu() const;

    /**
     * @brief Get how headers are treated now.
     * @return the rules
     */
    IpTunnelRules GetRules() const;

    // What a packet touches comes first.
    bool m_isStale{true};                              //!< whether paths are to be looked at
    uint32_t m_defaultPath{TunnelPathChoice::NONE};    //!< the default path
    IngressMode m_ingressMode{NORMAL};                 //!< attribute IngressMode
    EgressMode m_egressMode{RFC_6040};                 //!< attribute EgressMode
    Ect1Policy m_ect1{PASSED};                         //!< attribute EdgeEct1
    FieldModel m_ttlModel{PIPE};                       //!< attribute TtlModel
    FieldModel m_dscpModel{UNIFORM};                   //!< attribute DscpModel
    uint8_t m_ttl{64};                                 //!< attribute Ttl
    uint8_t m_dscp{0};                                 //!< attribute Dscp
    uint8_t m_keepaliveTos{0};                         //!< attribute KeepaliveTos
    bool m_hasChecksums{false};                        //!< whether nodes compute checksums
    Ptr<TunnelTrafficController> m_controller;         //!< steers packets
    Ptr<SwitchDatapath> m_datapath;                    //!< the way past ns-3's stack
    std::vector<Path> m_paths;                         //!< the paths
    Ipv4Address m_local;                               //!< attribute Local
    Ipv4Address m_remote;                              //!< attribute Remote
    Ptr<IpTunnelEndpoint> m_endpoint;                  //!< the node's
    IpTunnelStatistics m_statistics;                   //!< the statistics
    TunnelPathChoice m_choice;                         //!< chooses the default path
    Ptr<Ipv4> m_ipv4;                                  //!< the stack
    Ptr<MultipathRouting> m_routing;                   //!< the routing, null if it is another one
    TransitHeaderReader m_header;                      //!< makes headers for the stack
    uint32_t m_pathMtu{65535};                         //!< attribute PathMtu
    Time m_holdTime;                                   //!< attribute HoldTime
    Time m_keepaliveInterval;                          //!< attribute KeepaliveInterval
    uint32_t m_keepaliveMisses{3};                     //!< attribute KeepaliveMisses
    EventId m_choiceEvent;                             //!< the end of a hold time
    EventId m_keepaliveEvent;                          //!< the next keepalives
    TracedCallback<> m_linkChange;                     //!< who wants to know of the link
    TracedCallback<uint32_t, bool> m_pathTrace;        //!< trace of paths
    TracedCallback<uint32_t, uint32_t> m_defaultTrace; //!< trace of the default path
    TracedCallback<const FlowKey&, EcnCodepoint, EcnCodepoint, const TunnelEcnCell&>
        m_ecnTrace;                                            //!< trace of marks and alarms
    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace; //!< trace of drops
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_NET_DEVICE_H
