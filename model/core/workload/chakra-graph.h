/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_GRAPH_H
#define AIDC_CHAKRA_GRAPH_H

#include "chakra-trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The nodes of a rank's trace in the order of their ids, and what they wait for.
class ChakraGraph
{
  public:
    /// @param rank the rank
    /// @param trace its trace, which outlives the graph
    /// @param waitsForControl whether nodes wait for their control dependencies too
    /// @throws ChakraError if two nodes have an id, a node depends on one that there is not, or
    ///         nodes depend on each other in a circle
    ChakraGraph(uint32_t rank, const ChakraTrace& trace, bool waitsForControl);

    /// @return the nodes
    const std::vector<const ChakraNode*>& GetNodes() const
    {
        return m_nodes;
    }

    /// @return by node, the numbers of those that it waits for, each once
    const std::vector<std::vector<uint32_t>>& GetAfter() const
    {
        return m_after;
    }

    /// @return how many control dependencies are on nodes that there are not; they are left out, as
    ///         converters of traces leave out nodes of the host that take no time
    std::size_t GetNMissing() const
    {
        return m_nMissing;
    }

    /// Put some nodes into an order in which each one comes after those that it waits for, also
    /// by way of other nodes. Where this leaves a choice, the lowest id comes first.
    /// @param isWanted by node, whether it is one of them
    /// @return their numbers in order
    std::vector<uint32_t> Sort(const std::vector<bool>& isWanted) const;

  private:
    /// node: the node that depends on them; isControl: whether nodes that there are not are left
    /// out; after: where their numbers are added.
    void Find(const std::vector<uint64_t>& ids,
              const ChakraNode& node,
              bool isControl,
              std::vector<uint32_t>& after);

    /// Check that no node waits for itself.
    void CheckOrder() const;

    uint32_t m_rank;                            //!< the rank
    std::vector<const ChakraNode*> m_nodes;     //!< the nodes by id
    std::vector<std::vector<uint32_t>> m_after; //!< by node, those that it waits for
    std::size_t m_nMissing{0};                  //!< dependencies that are left out
};

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_GRAPH_H
