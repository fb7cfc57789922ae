/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_AS_PLAN_H
#define AIDC_FABRIC_AS_PLAN_H

#include "fabric-plan.h"

#include <cstdint>

namespace ns3::aidc
{

/// The first of the AS numbers of four octets for private use (RFC 6996, section 5).
inline constexpr uint32_t FIRST_PRIVATE_AS = 4200000000;
/// The last of them.
inline constexpr uint32_t LAST_PRIVATE_AS = 4294967294;
/// The AS of all hosts that speak BGP, which announce no routes: the last one of two octets for
/// private use.
inline constexpr uint32_t FABRIC_HOST_AS = 65534;

/**
 * @ingroup aidc
 * @brief The AS numbers of the switches of a FabricPlan (RFC 7938, section 5.2.1).
 *
 * All super-spines share an AS, the spines of a pod share one, and each leaf has its own. Without
 * super-spines, all spines share one. So a route passes at most one super-spine, and at most one
 * spine of each pod: BGP's loop detection rejects paths that go down and up again.
 *
 * Numbers ascend from the first one: the top tier's, those of the pods' spines, those of the leaves
 * in the order of FabricPlan::GetLeaves().
 */
class FabricAsPlan
{
  public:
    /// Constructor.
    /// @param fabric a finished fabric
    /// @param first the first AS number, from FIRST_PRIVATE_AS on; fabrics that are to be connected
    ///        have ranges of their own
    /// @throws std::invalid_argument if numbers would not be of four octets and for private use, or
    ///        if a link connects two switches of one AS, as in no Clos network
    explicit FabricAsPlan(const FabricPlan& fabric, uint32_t first = FIRST_PRIVATE_AS);

    /// @param node the switch or host
    /// @return its AS; FABRIC_HOST_AS of a host
    uint32_t GetAs(NodeIndex node) const
    {
        return m_numbers[node];
    }

  private:
    IndexedVector<NodeIndex, uint32_t> m_numbers; //!< by node
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_AS_PLAN_H
