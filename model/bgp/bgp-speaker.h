/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SPEAKER_H
#define AIDC_BGP_SPEAKER_H

#include "bgp-peer-settings.h"
#include "bgp-speaker-statistics.h"
#include "bgp-tcp-connection.h"
#include "bgp-ttl-security.h"
#include "jittered-application.h"

#include "ns3/bgp-peer-session.h"
#include "ns3/bgp-rib.h"
#include "ns3/event-id.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <vector>

namespace ns3::aidc
{

struct BgpSpeakerPeer;

/**
 * @ingroup aidc
 * @brief A BGP speaker (RFC 4271) on ns-3's TCP, which writes the routes of its node's
 *        MultipathRouting.
 *
 * It is the time and the sockets of BgpPeerSession (sessions) and BgpRib (routes), for IPv4
 * unicast. Routes that are used together become one route of several next hops, whose weights are
 * path bandwidths (draft-xu-idr-fare) or all 1. While a route's next hops stay, its weights change
 * in place, so that what selectors know of flows survives. Routes of the speaker's own are not
 * written: the node has them as connected networks or otherwise.
 *
 * How it is used: attributes first, then AddPeer() and Originate(), on a node with a protocol
 * stack, addresses, and a MultipathRouting, alone or within an Ipv4ListRouting. Sessions start with
 * the application. What is called while it runs takes effect in an event of the node, at once.
 *
 * After what comes at one time, routes are chosen once. A peer is told the difference to what it
 * has been told last, at most once an AdvertisementInterval, and only when TCP has taken the
 * messages before; so a slow peer gets the last state, not each one in between. The interval limits
 * withdrawals, too (RFC 4271, section 9.2.1.1).
 *
 * A session goes down at once when the interface of its peer goes down or its device has lost the
 * link, and starts at once when it comes back.
 *
 * What it does not do: IPv6, reflection of routes, confederations, aggregation, graceful restart,
 * authentication of segments; next hops are those of peers on the link, or are looked up once when
 * a route changes.
 */
class BgpSpeaker : public JitteredApplication, private BgpTcpConnectionUser
{
  public:
    /// The community that carries bandwidths: those of aidc::BandwidthCarrier.
    enum Carrier
    {
        PATH_BANDWIDTH, //!< of draft-xu-idr-fare
        LINK_BANDWIDTH  //!< of RFC 10005
    };

    /// The speaker's place in the fabric: those of PathBandwidthTier.
    enum Tier
    {
        LEAF,       //!< has the hosts
        SPINE,      //!< connects leaves
        SUPER_SPINE //!< connects the spines of several pods
    };

    /**
     * @brief Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId();

    BgpSpeaker();
    ~BgpSpeaker() override;

    /**
     * @brief Share sets of attributes with other speakers, which saves memory in large networks.
     *
     * All of them must run in one thread. By default, each speaker has its own.
     *
     * @param pool the sets; to be given before the application is initialized
     */
    void SetAttributePool(std::shared_ptr<BgpAttributePool> pool);

    /**
     * @brief Add a peer. Its session starts with the application, or now if that runs.
     *
     * The program ends, with a message that says what was expected, if there is no address, if
     * another peer has it, if a bandwidth is negative or if a policy is wrong.
     *
     * @param settings what is known of it
     * @return its number, from 0 on
     */
    uint32_t AddPeer(const BgpPeerSettings& settings);

    /**
     * @brief Get the number of peers.
     * @return the number
     */
    uint32_t GetNPeers() const;

    /**
     * @brief Get what is known of a peer.
     * @param peer its number
     * @return the settings, as they were given
     */
    const BgpPeerSettings& GetPeer(uint32_t peer) const;

    /**
     * @brief Find a peer.
     * @param address its address
     * @return its number, BGP_NO_PEER if there is none
     */
    uint32_t FindPeer(Ipv4Address address) const;

    /**
     * @brief Set the bandwidth of the link to a peer, which routes over it are weighed by.
     * @param peer its number
     * @param bytesPerSecond the bandwidth, not negative
     */
    void SetLinkBandwidth(uint32_t peer, double bytesPerSecond);

