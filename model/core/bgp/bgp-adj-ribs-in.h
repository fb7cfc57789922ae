/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ADJ_RIBS_IN_H
#define AIDC_BGP_ADJ_RIBS_IN_H

#include "bgp-path-attributes.h"
#include "bgp-prefix.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::aidc
{

/// Instead of a peer's number: the speaker itself.
constexpr uint32_t BGP_NO_PEER = 0xffffffff;

/// A route that a peer or the speaker itself has announced.
struct BgpReceivedRoute
{
    BgpSharedAttributes attributes; //!< after the import policy, without next hop
    uint32_t nextHop;               //!< host byte order
    uint32_t peer;                  //!< the peer that has sent it; BGP_NO_PEER: the speaker's own
};

/**
 * @brief The routes that peers have announced, and the speaker's own ones, by prefix (RFC 4271,
 *        section 3.2: the Adj-RIBs-In).
 *
 * It gives each prefix a number, from 0 on, which other tables use until Forget().
 */
class BgpAdjRibsIn
{
  public:
    /// The effect of a change.
    enum class Change
    {
        NONE,     //!< nothing has changed
        REPLACED, //!< another route of the peer has replaced its former one
        ADDED,    //!< the peer had none, and now has one
        REMOVED   //!< the peer had one, and now has none
    };

    /// Find a prefix, or add it.
    uint32_t FindOrAdd(const BgpPrefix& prefix);

    /// @return its number, if it has one
    std::optional<uint32_t> Find(const BgpPrefix& prefix) const;

    /// Free the number of a prefix, if it has no routes. @return whether it was freed
    bool Forget(uint32_t number);

    /// Set or replace a route. number: the prefix's number. @return what has changed
    Change Set(uint32_t number, BgpReceivedRoute route);

    /// Remove the route of a peer, if there is one. number: the prefix's number. @return what has
    /// changed
    Change Remove(uint32_t number, uint32_t peer);

    /// Get a peer's route to a prefix. @return the route, null if there is none
    const BgpReceivedRoute* FindRoute(uint32_t number, uint32_t peer) const;

    /// @param number a prefix's number
    /// @return its routes, by their peers; the speaker's own is the last one
    const std::vector<BgpReceivedRoute>& GetRoutes(uint32_t number) const
    {
        return m_entries[number].routes;
    }

    /// @return the prefix
    const BgpPrefix& GetPrefix(uint32_t number) const
    {
        return m_entries[number].prefix;
    }

    /// @return all prefixes that have numbers, in no order
    std::vector<uint32_t> GetNumbers() const;

    /// @return the number of all numbers, in use or not
    std::size_t GetSize() const
    {
        return m_entries.size();
    }

    /// @return the bytes that the tables have, without sets of attributes
    std::size_t GetMemorySize() const;

  private:
    /// A prefix and its routes.
    struct Entry
    {
        BgpPrefix prefix;                     //!< the prefix
        std::vector<BgpReceivedRoute> routes; //!< by peer; the speaker's own is the last one
    };

    /// Hashes prefixes.
    struct PrefixHash
    {
        /// @return the hash
        std::size_t operator()(const BgpPrefix& prefix) const;
    };

    std::vector<Entry> m_entries;                                  //!< by number
    std::vector<uint32_t> m_free;                                  //!< numbers that no prefix has
    std::unordered_map<BgpPrefix, uint32_t, PrefixHash> m_numbers; //!< of prefixes
};

} // namespace ns3::aidc

#endif // AIDC_BGP_ADJ_RIBS_IN_H
