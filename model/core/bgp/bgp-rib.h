/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_RIB_H
#define AIDC_BGP_RIB_H

#include "bgp-adj-rib-out.h"
#include "bgp-adj-ribs-in.h"
#include "bgp-attribute-pool.h"
#include "bgp-export.h"
#include "bgp-path-attributes.h"
#include "bgp-prefix.h"
#include "bgp-rib-settings.h"
#include "bgp-update-packer.h"
#include "bgp-update.h"
#include "path-bandwidth.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief The routes of a speaker (RFC 4271, sections 3.2 and 9): what each peer has announced
 *        (Adj-RIB-In), what is used (Loc-RIB), and what each peer has been told (Adj-RIB-Out).
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief A route that is used.
struct BgpRibPath
{
    uint32_t peer{BGP_NO_PEER}; //!< the peer that it is from, BGP_NO_PEER: the speaker's own
    uint32_t nextHop{0};        //!< host byte order
    double weight{0};           //!< bytes a second; if all are 0, ECMP is plain
};

/// @ingroup aidc
/// @brief Say whether two routes are equal.
/// @param a a route
/// @param b another one
/// @return true if peer, next hop and weight are
bool operator==(const BgpRibPath& a, const BgpRibPath& b);

/// @ingroup aidc
/// @brief What a peer has to be told.
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
    /// Constructor.
    /// @param settings the settings
    /// @param pool the sets of attributes, which speakers of one thread may share
    BgpRib(BgpRibSettings settings, std::shared_ptr<BgpAttributePool> pool);

    /// Add a peer, whose session is down.
    /// @param peer the peer
    /// @return its number, from 0 on
    uint32_t AddPeer(BgpRibPeer peer);

    /// @param peer its number
    /// @return the settings for a peer, and what its OPEN has said
    const BgpRibPeer& GetPeer(uint32_t peer) const
    {
        return m_peers[peer].peer;
    }

    /// The session with a peer has come up: it has to be told all routes.
    /// @param peer its number
    /// @param as its AS
    /// @param identifier its BGP identifier
    void SetUp(uint32_t peer, uint32_t as, uint32_t identifier);

    /// The session with a peer has gone down: all of its routes are gone. @param peer its number
    void SetDown(uint32_t peer);

    /// Tell a peer all routes again (RFC 2918), those that it has been told too.
    /// @param peer its number
    void Refresh(uint32_t peer);

    /// Set the bandwidth of the link to a peer.
    /// @param peer its number
    /// @param bytesPerSecond the bandwidth, not negative
    void SetLinkBandwidth(uint32_t peer, double bytesPerSecond);

    /// Take what an UPDATE of a peer changes.
    /// @param peer its number, whose session is up
    /// @param changes the changes
    /// @return false if the peer has announced more than its maximum: the session has to end with
    ///         cease 6/1
    bool Receive(uint32_t peer, const BgpRouteChanges& changes);

    /// Add a route of the speaker's own.
    /// @param prefix the route
    /// @param attributes its attributes; path bandwidth is attached when it is advertised
    void Originate(const BgpPrefix& prefix, BgpPathAttributes attributes = {});

    /// Remove a route of the speaker's own, if there is one. @param prefix the route
    void Withdraw(const BgpPrefix& prefix);

    /// Choose the routes of all prefixes that something has changed for.
    void Decide();

    /// Take the prefixes whose routes in use have changed since the last call, as weights or
    ///        otherwise.
    /// @return the prefixes, each once, in the order of their first change
    std::vector<BgpPrefix> TakeUsedChanges();

    /// @param peer its number
    /// @return whether a peer has to be told something: whether TakeChanges() has anything
    bool HasChanges(uint32_t peer) const
    {
        return m_peers[peer].out.HasPending();
    }

    /// Take what a peer has to be told, which counts as told then.
    /// @param peer its number
    /// @return the changes, in the order in which the prefixes first changed
    BgpPeerChanges TakeChanges(uint32_t peer);

    /// Get the routes to a prefix that are used.
    /// @param prefix the prefix
    /// @return the routes, the best one first; empty if there is none
    const std::vector<BgpRibPath>& GetPaths(const BgpPrefix& prefix) const;

    /// Get the attributes of the best route to a prefix.
    /// @param prefix the prefix
    /// @return the attributes behind the import policy, without next hop; null if there is no route
    BgpSharedAttributes GetBest(const BgpPrefix& prefix) const;

    /// @return the prefixes that there are routes to, in their order
    std::vector<BgpPrefix> GetPrefixes() const;

    /// @param peer its number
    /// @return the number of routes that have been taken from a peer
    uint32_t CountReceived(uint32_t peer) const
    {
        return m_peers[peer].nReceived;
    }

    /// @param peer its number
    /// @return the number of routes that a peer has been told
    uint32_t CountTold(uint32_t peer) const
    {
        return m_peers[peer].out.CountTold();
    }

    /// @return the bytes that the tables have, without sets of attributes
    std::size_t GetMemorySize() const;

  private:
    /// What is chosen for a prefix.
    struct Choice
    {
        bool isDirty{false};                       //!< something has changed since it was decided
        bool isUsedDirty{false};                   //!< TakeUsedChanges() has it
        uint32_t nTold{0};                         //!< peers that have been told of it
        std::vector<BgpRibPath> paths;             //!< those that are used, the best one first
        std::vector<BgpSharedAttributes> exported; //!< by group of peers; null: not advertised
    };

    /// A peer and what it has been told.
    struct Peer
    {
        BgpRibPeer peer;       //!< what it is
        uint32_t group{0};     //!< its group
        bool isUp{false};      //!< its session is up
        uint32_t nReceived{0}; //!< routes that have been taken
        BgpAdjRibOut out;      //!< what it has been told, by prefixes' numbers
    };

    /// Find the group of a peer, or add it.
    /// @param peer the peer
    /// @return its number
    uint32_t FindGroup(const BgpRibPeer& peer);

    /// Give a prefix's number back if nothing is known of it any more. @param number its number
    void ForgetIfUnused(uint32_t number);

    /// Note what has become of a route: count it, and have its prefix decided.
    /// @param number the prefix's number
    /// @param peer who the route is from
    /// @param change what has become of it
    void NoteChange(uint32_t number, uint32_t peer, BgpAdjRibsIn::Change change);

    /// Remove the route of a peer, if there is one.
    /// @param prefix the prefix
    /// @param peer the peer
    void Remove(const BgpPrefix& prefix, uint32_t peer);

    /// Have a prefix decided. @param number its number
    void MarkDirty(uint32_t number);

    /// Take routes that a peer announces.
    /// @param peer its number
    /// @param announcement the routes
    /// @return false if they are too many
    bool ReceiveAnnouncement(uint32_t peer, const BgpAnnouncement& announcement);

    /// Choose a prefix's routes.
    /// @param number the prefix's number
    /// @param [out] change what becomes of the bandwidths that are advertised again
    /// @return the routes that are used, the best one first
    std::vector<BgpRibPath> ChoosePaths(uint32_t number, BandwidthChange& change) const;

    /// Get what the peers of a group are told of a prefix.
    /// @param number the prefix's number, whose paths have been chosen
    /// @param change what becomes of the bandwidths
    /// @param group the group
    /// @return the attributes without next hop; null: nothing
    BgpSharedAttributes Export(uint32_t number,
                               const BandwidthChange& change,
                               const BgpExportGroup& group);

    /// Get what a peer ought to have been told of a prefix.
    /// @param number the prefix's number
    /// @param peer the peer
    /// @return the attributes without next hop; null: nothing
    const BgpSharedAttributes& GetWanted(uint32_t number, const Peer& peer) const;

    /// Compare what a peer has been told of a prefix with what it ought to, and note it.
    /// @param number the prefix's number
    /// @param peer the peer
    void Compare(uint32_t number, Peer& peer);

    BgpRibSettings m_settings;                //!< the settings
    std::shared_ptr<BgpAttributePool> m_pool; //!< sets of attributes
    std::vector<Peer> m_peers;                //!< by their numbers
    std::vector<BgpExportGroup> m_groups;     //!< of peers
    BgpAdjRibsIn m_received;                  //!< routes by prefix
    std::vector<Choice> m_choices;            //!< by prefixes' numbers
    std::vector<uint32_t> m_dirty;            //!< prefixes to be decided
    std::vector<uint32_t> m_usedDirty;        //!< prefixes whose routes in use have changed
};

} // namespace ns3::aidc

#endif // AIDC_BGP_RIB_H