    /**
     * @brief Get the least time between UPDATEs to a peer.
     * @param peer its number
     * @return that of the peer's settings, or else the attribute AdvertisementInterval
     */
    Time GetAdvertisementInterval(uint32_t peer) const;

    /**
     * @brief Announce a network of this node.
     * @param network the network
     * @param mask its mask
     */
    void Originate(Ipv4Address network, Ipv4Mask mask);

    /**
     * @brief Announce a network of this node with attributes, such as communities.
     * @param network the network
     * @param mask its mask
     * @param attributes the attributes
     */
    void Originate(Ipv4Address network, Ipv4Mask mask, const BgpPathAttributes& attributes);

    /**
     * @brief Withdraw a network of this node, if it was announced.
     * @param network the network
     * @param mask its mask
     */
    void Withdraw(Ipv4Address network, Ipv4Mask mask);

    /**
     * @brief End a session, which starts again after the idle hold time.
     * @param peer the peer's number
     */
    void ResetPeer(uint32_t peer);

    /**
     * @brief End a session until StartPeer().
     * @param peer the peer's number
     */
    void StopPeer(uint32_t peer);

    /**
     * @brief Start a session that StopPeer() or too many routes have ended.
     * @param peer the peer's number
     */
    void StartPeer(uint32_t peer);

    /**
     * @brief Ask a peer for all of its routes again (RFC 2918), if it can and the session is up.
     * @param peer the peer's number
     */
    void RefreshPeer(uint32_t peer);

    /**
     * @brief Get the state of a session.
     * @param peer the peer's number
     * @return the state of the connection that is further
     */
    BgpSessionState GetSessionState(uint32_t peer) const;

    /**
     * @brief Get the sessions with a peer: states, what both sides have agreed on.
     * @param peer the peer's number, once the application is initialized
     * @return the sessions
     */
    const BgpPeerSession& GetSession(uint32_t peer) const;

    /**
     * @brief Get the routes. There are none before the application is initialized.
     * @return the routes
     */
    const BgpRib& GetRib() const;

    /**
     * @brief Get what has happened with a peer.
     * @param peer the peer's number
     * @return the numbers
     */
    const BgpSpeakerStatistics& GetStatistics(uint32_t peer) const;

    /**
     * @brief Get what has happened with all peers.
     * @return the numbers
     */
    BgpSpeakerStatistics GetStatistics() const;

    /**
     * @brief Print sessions and routes, in the order of peers and prefixes.
     * @param [in,out] os where to
     */
    void Print(std::ostream& os) const;

    /// TracedCallback signature for a session's state: peer's number, state before, state after.
    typedef void (*SessionStateTracedCallback)(uint32_t, BgpSessionState, BgpSessionState);

    /// TracedCallback signature for a message: peer's number, type, the message with its header.
    typedef void (*MessageTracedCallback)(uint32_t, BgpMessageType, const BgpBytes&);

    /// TracedCallback signature for routes that are used: prefix, all routes with their weights
    /// (bytes a second), none if the prefix is gone.
    typedef void (*RouteChangeTracedCallback)(const BgpPrefix&, const std::vector<BgpRibPath>&);

    /// TracedCallback signature for a NOTIFICATION: peer's number, whether this speaker sends it,
    /// what it says.
    typedef void (*NotificationTracedCallback)(uint32_t, bool, const BgpNotification&);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    using Peer = BgpSpeakerPeer; //!< a peer

    // From Application
    void StartApplication() override;
    void StopApplication() override;

    // From BgpTcpConnectionUser
    void HandleConnected(BgpTcpConnection& connection) override;
    void HandleFailed(BgpTcpConnection& connection) override;
    void HandleFrame(BgpTcpConnection& connection, const BgpFrame& frame) override;
    void HandleTaken(BgpTcpConnection& connection) override;
    void HandleDrained(BgpTcpConnection& connection) override;

    /**
     * @brief Tell which of the two connections to a peer one is.
     * @param connection the connection
     * @return which one
     */
    static BgpConnection GetConnection(const BgpTcpConnection& connection)
    {
        return static_cast<BgpConnection>(connection.GetId() % 2);
    }

