/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_RIB_H
#define AIDC_BGP_RIB_H

#include "bgp-attribute-pool.h"
#include "bgp-decision.h"
#include "bgp-path-attributes.h"
#include "bgp-policy.h"
#include "bgp-prefix.h"
#include "bgp-update-packer.h"
#include "bgp-update.h"
#include "path-bandwidth-policy.h"
#include "path-bandwidth.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief The routes of a speaker (RFC 4271, sections 3.2 and 9): what each peer has announced
 *        (Adj-RIB-In), what is used (Loc-RIB), and what each peer has been told (Adj-RIB-Out).
 */

namespace ns3::aidc
{

/// In place of a peer: the speaker itself.
constexpr uint32_t BGP_NO_PEER = 0xffffffff;

/**
 * @ingroup aidc
 * @brief What a speaker's routes depend on.
 */
struct BgpRibSettings
{
    uint32_t as{0};                  //!< the speaker's AS
    BgpDecisionSettings decision;    //!< which routes are used
    bool usesPathBandwidth{true};    //!< bandwidths are read, attached and advertised again
    BandwidthFormat bandwidthFormat; //!< how they are written
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< the speaker's place in the fabric
    bool attachesNonTransitive{false}; //!< a super-spine attaches the bandwidth of its links
    double originBandwidth{MAX_PATH_BANDWIDTH}; //!< attached to own routes, bytes a second
    bool sparesLoops{
        true}; //!< a peer whose AS is on a path, and which would reject it, is not told
};

/**
 * @ingroup aidc
 * @brief A peer: what is configured, and what its OPEN has said.
 */
struct BgpRibPeer
{
    uint32_t as{0};           //!< its AS; the speaker's own one: an internal peer
    uint32_t identifier{0};   //!< its BGP identifier
    uint32_t address{0};      //!< its address, host byte order
    uint32_t localAddress{0}; //!< the speaker's, which is the next hop of what it is told
    PathBandwidthTier tier{PathBandwidthTier::LEAF}; //!< its place in the fabric
    double linkBandwidth{0};                         //!< of the link to it, bytes a second
    bool exchangesNonTransitive{false}; //!< non-transitive bandwidths are sent to it and taken
    uint32_t maxPrefixes{0};            //!< the most routes that are taken, 0: any number
    std::shared_ptr<const BgpPolicy> importPolicy; //!< what is taken; null: all
    std::shared_ptr<const BgpPolicy> exportPolicy; //!< what it is told; null: all
};

/**
 * @ingroup aidc
 * @brief A route that is used.
 */
struct BgpRibPath
{
    uint32_t peer{BGP_NO_PEER}; //!< the peer that it is from, BGP_NO_PEER: the speaker's own
    uint32_t nextHop{0};        //!< host byte order
    double weight{0};           //!< bytes a second; if all are 0, ECMP is plain
};

/**
 * @ingroup aidc
 * @brief Say whether two routes are equal.
 * @param a a route
 * @param b another one
 * @return true if peer, next hop and weight are
 */
bool operator==(const BgpRibPath& a, const BgpRibPath& b);

/**
 * @ingroup aidc
 * @brief What a peer has to be told.
 */
struct BgpPeerChanges
{
    std::vector<BgpPrefix> withdrawn;        //!< routes that it has been told and that are gone
    std::vector<BgpOutgoingRoute> announced; //!< routes that are new to it, with its next hop
};

/**
 * @ingroup aidc
 * @brief The routes of a speaker, without time and sockets.
 *
 * What comes in only marks prefixes; Decide() chooses their routes anew and finds out who has to be
 * told. So it is called once for as much as comes at once. What a peer has to be told is collected
 * until TakeChanges(): it is the difference to what it was told last, whatever has been in between.
 * To be told nothing new, a route has to have the same attributes as written: a weight that rounds
 * to the same bandwidth is none.
 *
 * Routes that a policy, a loop of ASs or the maximum keeps out are not stored; if a policy changes,
 * the peer has to be asked for its routes again (RFC 2918).
 *
 * Memory: a prefix costs about 200 bytes, a route of a peer 24, one that is used 16, and one that
 * a peer has been told 16, plus the sets of attributes that differ.
 */
class BgpRib
{
  public:
    /**
     * @brief Constructor.
     * @param settings what is configured
     * @param pool the sets of attributes, which speakers of one thread may share
     */
    BgpRib(BgpRibSettings settings, std::shared_ptr<BgpAttributePool> pool);

    /**
     * @brief Add a peer, whose session is down.
     * @param peer the peer
     * @return its number, from 0 on
     */
    uint32_t AddPeer(BgpRibPeer peer);

