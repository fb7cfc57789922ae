/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-tree.h"

#include <algorithm>

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
    const bool isNvls = m_settings.algorithm == CollectiveAlgorithm::NVLS;
    const uint32_t g = m_settings.nPerServer;
    const uint32_t stream = lane % m_settings.GetNStreams();
    const uint32_t head = isNvls ? stream % g : stream / 2 % g;
    const uint32_t tree = isNvls ? stream / g % 2 : stream % 2;
    const uint32_t server = member / g;
    const uint32_t inside = (member % g + g - head) % g; // its number from the head on
    Place place;
    if (inside > 0)
    {
        place.parent = server * g + (isNvls ? head : (head + inside - 1) % g);
        place.nInside = !isNvls && inside + 1 < g ? 1 : 0;
        return place;
    }
    const CollectiveDoubleTree trees(m_settings.GetNServers());
    const uint32_t parent = trees.GetParent(tree, server);
    if (parent != CollectiveDoubleTree::NONE)
    {
        place.parent = parent * g + head;
    }
    for (const uint32_t child : trees.GetChildren(tree, server))
    {
        if (child != CollectiveDoubleTree::NONE)
        {
            place.heads[place.nHeads] = child * g + head;
            ++place.nHeads;
        }
    }
    place.nInside = isNvls ? g - 1 : std::min(g - 1, 1U);
    return place;
}

uint32_t
CollectiveTree::GetChild(uint32_t member, const Place& place, uint32_t child) const
{
    if (child < place.nHeads)
    {
        return place.heads[child];
    }
    const uint32_t g = m_settings.nPerServer;
    return member / g * g + (member % g + 1 + child - place.nHeads) % g;
}

void
CollectiveTree::Send(CollectiveStep& step, uint32_t member, uint32_t to, uint32_t lane) const
{
    step.Send(to, m_settings.GetBlocks(lane, 1, 0));
    const uint32_t g = m_settings.nPerServer;
    if (m_settings.algorithm == CollectiveAlgorithm::NVLS && member / g == to / g)
    {
        const bool isHead = member % g == lane % m_settings.GetNStreams() % g;
        step.work = isHead ? SwitchWork::COPY : SwitchWork::REDUCE;
    }
}

uint32_t
CollectiveTree::GetNSteps(uint32_t member, uint32_t lane) const
{
    const Place place = GetPlace(member, lane);
    return 2 * (place.nHeads + place.nInside) + (place.parent == CollectiveStep::NONE ? 0 : 1);
}

CollectiveStep
CollectiveTree::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    // All children's data comes; the sum goes to the parent, which sends the result; it goes to all
    // children.
    const Place place = GetPlace(member, lane);
    const CollectivePart all = m_settings.GetBlocks(lane, 1, 0);
    const uint32_t nChildren = place.nHeads + place.nInside;
    CollectiveStep result;
    if (step < nChildren)
    {
        result.Receive(GetChild(member, place, step), all, true);
        return result;
    }
    step -= nChildren;
    if (place.parent != CollectiveStep::NONE)
    {
        if (step == 0)
        {
            Send(result, member, place.parent, lane);
            result.Receive(place.parent, all, false);
            return result;
        }
        --step;
    }
    Send(result, member, GetChild(member, place, step), lane);
    return result;
}

} // namespace ns3::aidc
