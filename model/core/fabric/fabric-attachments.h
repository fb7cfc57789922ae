/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ATTACHMENTS_H
#define AIDC_FABRIC_ATTACHMENTS_H

#include "fabric-elements.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// Where the hosts of a FabricPlan are attached: at each leaf, and at each set of leaves that hosts
/// have links to.
class FabricAttachments
{
  public:
    /// Constructor of an empty list.
    FabricAttachments() = default;

    /// Constructor. nodes: the nodes of the plan; leaves: the leaves, by pod and index;
    /// hasSuperSpines: whether several leaves may be of one pod.
    FabricAttachments(const FabricNodes& nodes,
                      const FabricPorts& ports,
                      const std::vector<NodeIndex>& leaves,
                      const std::vector<NodeIndex>& hosts,
                      bool hasSuperSpines);

    /// @return the attachments, by pod and number
    const std::vector<FabricAttachment>& GetAll() const
    {
        return m_all;
    }

    /// @param node a host, or a leaf for the leaf alone @return the index of its attachment
    uint32_t Get(NodeIndex node) const
    {
        return m_of[node];
    }

  private:
    std::vector<FabricAttachment> m_all;     //!< by pod and number
    IndexedVector<NodeIndex, uint32_t> m_of; //!< of each leaf and host
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ATTACHMENTS_H
