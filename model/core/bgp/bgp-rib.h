// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_RIB_H
#define AIDC_BGP_RIB_H

#include "../fare/path-bandwidth-policy.h"
#include "../fare/path-bandwidth.h"
#include "bgp-decision.h"
#include "bgp-path-attributes.h"
#include "bgp-policy.h"
#include "bgp-prefix.h"
#include "bgp-update.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

/// @file
/// The routes of a speaker (RFC 4271, sections 3.2 and 9): the routes from each peer (Adj-RIB-In),
/// the routes in use (Loc-RIB), and the routes sent to each peer (Adj-RIB-Out).

namespace ns3::aidc
{

/// The settings for a speaker's routes.
struct BgpRibSettings
{
    uint32_t as{0};                  //!< the speaker's AS
    BgpDecisionSettings decision;    //!< which routes are used
    bool usesPathBandwidth{true};    //!< bandwidths are read, attached and readvertised
    BandwidthFormat bandwidthFormat; //!< how they are written
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< the speaker's place in the fabric
    bool attachesNonTransitive{false}; //!< a super-spine attaches the bandwidth of its links
    bool sharesUplinks{false}; //!< nodes below are told their share of the routes from above
    double originBandwidth{MAX_PATH_BANDWIDTH}; //!< attached to own routes, bytes a second
    bool sparesLoops{true};             //!< routes are not sent to a peer whose AS is on the path
    bool acceptsGracefulShutdown{true}; //!< external routes with its community get LOCAL_PREF 0
};

/// Instead of a peer's number: the speaker itself.
constexpr uint32_t BGP_NO_PEER = 0xffffffff;

/// The settings for the routes of a peer.
struct BgpPeerRouteSettings
{
    uint32_t as{0};                                  //!< its AS, 0: any
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< its place in the fabric
    double linkBandwidth{0};                         //!< of the link to it, bytes a second
    bool exchangesNonTransitive{false}; //!< non-transitive bandwidths are sent to it and accepted
    uint32_t maxPrefixes{0};            //!< the most accepted routes, 0: any number
    /// The session is about to be shut down by this speaker (RFC 8326), from the start on
    bool isLeaving{false};
    std::shared_ptr<const BgpPolicy> importPolicy; //!< for routes from it; null: accept all
    std::shared_ptr<const BgpPolicy> exportPolicy; //!< for routes to it; null: send all
};

/// A peer: its settings, whose AS is the one from its OPEN once the session is up, and its
/// addresses.
struct BgpRibPeer : BgpPeerRouteSettings
{
    uint32_t identifier{0};   //!< its BGP identifier, from its OPEN
    uint32_t address{0};      //!< its address, host byte order
    uint32_t localAddress{0}; //!< the speaker's address, the next hop in routes to it
};

/// A route that is used.
struct BgpRibPath
{
    uint32_t peer{BGP_NO_PEER}; //!< the peer that has sent it, BGP_NO_PEER: the speaker's own
    uint32_t nextHop{0};        //!< host byte order
    double weight{0};           //!< bytes a second; if all are 0, ECMP is plain

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(peer, nextHop, weight);
    }
};

/// The changes to send to a peer.
struct BgpPeerChanges
{
    std::vector<BgpPrefix> withdrawn;        //!< routes that it has, and that are gone
    std::vector<BgpOutgoingRoute> announced; //!< routes that are new to it, with its next hop
};

/// The routes that were sent to a peer, and the prefixes with changes to be sent (RFC 4271,
/// section 3.2: an Adj-RIB-Out).
///
/// Prefixes have numbers here, from 0 on. Attributes are equal if they are the same object. Null
/// attributes mean that the peer has, or should have, no route.
///
/// A route that appears and disappears between two UPDATEs is not sent. The memory for pending
/// prefixes is proportional to their number, however often they change.
class BgpAdjRibOut
{
  public:
    /// Compare the route of a prefix that was sent with the wanted one. If they differ, the prefix
    /// is pending. wanted: the attributes that the peer should have.
    void Compare(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes);

    /// Remove the pending prefixes, for each of which the caller calls Tell(). @return the
    /// prefixes, in the order in which they first changed
    std::vector<uint32_t> TakePending();

    /// Note that a prefix is sent to the peer. @return the change of the number of prefixes
    /// that the peer has: 1, 0 or -1
    int Tell(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes);

    /// Mark all routes of the peer as stale, so that they are sent again.
    /// @return the prefixes of these routes, for which the caller calls Compare()
    std::vector<uint32_t> MakeStale();

    /// @return whether the peer was sent a route to a prefix
    bool IsTold(uint32_t number) const
    {
        return number < m_told.size() && m_told[number];
    }

    /// @return whether any prefix is pending
    bool HasPending() const
    {
        return m_nPending > 0;
    }

    /// @return the number of prefixes that the peer has
    uint32_t CountTold() const
    {
        return m_nTold;
    }

    /// @return the bytes that the tables have
    std::size_t GetMemorySize() const;

