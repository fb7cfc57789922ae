// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_COLLECTIVE_TREE_H
#define AIDC_COLLECTIVE_TREE_H

#include "collective-schedule-settings.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/// NCCL's double binary tree: two trees of the same nodes, so that a node that is inside of
/// one tree is a leaf of the other one (P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for
/// full bandwidth broadcast, reduction and scan", Parallel Computing, 2009; rules of
///        src/graph/trees.cc of NCCL).
///
/// In the first tree, 0 is the root, and its only child is the largest power of two below the
/// number of nodes. Any other node, with the lowest bit b set, has the parent (r xor b) or 2b, or r
/// xor b if there is no such node, and the children r - b / 2 and r + b / 2, whose distance is
/// halved until there is such a node. The second tree is the mirror image if the number of nodes is
/// even, and is shifted by one node otherwise: then node 0 has children in both.
class CollectiveDoubleTree
{
  public:
    /// No node.
    static constexpr uint32_t NONE = CollectiveStep::NONE;

    /// @param nNodes the number of nodes, at least 1
    explicit CollectiveDoubleTree(uint32_t nNodes)
        : m_nNodes(nNodes)
    {
    }

    /// tree: 0 for the first tree, 1 for the second one. @return its parent, or NONE for the root
    uint32_t GetParent(uint32_t tree, uint32_t node) const
    {
        const uint32_t r = Convert(tree, node, false);
        if (r == 0)
        {
            return NONE;
        }
        const uint32_t bit = r & (~r + 1);
        const uint32_t parent = (r ^ bit) | (bit << 1);
        return Convert(tree, parent < m_nNodes ? parent : r ^ bit, true);
    }

    /// tree: 0 for the first tree, 1 for the second one. @return its children; NONE for the
    /// children that it lacks, which stand last
    std::array<uint32_t, 2> GetChildren(uint32_t tree, uint32_t node) const
    {
        const uint32_t r = Convert(tree, node, false);
        if (r == 0)
        {
            uint32_t child = 1;
            while (2 * child < m_nNodes)
            {
                child *= 2;
            }
            return {Convert(tree, child < m_nNodes ? child : NONE, true), NONE};
        }
        uint32_t distance = (r & (~r + 1)) / 2;
        if (distance == 0)
        {
            return {NONE, NONE};
        }
        const uint32_t lower = r - distance;
        while (distance > 0 && r + distance >= m_nNodes)
        {
            distance /= 2;
        }
        return {Convert(tree, lower, true),
                Convert(tree, distance > 0 ? r + distance : NONE, true)};
    }

  private:
    /// Convert between the nodes of a tree and the nodes of the first tree.
    uint32_t Convert(uint32_t tree, uint32_t node, bool isBack) const
    {
        if (tree == 0 || node == NONE)
        {
            return node;
        }
        return m_nNodes % 2 == 0 ? m_nNodes - 1 - node
                                 : (node + (isBack ? 1 : m_nNodes - 1)) % m_nNodes;
    }

    uint32_t m_nNodes; //!< the number of nodes
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_TREE_H
