// SPDX-License-Identifier: GPL-2.0-only

#include "graph-fabric.h"

#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// The switches that each node has links to; none for hosts.
using Peers = IndexedVector<NodeIndex, std::vector<NodeIndex>>;

/// Get each switch's distance from the nearest leaf. peers: switches by node, none for hosts.
IndexedVector<NodeIndex, uint32_t>
GetHeights(const Peers& peers, const IndexedVector<NodeIndex, char>& isLeaf)
{
    IndexedVector<NodeIndex, uint32_t> heights(peers.size(), UINT32_MAX);
    std::vector<NodeIndex> queue;
    for (NodeIndex node; node < peers.GetEnd(); ++node)
    {
        if (isLeaf[node])
        {
            heights[node] = 0;
            queue.push_back(node);
        }
    }
    for (size_t i = 0; i < queue.size(); ++i)
    {
        const uint32_t height = heights[queue[i]] + 1;
        for (const NodeIndex peer : peers[queue[i]])
        {
            if (heights[peer] == UINT32_MAX)
            {
                heights[peer] = height;
                queue.push_back(peer);
            }
        }
    }
    return heights;
}

/// Number what is connected without super-spines. peers: switches by node, none for hosts.
IndexedVector<NodeIndex, uint32_t>
GetPods(const Peers& peers, const IndexedVector<NodeIndex, uint32_t>& heights)
{
    IndexedVector<NodeIndex, uint32_t> pods(peers.size(), NO_POD);
    uint32_t nPods = 0;
    std::vector<NodeIndex> stack;
    for (NodeIndex leaf; leaf < peers.GetEnd(); ++leaf)
    {
        if (heights[leaf] != 0 || pods[leaf] != NO_POD)
        {
            continue;
        }
        pods[leaf] = nPods;
        stack.push_back(leaf);
        while (!stack.empty())
        {
            const NodeIndex node = stack.back();
            stack.pop_back();
            for (const NodeIndex peer : peers[node])
            {
                if (heights[peer] <= 1 && pods[peer] == NO_POD)
                {
                    pods[peer] = nPods;
                    stack.push_back(peer);
                }
            }
        }
        ++nPods;
    }
    return pods;
}

} // namespace

FabricPlan
MakeFabric(const std::string& name,
           uint32_t nNodes,
           const std::vector<NodeIndex>& switches,
           const FabricLinks& links)
{
    const NodeIndex end(nNodes);
    IndexedVector<NodeIndex, char> isSwitch(nNodes);
    for (const NodeIndex node : switches)
    {
        if (!(node < end) || isSwitch[node])
        {
            throw std::invalid_argument("expected different switches below " +
                                        std::to_string(nNodes) + ", found " +
                                        std::to_string(node.value));
        }
        isSwitch[node] = true;
    }
    IndexedVector<NodeIndex, char> isLeaf(nNodes);
    Peers peers(nNodes);
    for (const auto& link : links)
    {
        if (!(link.a < end && link.b < end))
        {
            continue; // AddLink() refuses it
        }
        if (isSwitch[link.a] && isSwitch[link.b])
        {
            peers[link.a].push_back(link.b);
            peers[link.b].push_back(link.a);
        }
        else if (isSwitch[link.a] || isSwitch[link.b])
        {
            isLeaf[isSwitch[link.a] ? link.a : link.b] = true;
        }
    }
    const auto heights = GetHeights(peers, isLeaf);
    const auto pods = GetPods(peers, heights);
    bool hasSuperSpines = false;
    for (NodeIndex node; node < end; ++node)
    {
        hasSuperSpines |= isSwitch[node] && heights[node] > 1;
    }

    FabricPlan fabric(name);
    uint32_t nHosts = 0;
    uint32_t nTop = 0;
    uint32_t nLeaves = 0;
    std::vector<uint32_t> nPodLeaves(nNodes);
    std::vector<uint32_t> nPodSpines(nNodes);
    for (NodeIndex node; node < end; ++node)
    {
        if (!isSwitch[node])
        {
            fabric.AddNode(FabricTier::HOST, NO_POD, nHosts++);
        }
        else if (heights[node] > 1)
        {
            fabric.AddNode(FabricTier::SUPER_SPINE, NO_POD, nTop++);
        }
        else if (heights[node] == 1)
        {
            const uint32_t pod = hasSuperSpines ? pods[node] : NO_POD;
            fabric.AddNode(FabricTier::SPINE, pod, hasSuperSpines ? nPodSpines[pod]++ : nTop++);
        }
        else if (hasSuperSpines)
        {
            fabric.AddNode(FabricTier::LEAF, pods[node], nPodLeaves[pods[node]]++);
        }
        else
        {
            fabric.AddNode(FabricTier::LEAF, nLeaves, nLeaves);
            ++nLeaves;
        }
    }
    for (const auto& link : links)
    {
        fabric.AddLink(link.a, link.b, link.rate, link.delay, link.errorRate, link.line);
    }
    fabric.Finish();
    return fabric;
}

FabricPlan
CopyFabric(const FabricPlan& fabric, const FabricLinks& links)
{
    FabricPlan copy(fabric.GetName());
    for (NodeIndex id; id < NodeIndex(fabric.GetNNodes()); ++id)
    {
        const FabricNode& node = fabric.GetNode(id);
        copy.AddNode(node.tier, node.pod, node.index);
    }
    for (const FabricLink& link : links)
    {
        copy.AddLink(link.a, link.b, link.rate, link.delay, link.errorRate);
    }
    copy.Finish();
    return copy;
}

} // namespace ns3::aidc
