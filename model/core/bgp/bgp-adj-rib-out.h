/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ADJ_RIB_OUT_H
#define AIDC_BGP_ADJ_RIB_OUT_H

#include "bgp-path-attributes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The routes that were sent to a peer, and the prefixes with changes to be sent (RFC 4271,
 *        section 3.2: an Adj-RIB-Out).
 *
 * Prefixes have numbers here, from 0 on. Attributes are equal if they are the same object. Null
 * attributes mean that the peer has, or should have, no route.
 *
 * A route that appears and disappears between two UPDATEs is not sent. The memory for pending
 * prefixes is proportional to their number, however often they change.
 */
class BgpAdjRibOut
{
  public:
    /// Compare the route of a prefix that was sent with the wanted one. If they differ, the prefix
    /// is pending. wanted: the attributes that the peer should have.
    void Compare(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes);

    /// Remove the pending prefixes. The caller calls Tell() for each.
    /// @return the prefixes, in the order in which they first changed
    std::vector<uint32_t> TakePending();

    /// Note that a prefix is sent to the peer. @return the change of the number of prefixes
    /// that the peer has: 1, 0 or -1
    int Tell(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes);

    /// Mark all routes of the peer as stale, so that they are sent again.
    /// @return the prefixes of these routes, for which the caller calls Compare()
    std::vector<uint32_t> MakeStale();

    /// Tell whether the peer has a route to a prefix. @return whether one was sent
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

} // namespace ns3::aidc

#endif // AIDC_BGP_ADJ_RIB_OUT_H
