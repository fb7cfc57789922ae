// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_SPEAKER_H
#define AIDC_BGP_SPEAKER_H

#include "../core/bgp/bgp-peer-session.h"
#include "../deadline-timer.h"
#include "../jittered-application.h"
#include "bgp-peer-settings.h"
#include "bgp-speaker-settings.h"
#include "bgp-speaker-statistics.h"

#include "ns3/bgp-rib.h"
#include "ns3/event-id.h"
#include "ns3/ipv4.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <vector>

namespace ns3::aidc
{

class BgpDecisionProcess;
class BgpLinkWatcher;
class BgpPeerTable;
struct BgpSpeakerContext;

/// A BGP speaker (RFC 4271) on ns-3's TCP, which writes the routes of its node's MultipathRouting.
///
/// It has a session with each peer (BgpSpeakerPeer), chooses routes of IPv4 unicast (BgpRib), and
/// writes them (BgpDecisionProcess). Routes that are used together become one route with several
/// next hops, whose weights are path bandwidths (draft-xu-idr-fare) or all 1. While a route's next
/// hops stay the same, its weights change in place, so that selectors keep their state of flows.
/// The speaker's own networks are not written: the node has its own routes to them.
///
/// Usage: set attributes first, then call AddPeer() and Originate(), on a node with a protocol
/// stack, addresses, and a MultipathRouting, alone or within an Ipv4ListRouting. Sessions start
/// with the application. Calls while it runs take effect at once, in an event of the node.
///
/// All messages of one time lead to one choice of routes. A peer is sent the difference from the
/// routes that it was sent last, at most once an AdvertisementInterval, and only when TCP has taken
/// all earlier messages. So a slow peer gets the last state, not each state in between. The
/// interval limits withdrawals, too (RFC 4271, section 9.2.1.1).
///
/// A session goes down at once when the interface of its peer goes down or its device has lost the
/// link, and starts at once when it comes back.
///
/// It does not support IPv6, route reflection, confederations, aggregation, or authentication of
/// segments. Next hops are on the link to the peer, or are resolved once when a route changes.
class BgpSpeaker : public JitteredApplication
{
  public:
    /// The community that carries bandwidths, as in aidc::BandwidthCarrier.
    enum Carrier
    {
        PATH_BANDWIDTH, //!< of draft-xu-idr-fare
        LINK_BANDWIDTH  //!< of RFC 10005
    };

    /// The speaker's place in the fabric, as in PathBandwidthTier.
    enum Tier
    {
        LEAF,        //!< has the hosts
        SPINE,       //!< connects leaves
        SUPER_SPINE, //!< connects the spines of several pods
        EDGE,        //!< is outside of the fabric, and connected to its border switches
        HOST         //!< is connected to leaves, and does not forward
    };

    /// @return the type ID
    static TypeId GetTypeId();

    BgpSpeaker();
    ~BgpSpeaker() override;

    /// Share sets of attributes with other speakers, which saves memory in large networks.
    ///
    /// All of these speakers must run in one thread. By default, each speaker has its own sets.
    /// @param pool the sets; call this before the application is initialized
    void SetAttributePool(std::shared_ptr<BgpAttributePool> pool);

    /// Add a peer. Its session starts with the application, or now if it is running.
    ///
    /// The program ends, with a message that says what was expected, if there is no address, if
    /// another peer has it, if a bandwidth is negative or if a policy is wrong.
    /// @param settings the peer's settings
    /// @return its number, from 0 on
    uint32_t AddPeer(const BgpPeerSettings& settings);

    /// @return the number of peers
    uint32_t GetNPeers() const;

    /// @return the settings of a peer, as they were given
    const BgpPeerSettings& GetPeer(uint32_t peer) const;

    /// Set the bandwidth of the link to a peer, by which routes over it are weighted, not negative.
    void SetLinkBandwidth(uint32_t peer, double bytesPerSecond);

    /// Announce a network of this node with attributes, such as communities.
    void Originate(Ipv4Address network, Ipv4Mask mask, const BgpPathAttributes& attributes = {});

    /// Withdraw a network of this node, if it was announced.
    void Withdraw(Ipv4Address network, Ipv4Mask mask);

    /// End the session with a peer, which restarts after the idle hold time.
    void ResetPeer(uint32_t peer);

    /// End the session with a peer until StartPeer().
    void StopPeer(uint32_t peer);

    /// Start the session with a peer that StopPeer() or too many routes have ended.
    void StartPeer(uint32_t peer);

    /// Ask a peer for all of its routes again (RFC 2918), if it can and the session is up.
    void RefreshPeer(uint32_t peer);

    /// Begin or end the graceful shutdown of a session (RFC 8326), before StopPeer().
    ///
    /// All routes are sent to the peer again with the community 65535:0, so that it chooses others;
    /// routes from the peer have LOCAL_PREF 0, and are sent on with the community.
    void SetGracefulShutdown(uint32_t peer, bool isLeaving);