    /**
     * @brief Do something in an event of the node: now if this is one.
     * @param task what
     */
    void RunAtNode(const std::function<void()>& task);

    /**
     * @brief Set the hold time.
     * @param time 0, or 3 s to 65535 s
     * @return whether it was taken
     */
    bool SetHoldTime(const Time& time);

    /**
     * @brief Get the hold time.
     * @return the hold time
     */
    Time GetHoldTime() const;

    /**
     * @brief A peer has taken something: its send hold timer begins anew.
     * @param number the peer's number
     * @param connection the connection
     */
    void RestartSendHold(uint32_t number, BgpConnection connection);

    /// Make the table of routes, as the attributes are.
    void MakeRib();

    /**
     * @brief Make the session of a peer, as the attributes are.
     * @param number the peer's number
     */
    void MakeSession(uint32_t number);

    /**
     * @brief Find the interface and the own address of a peer.
     * @param [in,out] peer the peer
     */
    void FindLink(Peer& peer) const;

    /// Begin to take connections.
    void Listen();

    /**
     * @brief Say whether a connection of a peer is wanted.
     * @param socket the socket that listens
     * @param from who makes it
     * @return whether it is
     */
    bool AskForConnection(Ptr<Socket> socket, const Address& from);

    /**
     * @brief Take a connection of a peer.
     * @param socket its socket
     * @param from who has made it
     */
    void TakeConnection(Ptr<Socket> socket, const Address& from);

    /**
     * @brief Give an event to a session, and do what it says.
     * @param number the peer's number
     * @param connection the connection that it is about
     * @param input the event
     */
    void Handle(uint32_t number, BgpConnection connection, const BgpSessionInput& input);

    /**
     * @brief Do what a session says.
     * @param number the peer's number
     * @param actions what it says
     */
    void Perform(uint32_t number, const BgpPeerActions& actions);

    /**
     * @brief Do one thing that a session says.
     * @param number the peer's number
     * @param connection which connection
     * @param action what
     */
    void Perform(uint32_t number, BgpConnection connection, const BgpSessionAction& action);

    /**
     * @brief Send a message.
     * @param number the peer's number
     * @param connection the connection
     * @param type the message's type
     * @param message the message
     */
    void Send(uint32_t number,
              BgpConnection connection,
              BgpMessageType type,
              const BgpBytes& message);

    /**
     * @brief Start a timer, from the beginning if it runs.
     * @param number the peer's number
     * @param timer the timer
     * @param delay until it expires, without jitter
     * @param isJittered whether a factor is drawn
     */
    void StartTimer(uint32_t number, uint32_t timer, Time delay, bool isJittered);

    /**
     * @brief A timer's event has come up.
     * @param number the peer's number
     * @param timer the timer
     */
    void Expire(uint32_t number, uint32_t timer);

    /**
     * @brief Take an UPDATE.
     * @param number the peer's number
     * @param connection where it has come
     * @param frame the message
     */
    void TakeUpdate(uint32_t number, BgpConnection connection, const BgpFrame& frame);

    /**
     * @brief Take a ROUTE-REFRESH.
     * @param number the peer's number
     * @param connection where it has come
     * @param frame the message
     */
    void TakeRefresh(uint32_t number, BgpConnection connection, const BgpFrame& frame);

    /**
     * @brief Say whether an address is on the link to a peer.
     * @param peer the peer
     * @param address the address
     * @return whether it is on a network of the peer's interface
     */
    bool IsOnLink(const Peer& peer, Ipv4Address address) const;

    /**
     * @brief Leave out routes whose next hop is an address of this node, and those of an external
     * peer on the link whose next hop is not on the link (RFC 4271, section 6.3): they replace what
     * was before.
     * @param peer the peer
     * @param [in,out] changes what it has sent
     */
    void RemoveWrongNextHops(Peer& peer, BgpRouteChanges& changes) const;

    /// Something may have happened to an interface or a link.
    void NotifyLinks();

