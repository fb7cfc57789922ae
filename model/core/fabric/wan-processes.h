/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_PROCESSES_H
#define AIDC_WAN_PROCESSES_H

#include "fabric-elements.h"
#include "fabric-plan.h"
#include "wan-plan.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Distributes data centers and the routers of the WAN between them over the processes of a
 *        parallel simulation.
 *
 * Up to as many processes as data centers, a process has consecutive whole data centers. With more
 * processes, a data center has consecutive processes of its own, and its nodes are distributed over
 * these. PEs are in the first process of their data center, and so are the core routers that are
 * the fewest links away from them.
 */
class WanProcesses
{
  public:
    /// @param plan the plan of the WAN
    /// @param nProcesses the number of processes, at least 1
    /// @throws std::invalid_argument if there are no processes, or no data centers
    WanProcesses(const WanPlan& plan, uint32_t nProcesses);

    /// @return the number of all processes
    uint32_t GetN() const
    {
        return m_nProcesses;
    }

    /// @param site a data center @return its first process
    uint32_t GetFirst(uint32_t site) const;

    /// @param site a data center @return the number of its processes, at least 1
    uint32_t GetN(uint32_t site) const;

    /// Distribute the nodes of a data center over its processes. @throws std::invalid_argument if
    /// it has more processes than leaves
    void Assign(uint32_t site, FabricPlan& fabric) const;

    /// @param router a router of the WAN @return its process
    uint32_t GetProcess(NodeIndex router) const
    {
        return m_routers[router];
    }

  private:
    uint32_t m_nProcesses;                        //!< the number of processes
    uint32_t m_nSites;                            //!< the number of data centers
    IndexedVector<NodeIndex, uint32_t> m_routers; //!< the process of each router
};

} // namespace ns3::aidc

#endif // AIDC_WAN_PROCESSES_H
