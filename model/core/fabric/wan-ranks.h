/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_RANKS_H
#define AIDC_WAN_RANKS_H

#include "fabric-elements.h"
#include "fabric-plan.h"
#include "wan-plan.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Distributes data centers and the routers of the WAN between them over the ranks of a
 *        parallel simulation.
 *
 * Up to as many ranks as data centers, a rank has consecutive whole data centers. With more ranks,
 * a data center has consecutive ranks of its own, and its nodes are distributed over these. PEs are
 * at the first rank of their data center, and so are the core routers that are the fewest links
 * away from them.
 */
class WanRanks
{
  public:
    /// @param plan the plan of the WAN
    /// @param nRanks the number of ranks, at least 1
    /// @throws std::invalid_argument if there are no ranks, or no data centers
    WanRanks(const WanPlan& plan, uint32_t nRanks);

    /// @return the number of all ranks
    uint32_t GetN() const
    {
        return m_nRanks;
    }

    /// @param site a data center @return its first rank
    uint32_t GetFirst(uint32_t site) const;

    /// @param site a data center @return the number of its ranks, at least 1
    uint32_t GetN(uint32_t site) const;

    /// Distribute the nodes of a data center over its ranks. @throws std::invalid_argument if it
    /// has more ranks than leaves
    void Assign(uint32_t site, FabricPlan& fabric) const;

    /// @param router a router of the WAN @return its rank
    uint32_t GetRank(NodeIndex router) const
    {
        return m_routers[router];
    }

  private:
    uint32_t m_nRanks;                            //!< the number of ranks
    uint32_t m_nSites;                            //!< the number of data centers
    IndexedVector<NodeIndex, uint32_t> m_routers; //!< the rank of each router
};

} // namespace ns3::aidc

#endif // AIDC_WAN_RANKS_H