  private:
    std::vector<BgpSharedAttributes> m_told; //!< attributes that were sent, by prefix
    std::vector<bool> m_isPending;           //!< by number
    std::vector<uint32_t> m_pending;         //!< in the order of changes; not all still pending
    uint32_t m_nTold{0};                     //!< prefixes that the peer has
    uint32_t m_nPending{0};                  //!< prefixes that are pending
};

/// The routes of a speaker, without time and sockets.
///
/// Received changes only mark prefixes. Decide() chooses the routes of these prefixes, and finds
/// the peers to which changes have to be sent. So it is called once for all changes of one time.
/// Changes for a peer are collected until TakeChanges(): they are the difference from the routes
/// sent last, whatever was in between. A route has changed if its attributes on the wire have: a
/// weight that rounds to the same bandwidth is no change.
///
/// Routes that are refused because of a policy, a loop of ASs or the maximum are not stored. If a
/// policy changes, the peer has to be asked for its routes again (RFC 2918).
///
/// Memory: a prefix costs about 200 bytes, a route from a peer 24, a route in use 16, and a route
/// sent to a peer 16, plus the different sets of attributes.
class BgpRib
{
  public:
    /// Constructor. pool: the sets of attributes, which speakers of one thread may share.
    BgpRib(BgpRibSettings settings, std::shared_ptr<BgpAttributePool> pool);

    /// Add a peer, whose session is down. @return its number, from 0 on
    uint32_t AddPeer(BgpRibPeer peer);

    /// @return the settings for a peer, and numbers from its OPEN
    const BgpRibPeer& GetPeer(uint32_t peer) const
    {
        return m_peers[peer].peer;
    }

    /// The session with a peer has come up: all routes have to be sent.
    void SetUp(uint32_t peer, uint32_t as, uint32_t identifier);

    /// The session with a peer has gone down. retains: its routes stay and become stale (RFC 4724,
    /// section 4.2), except for routes that are stale already; otherwise, all of its routes are
    /// removed.
    void SetDown(uint32_t peer, bool retains = false);

    /// Remove the routes of a peer that are still stale.
    void RemoveStale(uint32_t peer);

    /// Begin or end the graceful shutdown of a session (RFC 8326): its routes have LOCAL_PREF 0,
    /// and routes sent to or received from the peer have the community. Routes are decided at once.
    /// @param peer its number
    /// @param isLeaving whether the session is about to be shut down
    void SetLeaving(uint32_t peer, bool isLeaving);

    /// Send all routes to a peer again (RFC 2918), including those that it has.
    void Refresh(uint32_t peer);

    /// Set the bandwidth of the link to a peer, not negative.
    void SetLinkBandwidth(uint32_t peer, double bytesPerSecond);

    /// Handle the changes in an UPDATE of a peer whose session is up. @return false if the peer has
    /// announced more than its maximum: the session has to end with cease 6/1
    bool Receive(uint32_t peer, const BgpRouteChanges& changes);

    /// Add one of the speaker's own routes. Path bandwidth is attached when it is advertised.
    void Originate(const BgpPrefix& prefix, BgpPathAttributes attributes = {});

    /// Remove one of the speaker's own routes, if it is there.
    void Withdraw(const BgpPrefix& prefix);

    /// Choose the routes of all prefixes with changes.
    void Decide();

    /// Take the prefixes whose routes in use, or weights, have changed since the last call.
    /// @return the prefixes, each once, in the order of their first change
    std::vector<BgpPrefix> TakeUsedChanges();

    /// @return whether TakeChanges() has any changes for a peer
    bool HasChanges(uint32_t peer) const
    {
        return m_peers[peer].out.HasPending();
    }

    /// Take the changes to send to a peer, which count as sent then. @return the changes, in the
    /// order in which the prefixes first changed
    BgpPeerChanges TakeChanges(uint32_t peer);

    /// @return the routes to a prefix that are used, the best one first; empty if there is none
    const std::vector<BgpRibPath>& GetPaths(const BgpPrefix& prefix) const;

    /// @return the attributes of the best route to a prefix after the import policy, without next
    ///         hop; null if there is no route, or if it is gone and not decided since
    BgpSharedAttributes GetBest(const BgpPrefix& prefix) const;

    /// @return the prefixes that there are routes to, in their order
    std::vector<BgpPrefix> GetPrefixes() const;

    /// @return the number of routes accepted from a peer
    uint32_t CountReceived(uint32_t peer) const
    {
        return m_peers[peer].nReceived;
    }

    /// @return the number of a peer's routes that are stale: used like others, until they are
    ///         replaced or removed
    uint32_t CountStale(uint32_t peer) const
    {
        return static_cast<uint32_t>(m_peers[peer].stale.size());
    }

    /// @return the number of routes sent to a peer
    uint32_t CountTold(uint32_t peer) const
    {
        return m_peers[peer].out.CountTold();
    }

    /// @return the bytes that the tables have, without sets of attributes
    std::size_t GetMemorySize() const;

  private:
    /// A route that a peer or the speaker itself has announced.
    struct Route
    {
        BgpSharedAttributes attributes; //!< after the import policy, without next hop
        uint32_t nextHop;               //!< host byte order
        uint32_t peer; //!< the peer that has sent it; BGP_NO_PEER: the speaker's own
    };

