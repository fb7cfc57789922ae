/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_TREE_H
#define AIDC_COLLECTIVE_TREE_H

#include "collective-schedule-settings.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief NCCL's double binary tree: two trees of the same nodes, so that a node that is inside of
 * one tree is a leaf of the other one (P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for
 * full bandwidth broadcast, reduction and scan", Parallel Computing, 2009; rules of
 *        src/graph/trees.cc of NCCL).
 *
 * In the first tree, 0 is the root, and its only child is the largest power of two below the number
 * of nodes. Any other node, with the lowest bit b set, has the parent (r xor b) or 2b, or r xor b
 * if there is no such node, and the children r - b / 2 and r + b / 2, whose distance is halved
 * until there is such a node. The second tree is the mirror image if the number of nodes is even,
 * and is shifted by one node otherwise: then node 0 has children in both.
 */
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
    uint32_t GetParent(uint32_t tree, uint32_t node) const;

    /// tree: 0 for the first tree, 1 for the second one. @return its children; NONE for those that
    /// it has not, which stand last
    std::array<uint32_t, 2> GetChildren(uint32_t tree, uint32_t node) const;

  private:
    /// Convert between the nodes of a tree and those of the first tree.
    uint32_t Convert(uint32_t tree, uint32_t node, bool isBack) const;

    uint32_t m_nNodes; //!< the number of nodes
};

/**
 * @brief The steps of an all-reduce by the double tree, or with NVLS.
 *
 * Half of the data goes up and down each tree. The nodes of the trees are servers. In channel k,
 * the member k mod g of each server is its head, which meets the heads of the other servers; the
 * other members form a chain below it. If a server is one member, the nodes are the members.
 *
 * With NVLS, each member of a server is the head of an equal part of each channel. Even channels
 * take the first tree, odd ones the second one. All other members are the children of the head, but
 * the switch of the server adds up what they send, and copies what they get: the head's ingress
 * carries a sum, and its egress a result, once.
 */
class CollectiveTree
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveTree(const CollectiveScheduleSettings& settings)
        : m_settings(settings)
    {
    }

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const;

  private:
    /// A member's neighbors.
    struct Place
    {
        uint32_t parent{CollectiveStep::NONE}; //!< the parent, if it has one
        std::array<uint32_t, 2> heads{};       //!< children that are heads of other servers
        uint32_t nHeads{0};                    //!< how many there are
        uint32_t nInside{0}; //!< how many children of its server it has, the next members
    };

    /// lane: a lane, which goes by one tree of a channel. @return its neighbors
    Place GetPlace(uint32_t member, uint32_t lane) const;

    /// @return a child of a member at a place
    uint32_t GetChild(uint32_t member, const Place& place, uint32_t child) const;

    /// Fill in what a member sends to another one: all that the lane carries.
    void Send(CollectiveStep& step, uint32_t member, uint32_t to, uint32_t lane) const;

    const CollectiveScheduleSettings& m_settings; //!< the collective
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_TREE_H