    /// Begin or end the graceful shutdown of all sessions.
    void SetGracefulShutdown(bool isLeaving);

    /// Fail without a NOTIFICATION, lose all routes from peers, and be back later.
    ///
    /// With the attribute GracefulRestart, the routes of the node stay until the peers' routes are
    /// back (RFC 4724, section 4.1); otherwise they are removed at once.
    /// @param outage the time until the speaker is back, not negative; there is no effect while it
    ///        does not run
    void Restart(const Time& outage);

    /// @return the state of the session with a peer: the state of its most advanced connection
    BgpSessionState GetSessionState(uint32_t peer) const;

    /// @return the sessions with a peer, once the application is initialized: states, and the
    ///         results of their negotiation
    const BgpPeerSession& GetSession(uint32_t peer) const;

    /// @return the routes; there are none before the application is initialized
    const BgpRib& GetRib() const;

    /// @return the counters of a peer
    const BgpSpeakerStatistics& GetStatistics(uint32_t peer) const;

    /// @return the counters of all peers together
    BgpSpeakerStatistics GetStatistics() const;

    /// Print sessions and routes, in the order of peers and prefixes.
    void Print(std::ostream& os) const;

    /// TracedCallback signature for a session's state: peer's number, state before, state after.
    typedef void (*SessionStateTracedCallback)(uint32_t, BgpSessionState, BgpSessionState);

    /// TracedCallback signature for a message: peer's number, type, the message with its header.
    typedef void (*MessageTracedCallback)(uint32_t, BgpMessageType, const BgpBytes&);

    /// TracedCallback signature for routes that are used: prefix, all routes with their weights
    /// (bytes a second), none if the prefix is gone.
    typedef void (*RouteChangeTracedCallback)(const BgpPrefix&, const std::vector<BgpRibPath>&);

    /// TracedCallback signature for a NOTIFICATION: peer's number, whether this speaker sends it,
    /// the contents.
    typedef void (*NotificationTracedCallback)(uint32_t, bool, const BgpNotification&);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// Add the attributes of routes: decisions and bandwidths. @return the type ID
    static TypeId AddRouteAttributes(TypeId tid);

    /// Add the attributes of graceful restart and graceful shutdown. @return the type ID
    static TypeId AddGracefulAttributes(TypeId tid);

    // From Application
    void StartApplication() override;
    void StopApplication() override;

    /// Run a task in an event of the node: now if this is one, or before initialization.
    void RunAtNode(const std::function<void()>& task);

    /// Refuse the call unless there are sessions and routes.
    void CheckOpen() const;

    /// Start or stop sessions and the socket that listens.
    void SetRunning(bool isRunning);

    /// Make the table of routes and all sessions, by the attributes.
    void OpenSessions();

    /// Forget the routes of all peers, while the table of the node stays, and be back later.
    void BeginRestart(const Time& outage);

    /// Choose and send no routes until all peers' End-of-RIB, or the deferral time (RFC 4724, 4.1).
    void Return();

    /// Choose routes if End-of-RIB has come from all peers that are waited for.
    void CheckRestart();

    /// Choose routes after a restart: only differences to the table are written.
    void EndDeferral();

    /// Forget the restart, if there is one.
    void CancelRestart();

    // Attributes
    BgpSpeakerSettings m_settings;          //!< of sessions
    BgpRibSettings m_ribSettings;           //!< of routes
    BgpDecisionSettings m_decisionSettings; //!< of the choice between routes
    BgpGracefulSettings m_graceful;         //!< of restarts and shutdowns
    BandwidthFormat m_format;               //!< how bandwidths are written
    Carrier m_carrier{PATH_BANDWIDTH};      //!< the community that has bandwidths
    Tier m_tier{LEAF};                      //!< place in the fabric
    Time m_decisionDelay;                   //!< between the first change and the decision
    bool m_installRoutes{false};            //!< routes are written
    bool m_watchLinks{false};               //!< sessions follow the links

    Ptr<Ipv4> m_ipv4;                              //!< the node's
    std::shared_ptr<BgpAttributePool> m_pool;      //!< sets of attributes
    std::unique_ptr<BgpSpeakerContext> m_context;  //!< shared by all peers
    std::unique_ptr<BgpPeerTable> m_peers;         //!< peers
    std::unique_ptr<BgpDecisionProcess> m_process; //!< routes
    Ptr<BgpLinkWatcher> m_watcher;                 //!< of links, from initialization on
    EventId m_return;                              //!< when the speaker is back
    DeadlineTimer m_deferral;                      //!< until routes are chosen after a restart
    bool m_isRunning{false};                       //!< the application has started, and not stopped

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