    /// A prefix, its routes and the choice; its number, from 0 on, is used until ForgetIfUnused().
    struct Entry
    {
        BgpPrefix prefix;                          //!< the prefix
        std::vector<Route> routes;                 //!< by peer; the speaker's own is the last one
        bool isDirty{false};                       //!< routes have changed since the last decision
        bool isUsedDirty{false};                   //!< TakeUsedChanges() has it
        uint32_t nTold{0};                         //!< peers that have a route to it
        std::vector<BgpRibPath> paths;             //!< the routes in use, the best one first
        std::vector<BgpSharedAttributes> exported; //!< by group of peers; null: not advertised
    };

    /// Peers that get the same routes.
    struct Group
    {
        bool isInternal;                         //!< they are in the speaker's AS
        bool exchangesNonTransitive;             //!< they get non-transitive bandwidths
        bool isLeaving;                          //!< their sessions are about to be shut down
        std::shared_ptr<const BgpPolicy> policy; //!< applied to their routes

        /// @return references to all members
        auto Tie() const
        {
            return std::tie(isInternal, exchangesNonTransitive, isLeaving, policy);
        }
    };

    /// Hashes prefixes.
    struct PrefixHash
    {
        std::size_t operator()(const BgpPrefix& prefix) const;
    };

    /// A peer and its routes.
    struct Peer
    {
        BgpRibPeer peer;          //!< its settings
        uint32_t group{0};        //!< its group
        bool isUp{false};         //!< its session is up
        uint32_t nReceived{0};    //!< routes accepted from it
        std::set<uint32_t> stale; //!< stale ones: kept, but the session is lost
        BgpAdjRibOut out;         //!< routes sent to it, by prefixes' numbers
    };

    uint32_t FindGroup(const BgpRibPeer& peer);

    /// Note a peer below: the share of routes from above that such peers are told may change.
    void UpdateBelow(const BgpRibPeer& changed);

    uint32_t FindOrAdd(const BgpPrefix& prefix);

    std::optional<uint32_t> Find(const BgpPrefix& prefix) const;

    /// @return the place of a peer's route: the first one that is not of a peer before it
    static std::vector<Route>::const_iterator FindPlace(const Entry& entry, uint32_t peer);

    static const Route* FindRoute(const Entry& entry, uint32_t peer);

    /// Free the number of a prefix if it has no state any more.
    void ForgetIfUnused(uint32_t number);

    /// Set or replace a route, which is not stale then.
    void SetRoute(uint32_t number, Route route);

    /// Remove the route of a peer, if there is one.
    void RemoveRoute(uint32_t number, uint32_t peer);

    void RemoveRoute(const BgpPrefix& prefix, uint32_t peer);

    /// Have a prefix decided.
    void MarkDirty(uint32_t number);

    void MarkRoutesDirty(uint32_t peer);

    /// Handle routes that a peer announces. @return false if they are too many
    bool ReceiveAnnouncement(uint32_t peer, const BgpAnnouncement& announcement);

    /// @return a route as stored; LOCAL_PREF 0 if an external peer is about to shut down (RFC 8326)
    BgpPathAttributes Import(const BgpPathAttributes& clean,
                             const BgpPolicyResult& result,
                             const BgpRibPeer& peer) const;

    /// Choose routes and weights (RFC 4271, section 9.1; draft-xu-idr-fare). @return the best first
    std::vector<BgpRibPath> ChoosePaths(const Entry& entry, BandwidthChange& change) const;

    /// @return whether the best route is advertised, without a policy; from: null for an own route
    bool IsExported(const BgpPathAttributes& best,
                    const BgpRibPeer* from,
                    const Group& group) const;

    /// @return the best route for a group (RFC 4271, 5.1 and 9.1.3), without next hop; or null
    BgpSharedAttributes Export(const Entry& entry,
                               const BandwidthChange& change,
                               const Group& group);

    /// @return the route to a prefix that a peer should have, without next hop; null: no route
    const BgpSharedAttributes& GetWanted(uint32_t number, const Peer& peer) const;

    /// Compare the route to a prefix that was sent to a peer with the one that it should have.
    void Compare(uint32_t number, Peer& peer);

    BgpRibSettings m_settings;                //!< the settings
    PathBandwidthNode m_node;                 //!< the speaker as it weighs routes
    std::shared_ptr<BgpAttributePool> m_pool; //!< sets of attributes
    std::vector<Peer> m_peers;                //!< by their numbers
    std::vector<Group> m_groups;              //!< of peers
    std::vector<Entry> m_entries;             //!< prefixes by their numbers
    std::vector<uint32_t> m_free;             //!< numbers that no prefix has
    std::unordered_map<BgpPrefix, uint32_t, PrefixHash> m_numbers; //!< of prefixes
    std::vector<uint32_t> m_dirty;                                 //!< prefixes to be decided
    std::vector<uint32_t> m_usedDirty; //!< prefixes whose routes in use have changed
};

} // namespace ns3::aidc

#endif // AIDC_BGP_RIB_H
