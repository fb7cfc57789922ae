/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_GROUP_H
#define AIDC_FLOW_SET_GROUP_H

#include "../core/flow-set/flow-set-table.h"

#include "ns3/next-hop-group.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The flow sets of a group of next hops.
 *
 * If several next hops are reached over one port, a flow set keeps its next hop, not only its
 * egress port: the candidates of FlowSetSwitching are the members of the group. Their order never
 * changes.
 *
 * If members have different weights, as those of path bandwidth, a member is several candidates, by
 * its weight. So weights decide between ports that are equally good.
 */
class FlowSetGroup : public NextHopGroupState
{
  public:
    /// Constructor
    /// @param size the number of flow sets, which is rounded up to a power of two
    /// @param ageingTime the silence after which a flow set gives up its entry, in ns
    /// @param groups the list of all groups, to which this one is added; it outlives this
    FlowSetGroup(uint32_t size, int64_t ageingTime, std::vector<FlowSetGroup*>& groups);
    ~FlowSetGroup() override;

    FlowSetGroup(const FlowSetGroup&) = delete;
    FlowSetGroup& operator=(const FlowSetGroup&) = delete;

    /// Update the members that can be used. @param group the group
    void Update(const NextHopGroup& group);

    FlowSetTable table;            //!< the egress ports of flow sets
    std::vector<uint32_t> ports;   //!< the interfaces of the candidates; NONE for unusable ones
    std::vector<uint32_t> members; //!< the members of the group that the candidates are

  private:
    std::vector<FlowSetGroup*>& m_groups; //!< all groups
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_GROUP_H
