/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-tree.h"

namespace ns3::aidc
{

uint32_t
CollectiveDoubleTree::Convert(uint32_t tree, uint32_t node, bool isBack) const
{
    if (tree == 0 || node == NONE)
    {
        return node;
    }
    if (m_nNodes % 2 == 0)
    {
        return m_nNodes - 1 - node;
    }
    return (node + (isBack ? 1 : m_nNodes - 1)) % m_nNodes;
}

uint32_t
CollectiveDoubleTree::GetParent(uint32_t tree, uint32_t node) const
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

std::array<uint32_t, 2>
CollectiveDoubleTree::GetChildren(uint32_t tree, uint32_t node) const
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
    return {Convert(tree, lower, true), Convert(tree, distance > 0 ? r + distance : NONE, true)};
}

CollectiveTree::Place
CollectiveTree::GetPlace(uint32_t member, uint32_t lane) const
{
    const uint32_t g = m_settings.nPerServer;
    const uint32_t stream = lane % m_settings.GetNStreams();
    const uint32_t head = stream / 2 % g;
    const uint32_t server = member / g;
    const uint32_t inside = (member % g + g - head) % g; // its number in the chain
    Place place;
    const auto addChild = [&place](uint32_t child) {
        place.children[place.nChildren] = child;
        ++place.nChildren;
    };
    if (inside > 0)
    {
        place.parent = server * g + (head + inside - 1) % g;
    }
    else
    {
        const CollectiveDoubleTree trees(m_settings.GetNServers());
        const uint32_t parent = trees.GetParent(stream % 2, server);
        if (parent != CollectiveDoubleTree::NONE)
        {
            place.parent = parent * g + head;
        }
        for (const uint32_t child : trees.GetChildren(stream % 2, server))
        {
            if (child != CollectiveDoubleTree::NONE)
            {
                addChild(child * g + head);
            }
        }
    }
    if (inside + 1 < g)
    {
        addChild(server * g + (head + inside + 1) % g);
    }
    return place;
}

uint32_t
CollectiveTree::GetNSteps(uint32_t member, uint32_t lane) const
{
    const Place place = GetPlace(member, lane);
    return 2 * place.nChildren + (place.parent == CollectiveStep::NONE ? 0 : 1);
}

CollectiveStep
CollectiveTree::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    // All children's data comes; the sum goes to the parent, which sends the result; it goes to all
    // children.
    const Place place = GetPlace(member, lane);
    const CollectivePart all = m_settings.GetBlocks(lane, 1, 0);
    CollectiveStep result;
    if (step < place.nChildren)
    {
        result.Receive(place.children[step], all, true);
        return result;
    }
    step -= place.nChildren;
    if (place.parent != CollectiveStep::NONE)
    {
        if (step == 0)
        {
            result.Send(place.parent, all);
            result.Receive(place.parent, all, false);
            return result;
        }
        --step;
    }
    result.Send(place.children[step], all);
    return result;
}

} // namespace ns3::aidc