    /**
     * @brief Get a peer.
     * @param peer its number
     * @return what is configured, and what its OPEN has said
     */
    const BgpRibPeer& GetPeer(uint32_t peer) const
    {
        return m_peers[peer].peer;
    }

    /**
     * @brief The session with a peer has come up: it has to be told all routes.
     * @param peer its number
     * @param as its AS
     * @param identifier its BGP identifier
     */
    void SetUp(uint32_t peer, uint32_t as, uint32_t identifier);

    /**
     * @brief The session with a peer has gone down: all of its routes are gone.
     * @param peer its number
     */
    void SetDown(uint32_t peer);

    /**
     * @brief Tell a peer all routes again (RFC 2918), those that it has been told too.
     * @param peer its number
     */
    void Refresh(uint32_t peer);

    /**
     * @brief Set the bandwidth of the link to a peer.
     * @param peer its number
     * @param bytesPerSecond the bandwidth, not negative
     */
    void SetLinkBandwidth(uint32_t peer, double bytesPerSecond);

    /**
     * @brief Take what an UPDATE of a peer changes.
     * @param peer its number, whose session is up
     * @param changes the changes
     * @return false if the peer has announced more than its maximum: the session has to end with
     *         cease 6/1
     */
    bool Receive(uint32_t peer, const BgpRouteChanges& changes);

    /**
     * @brief Add a route of the speaker's own.
     * @param prefix the route
     * @param attributes its attributes; path bandwidth is attached when it is advertised
     */
    void Originate(const BgpPrefix& prefix, BgpPathAttributes attributes = {});

    /**
     * @brief Remove a route of the speaker's own, if there is one.
     * @param prefix the route
     */
    void Withdraw(const BgpPrefix& prefix);

    /**
     * @brief Choose the routes of all prefixes that something has changed for.
     */
    void Decide();

    /**
     * @brief Take the prefixes whose routes in use have changed since the last call, as weights or
     *        otherwise.
     * @return the prefixes, each once, in the order of their first change
     */
    std::vector<BgpPrefix> TakeUsedChanges();

    /**
     * @brief Say whether a peer has to be told something.
     * @param peer its number
     * @return whether TakeChanges() has anything
     */
    bool HasChanges(uint32_t peer) const
    {
        return m_peers[peer].nPending > 0;
    }

    /**
     * @brief Take what a peer has to be told, which counts as told then.
     * @param peer its number
     * @return the changes, in the order in which the prefixes first changed
     */
    BgpPeerChanges TakeChanges(uint32_t peer);

    /**
     * @brief Get the routes to a prefix that are used.
     * @param prefix the prefix
     * @return the routes, the best one first; empty if there is none
     */
    const std::vector<BgpRibPath>& GetPaths(const BgpPrefix& prefix) const;

    /**
     * @brief Get the attributes of the best route to a prefix.
     * @param prefix the prefix
     * @return the attributes behind the import policy, without next hop; null if there is no route
     */
    BgpSharedAttributes GetBest(const BgpPrefix& prefix) const;

    /**
     * @brief Get the prefixes that there are routes to.
     * @return the prefixes in their order
     */
    std::vector<BgpPrefix> GetPrefixes() const;

    /**
     * @brief Get the number of routes that have been taken from a peer.
     * @param peer its number
     * @return the number
     */
    uint32_t CountReceived(uint32_t peer) const
    {
        return m_peers[peer].nReceived;
    }

    /**
     * @brief Get the number of routes that a peer has been told.
     * @param peer its number
     * @return the number
     */
    uint32_t CountTold(uint32_t peer) const
    {
        return m_peers[peer].nTold;
    }

    /**
     * @brief Get the number of bytes that the tables have, without sets of attributes.
     * @return bytes
     */
    std::size_t GetMemorySize() const;

  private:
    /// A route in an Adj-RIB-In, or of the speaker's own.
    struct Route
    {
        BgpSharedAttributes attributes; //!< behind the import policy, without next hop
        uint32_t nextHop;               //!< host byte order
        uint32_t peer;                  //!< who it is from
    };

    /// What is known of a prefix.
    struct Entry
    {
        BgpPrefix prefix;                          //!< the prefix
        bool isDirty{false};                       //!< something has changed since it was decided
        bool isUsedDirty{false};                   //!< TakeUsedChanges() has it
        uint32_t nTold{0};                         //!< peers that have been told of it
        std::vector<Route> routes;                 //!< by peer; the speaker's own is the last one
        std::vector<BgpRibPath> paths;             //!< those that are used, the best one first
        std::vector<BgpSharedAttributes> exported; //!< by group of peers; null: not advertised
    };

