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
 * @ingroup aidc
 * @brief The routes that a peer has been sent, and the prefixes whose changes are still to be sent
 *        (RFC 4271, section 3.2: an Adj-RIB-Out).
 *
 * Prefixes have numbers here, from 0 on. Attributes are equal if they are the same object, and null
 * where the peer knows, or is to know, of no route.
 *
 * Nothing is sent of a route that comes and goes between two UPDATEs. Memory is proportional to the
 * pending prefixes, however often they change.
 */
class BgpAdjRibOut
{
  public:
    /// Compare what the peer has been told of a prefix with what it ought to, and note it.
    /// @param number the prefix
    /// @param wanted what the peer ought to have been told
    /// @param nPrefixes how many numbers there are
    void Compare(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes);

    /// Take the prefixes that the peer is to be told of. Tell() is called for each.
    /// @return the prefixes, in the order in which they first changed
    std::vector<uint32_t> TakePending();

    /// Tell the peer of a prefix.
    /// @param number the prefix
    /// @param wanted what it is told
    /// @param nPrefixes how many numbers there are
    /// @return how many prefixes more it knows of: 1, 0 or -1
    int Tell(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes);

    /// Mark all routes that the peer knows as stale, so that they are sent again.
    /// @return the prefixes that the peer knows of, which are to be compared
    std::vector<uint32_t> MakeStale();

    /// Say whether the peer knows of a prefix.
    /// @param number the prefix
    /// @return whether it has been told of a route to it
    bool IsTold(uint32_t number) const
    {
        return number < m_told.size() && m_told[number];
    }

    /// @return whether the peer is to be told of any prefix
    bool HasPending() const
    {
        return m_nPending > 0;
    }

    /// @return the number of prefixes that the peer has been told of
    uint32_t CountTold() const
    {
        return m_nTold;
    }

    /// @return the bytes that the tables have
    std::size_t GetMemorySize() const;

  private:
    std::vector<BgpSharedAttributes> m_told; //!< by number
    std::vector<bool> m_isPending;           //!< by number
    std::vector<uint32_t> m_pending;         //!< in the order of changes, some of them no longer
    uint32_t m_nTold{0};                     //!< prefixes that it has been told of
    uint32_t m_nPending{0};                  //!< prefixes that it is to be told of
};

} // namespace ns3::aidc

#endif // AIDC_BGP_ADJ_RIB_OUT_H