    /// See which links are up, and end or start sessions.
    void CheckLinks();

    /// Choose routes, once for all that comes at this time.
    void ScheduleDecision();

    /// Choose routes, write them and tell peers.
    void Decide();

    /**
     * @brief Write routes that have changed.
     * @param prefixes their prefixes
     */
    void InstallRoutes(const std::vector<BgpPrefix>& prefixes);

    /**
     * @brief Get the next hops of a route.
     * @param paths the routes that are used together
     * @return the next hops; empty if there is nothing to be written
     */
    std::vector<NextHop> GetNextHops(const std::vector<BgpRibPath>& paths) const;

    /**
     * @brief Tell a peer what has changed, unless it has to wait.
     * @param number the peer's number
     */
    void Advertise(uint32_t number);

    // Attributes
    uint32_t m_as{0};                  //!< the speaker's AS
    Ipv4Address m_routerId;            //!< its BGP identifier
    Time m_holdTime;                   //!< offered in OPEN
    Time m_sendHoldTime;               //!< how long a peer may take nothing
    Time m_keepaliveTime;              //!< the longest time between KEEPALIVEs
    Time m_connectRetryTime;           //!< between attempts
    Time m_idleHoldTime;               //!< between an error and the next start
    Time m_advertisementInterval;      //!< between UPDATEs to a peer
    Time m_decisionDelay;              //!< between the first change and the decision
    uint32_t m_maxPaths{0};            //!< the most routes that are used together
    bool m_relaxAsPath{false};         //!< paths need only be as long
    uint32_t m_defaultLocalPref{0};    //!< of routes without
    bool m_usePathBandwidth{false};    //!< bandwidths are read and advertised
    Carrier m_carrier{PATH_BANDWIDTH}; //!< how they are written
    uint8_t m_pathBandwidthSubtype{0}; //!< low octet of their type
    Tier m_tier{LEAF};                 //!< place in the fabric
    bool m_attachNonTransitive{false}; //!< a super-spine attaches its links
    double m_originBandwidth{0};       //!< of own routes, bytes a second
    bool m_installRoutes{false};       //!< routes are written
    bool m_watchLinks{false};          //!< sessions follow the links
    uint8_t m_dscp{0};                 //!< of all segments
    uint16_t m_port{0};                //!< of all speakers
    uint32_t m_tcpBufferSize{0};       //!< of sockets, bytes

    Ptr<Ipv4> m_ipv4;                                 //!< the node's
    Ptr<MultipathRouting> m_routing;                  //!< where routes are written
    Ptr<BgpTtlSecurity> m_ttlSecurity;                //!< if a peer has a smallest time to live
    Ptr<Socket> m_listener;                           //!< takes connections
    std::shared_ptr<BgpAttributePool> m_pool;         //!< sets of attributes
    std::unique_ptr<BgpRib> m_rib;                    //!< the routes, from initialization on
    std::vector<std::unique_ptr<Peer>> m_peers;       //!< by their numbers
    std::map<uint32_t, uint32_t> m_numbers;           //!< of peers by their addresses
    std::map<BgpPrefix, BgpPathAttributes> m_origins; //!< own networks until initialization
    std::set<BgpPrefix> m_installed;                  //!< routes that have been written
    bool m_isRunning{false};    //!< the application has started, and not stopped
    bool m_isInstalling{false}; //!< routes are being written
    bool m_isCheckDue{false};   //!< CheckLinks() is scheduled
    EventId m_decision;         //!< Decide()

    TracedCallback<uint32_t, BgpSessionState, BgpSessionState> m_stateTrace; //!< states of sessions
    TracedCallback<uint32_t, BgpMessageType, const BgpBytes&> m_sentTrace;   //!< messages
    TracedCallback<uint32_t, BgpMessageType, const BgpBytes&> m_receivedTrace; //!< messages
    TracedCallback<const BgpPrefix&, const std::vector<BgpRibPath>&>
        m_routeTrace; //!< routes that are used
    TracedCallback<uint32_t, bool, const BgpNotification&>
        m_notificationTrace; //!< why sessions end
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_H
