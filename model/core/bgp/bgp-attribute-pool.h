/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ATTRIBUTE_POOL_H
#define AIDC_BGP_ATTRIBUTE_POOL_H

#include "bgp-path-attributes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

/// @file
/// Sets of attributes, each of which is in memory once.

namespace ns3::aidc
{

/**
 * @brief Keeps sets of attributes, so that routes of equal ones share one object.
 *
 * Of objects of one pool, two are equal if and only if they are the same. Those that no route has
 * any longer are given back when there are twice as many as after the last time.
 *
 * Speakers may share a pool as long as they run in one thread: in a Clos network, all leaves of a
 * pod have the same routes but for the next hops, which are not part of the shared attributes.
 */
class BgpAttributePool
{
  public:
    /// Get the shared object of a set of attributes. @return the object
    BgpSharedAttributes Intern(BgpPathAttributes attributes);

    /// Give back what no route has.
    void Sweep();

    /// @return the number of objects, be they in use or not
    std::size_t GetSize() const
    {
        return m_objects.size();
    }

  private:
    /// The number of objects that are not swept for.
    static constexpr std::size_t MIN_SWEEP = 64;

    std::unordered_multimap<uint64_t, BgpSharedAttributes> m_objects; //!< by hash
    std::size_t m_nextSweep{MIN_SWEEP};                               //!< objects to sweep at
};

} // namespace ns3::aidc

#endif // AIDC_BGP_ATTRIBUTE_POOL_H