    /// Peers that are told the same.
    struct Group
    {
        bool isInternal;                         //!< they are in the speaker's AS
        bool exchangesNonTransitive;             //!< they get non-transitive bandwidths
        std::shared_ptr<const BgpPolicy> policy; //!< what they are told
    };

    /// A peer and what it has been told.
    struct Peer
    {
        BgpRibPeer peer;                       //!< what it is
        uint32_t group{0};                     //!< its group
        bool isUp{false};                      //!< its session is up
        uint32_t nReceived{0};                 //!< routes that have been taken
        uint32_t nTold{0};                     //!< routes that it has been told
        uint32_t nPending{0};                  //!< prefixes that it has to be told
        std::vector<BgpSharedAttributes> told; //!< by prefix's number; null: nothing
        std::vector<bool> isPending;           //!< by prefix's number
        std::vector<uint32_t> pending;         //!< prefixes' numbers, some of them no longer
    };

    /// Hashes prefixes.
    struct PrefixHash
    {
        /**
         * @brief Get the hash of a prefix.
         * @param prefix the prefix
         * @return the hash
         */
        std::size_t operator()(const BgpPrefix& prefix) const;
    };

    /**
     * @brief Find the group of a peer, or add it.
     * @param peer the peer
     * @return its number
     */
    uint32_t FindGroup(const BgpRibPeer& peer);

    /**
     * @brief Find a prefix, or add it.
     * @param prefix the prefix
     * @return its number
     */
    uint32_t FindOrAdd(const BgpPrefix& prefix);

    /**
     * @brief Find a prefix.
     * @param prefix the prefix
     * @return what is known of it, null if there is nothing
     */
    const Entry* Find(const BgpPrefix& prefix) const;

    /**
     * @brief Give a prefix's number back if nothing is known of it any more.
     * @param number its number
     */
    void ForgetIfUnused(uint32_t number);

    /**
     * @brief Set or replace a route.
     * @param number the prefix's number
     * @param route the route
     * @return whether there was none from its peer
     */
    bool SetRoute(uint32_t number, Route route);

    /**
     * @brief Remove the route of a peer.
     * @param number the prefix's number
     * @param peer the peer
     * @return false if there was none
     */
    bool RemoveRoute(uint32_t number, uint32_t peer);

    /**
     * @brief Have a prefix decided.
     * @param number its number
     */
    void MarkDirty(uint32_t number);

    /**
     * @brief Take routes that a peer announces.
     * @param peer its number
     * @param announcement the routes
     * @return false if they are too many
     */
    bool ReceiveAnnouncement(uint32_t peer, const BgpAnnouncement& announcement);

    /**
     * @brief Choose a prefix's routes.
     * @param entry the prefix
     * @param [out] change what becomes of the bandwidths that are advertised again
     * @return the routes that are used, the best one first
     */
    std::vector<BgpRibPath> ChoosePaths(const Entry& entry, BandwidthChange& change) const;

    /**
     * @brief Get what the peers of a group are told of a prefix.
     * @param entry the prefix, whose paths have been chosen
     * @param change what becomes of the bandwidths
     * @param group the group
     * @return the attributes without next hop; null: nothing
     */
    BgpSharedAttributes Export(const Entry& entry,
                               const BandwidthChange& change,
                               const Group& group);

    /**
     * @brief Get the route of a prefix that is from a peer.
     * @param entry the prefix
     * @param peer the peer
     * @return the route, null if there is none
     */
    static const Route* FindRoute(const Entry& entry, uint32_t peer);

    /**
     * @brief Get what a peer ought to have been told of a prefix.
     * @param entry the prefix
     * @param peer the peer
     * @return the attributes without next hop; null: nothing
     */
    const BgpSharedAttributes& GetWanted(const Entry& entry, const Peer& peer) const;

    /**
     * @brief Compare what a peer has been told of a prefix with what it ought to, and note it.
     * @param number the prefix's number
     * @param peer the peer
     */
    void Compare(uint32_t number, Peer& peer);

    BgpRibSettings m_settings;                //!< what is configured
    std::shared_ptr<BgpAttributePool> m_pool; //!< sets of attributes
    std::vector<Peer> m_peers;                //!< by their numbers
    std::vector<Group> m_groups;              //!< of peers
    std::vector<Entry> m_entries;             //!< prefixes by their numbers
    std::vector<uint32_t> m_free;             //!< numbers that no prefix has
    std::vector<uint32_t> m_dirty;            //!< prefixes to be decided
    std::vector<uint32_t> m_usedDirty;        //!< prefixes whose routes in use have changed
    std::unordered_map<BgpPrefix, uint32_t, PrefixHash> m_numbers; //!< of prefixes
};

} // namespace ns3::aidc

#endif // AIDC_BGP_RIB_H
