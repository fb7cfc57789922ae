/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clos-fabric.h"

#include <cmath>
#include <initializer_list>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

constexpr uint64_t MAX_HOSTS = 1U << 24;    ///< what addresses can number
constexpr uint64_t MAX_SWITCHES = 1U << 20; ///< what addresses can number
constexpr uint64_t MAX_LINKS = 1U << 26;    ///< what is left after a slip of the pen
constexpr double MAX_RATE = 1e15;           ///< bit/s of a derived rate

/**
 * @brief Check an option that counts something.
 * @param name its name
 * @param value its value
 * @throws std::invalid_argument if it is 0
 */
void
CheckCount(const char* name, uint32_t value)
{
    if (value == 0)
    {
        throw std::invalid_argument(std::string("expected ") + name + " of at least 1, found 0");
    }
}

/**
 * @brief Check a product of options, each at least 1.
 * @param name what the product counts
 * @param factors the options
 * @param limit the largest product
 * @throws std::invalid_argument if it is larger
 */
void
CheckProduct(const char* name, std::initializer_list<uint64_t> factors, uint64_t limit)
{
    uint64_t product = 1;
    for (const uint64_t factor : factors)
    {
        if (factor > limit / product)
        {
            throw std::invalid_argument("expected at most " + std::to_string(limit) + " " + name +
                                        ", found more");
        }
        product *= factor;
    }
}

/**
 * @brief Get the rate of the uplinks of a switch.
 * @param name the name of the option
 * @param ratio the over-subscription, or 0
 * @param given the rate without an over-subscription, in bit/s
 * @param nDownlinks the number of links below the switch, at least 1
 * @param downlinkRate the rate of each in bit/s
 * @param nUplinks the number of links above the switch, at least 1
 * @return the rate of each in bit/s
 * @throws std::invalid_argument if the ratio is negative or gives no rate
 */
uint64_t
GetUplinkRate(const char* name,
              double ratio,
              uint64_t given,
              uint64_t nDownlinks,
              uint64_t downlinkRate,
              uint64_t nUplinks)
{
    if (ratio == 0)
    {
        return given;
    }
    const double rate = static_cast<double>(nDownlinks) * static_cast<double>(downlinkRate) /
                        (static_cast<double>(nUplinks) * ratio);
    if (!(ratio > 0 && rate >= 1 && rate <= MAX_RATE))
    {
        throw std::invalid_argument(std::string("expected ") + name +
                                    " of 0 or a ratio that gives uplinks 1 bit/s to 1 Pbit/s, "
                                    "found " +
                                    std::to_string(ratio));
    }
    return static_cast<uint64_t>(std::llround(rate));
}

/**
 * @brief Get the distance of all switches from the nearest leaf.
 * @param peers the switches that each node has links to; none for hosts
 * @param isLeaf whether a node is a leaf
 * @return the number of links, of hosts and unreachable switches UINT32_MAX
 */
std::vector<uint32_t>
GetHeights(const std::vector<std::vector<uint32_t>>& peers, const std::vector<bool>& isLeaf)
{
    std::vector<uint32_t> heights(peers.size(), UINT32_MAX);
    std::vector<uint32_t> queue;
    for (uint32_t node = 0; node < peers.size(); ++node)
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
        for (const uint32_t peer : peers[queue[i]])
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

/**
 * @brief Number what is connected without super-spines.
 * @param peers the switches that each node has links to; none for hosts
 * @param heights the distances of switches from the nearest leaf
 * @return the pod of each leaf and spine, NO_POD for all other nodes
 */
std::vector<uint32_t>
GetPods(const std::vector<std::vector<uint32_t>>& peers, const std::vector<uint32_t>& heights)
{
    std::vector<uint32_t> pods(peers.size(), NO_POD);
    uint32_t nPods = 0;
    std::vector<uint32_t> stack;
    for (uint32_t leaf = 0; leaf < peers.size(); ++leaf)
    {
        if (heights[leaf] != 0 || pods[leaf] != NO_POD)
        {
            continue;
        }
        pods[leaf] = nPods;
        stack.push_back(leaf);
        while (!stack.empty())
        {
            const uint32_t node = stack.back();
            stack.pop_back();
            for (const uint32_t peer : peers[node])
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

Fabric
MakeLeafSpine(const LeafSpineOptions& options)
{
    CheckCount("leaves", options.leaves);
    CheckCount("spines", options.spines);
    CheckCount("hostsPerLeaf", options.hostsPerLeaf);
    CheckCount("parallelLinks", options.parallelLinks);
    CheckProduct("hosts", {options.leaves, options.hostsPerLeaf}, MAX_HOSTS);
    CheckProduct("leaves", {options.leaves}, MAX_SWITCHES);
    CheckProduct("spines", {options.spines}, MAX_SWITCHES);
    CheckProduct("links", {options.leaves, options.spines, options.parallelLinks}, MAX_LINKS);
    const uint64_t nUplinks = uint64_t{options.spines} * options.parallelLinks;
    const uint64_t uplinkRate = GetUplinkRate("overSubscription",
                                              options.overSubscription,
                                              options.leafSpineRate,
                                              options.hostsPerLeaf,
                                              options.hostRate,
                                              nUplinks);

    Fabric fabric("leaf-spine");
    const uint32_t nHosts = options.leaves * options.hostsPerLeaf;
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddNode(FabricTier::HOST, i / options.hostsPerLeaf, i);
    }
    for (uint32_t i = 0; i < options.leaves; ++i)
    {
        fabric.AddNode(FabricTier::LEAF, i, i);
    }
    for (uint32_t i = 0; i < options.spines; ++i)
    {
        fabric.AddNode(FabricTier::SPINE, NO_POD, i);
    }
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddLink(i, nHosts + i / options.hostsPerLeaf, options.hostRate, options.hostDelay);
    }
    for (uint32_t leaf = 0; leaf < options.leaves; ++leaf)
    {
        for (uint32_t i = 0; i < nUplinks; ++i)
        {
            const uint32_t spine = i / options.parallelLinks;
            fabric.AddLink(nHosts + leaf,
                           nHosts + options.leaves + spine,
                           uplinkRate,
                           options.leafSpineDelay);
        }
    }
    fabric.Finish();
    return fabric;
}

Fabric
MakeClos5(const ClosOptions& options)
{
    CheckCount("pods", options.pods);
    CheckCount("leavesPerPod", options.leavesPerPod);
    CheckCount("hostsPerLeaf", options.hostsPerLeaf);
    CheckCount("spinesPerPod", options.spinesPerPod);
    CheckCount("superSpinesPerPlane", options.superSpinesPerPlane);
    CheckCount("parallelLinks", options.parallelLinks);
    CheckProduct("hosts", {options.pods, options.leavesPerPod, options.hostsPerLeaf}, MAX_HOSTS);
    CheckProduct("leaves", {options.pods, options.leavesPerPod}, MAX_SWITCHES);
    CheckProduct("spines", {options.pods, options.spinesPerPod}, MAX_SWITCHES);
    CheckProduct("super-spines", {options.spinesPerPod, options.superSpinesPerPlane}, MAX_SWITCHES);
    CheckProduct("links of leaves and spines",
                 {options.pods, options.leavesPerPod, options.spinesPerPod, options.parallelLinks},
                 MAX_LINKS);
    CheckProduct("links of spines and super-spines",
                 {options.pods, options.spinesPerPod, options.superSpinesPerPlane},
                 MAX_LINKS);
    const uint64_t nLeafUplinks = uint64_t{options.spinesPerPod} * options.parallelLinks;
    const uint64_t leafUplinkRate = GetUplinkRate("leafOverSubscription",
                                                  options.leafOverSubscription,
                                                  options.leafSpineRate,
                                                  options.hostsPerLeaf,
                                                  options.hostRate,
                                                  nLeafUplinks);
    const uint64_t spineUplinkRate =
        GetUplinkRate("spineOverSubscription",
                      options.spineOverSubscription,
                      options.spineSuperSpineRate,
                      uint64_t{options.leavesPerPod} * options.parallelLinks,
                      leafUplinkRate,
                      options.superSpinesPerPlane);

    Fabric fabric("clos");
    const uint32_t nLeaves = options.pods * options.leavesPerPod;
    const uint32_t nHosts = nLeaves * options.hostsPerLeaf;
    const uint32_t nSpines = options.pods * options.spinesPerPod;
    const uint32_t nSuperSpines = options.spinesPerPod * options.superSpinesPerPlane;
    const uint32_t firstSpine = nHosts + nLeaves;
    const uint32_t firstSuperSpine = firstSpine + nSpines;
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddNode(FabricTier::HOST, i / options.hostsPerLeaf / options.leavesPerPod, i);
    }
    for (uint32_t i = 0; i < nLeaves; ++i)
    {
        fabric.AddNode(FabricTier::LEAF, i / options.leavesPerPod, i % options.leavesPerPod);
    }
    for (uint32_t i = 0; i < nSpines; ++i)
    {
        fabric.AddNode(FabricTier::SPINE, i / options.spinesPerPod, i % options.spinesPerPod);
    }
    for (uint32_t i = 0; i < nSuperSpines; ++i)
    {
        fabric.AddNode(FabricTier::SUPER_SPINE, NO_POD, i);
    }
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddLink(i, nHosts + i / options.hostsPerLeaf, options.hostRate, options.hostDelay);
    }
    for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
    {
        const uint32_t spines = firstSpine + leaf / options.leavesPerPod * options.spinesPerPod;
        for (uint32_t i = 0; i < nLeafUplinks; ++i)
        {
            fabric.AddLink(nHosts + leaf,
                           spines + i / options.parallelLinks,
                           leafUplinkRate,
                           options.leafSpineDelay);
        }
    }
    for (uint32_t spine = 0; spine < nSpines; ++spine)
    {
        const uint32_t plane = spine % options.spinesPerPod;
        for (uint32_t i = 0; i < options.superSpinesPerPlane; ++i)
        {
            fabric.AddLink(firstSpine + spine,
                           firstSuperSpine + plane * options.superSpinesPerPlane + i,
                           spineUplinkRate,
                           options.spineSuperSpineDelay);
        }
    }
    fabric.Finish();
    return fabric;
}

Fabric
MakeFatTree(uint32_t k, uint64_t rate, int64_t delay)
{
    if (k < 2 || k > 128 || k % 2 != 0)
    {
        throw std::invalid_argument("expected an even k from 2 to 128, found " + std::to_string(k));
    }
    ClosOptions options;
    options.pods = k;
    options.leavesPerPod = k / 2;
    options.hostsPerLeaf = k / 2;
    options.spinesPerPod = k / 2;
    options.superSpinesPerPlane = k / 2;
    options.hostRate = rate;
    options.leafSpineRate = rate;
    options.spineSuperSpineRate = rate;
    options.hostDelay = delay;
    options.leafSpineDelay = delay;
    options.spineSuperSpineDelay = delay;
    return MakeClos5(options);
}

Fabric
MakeFabric(const std::string& name,
           uint32_t nNodes,
           const std::vector<uint32_t>& switches,
           const std::vector<FabricLink>& links)
{
    std::vector<bool> isSwitch(nNodes);
    for (const uint32_t node : switches)
    {
        if (node >= nNodes || isSwitch[node])
        {
            throw std::invalid_argument("expected different switches below " +
                                        std::to_string(nNodes) + ", found " + std::to_string(node));
        }
        isSwitch[node] = true;
    }
    std::vector<bool> isLeaf(nNodes);
    std::vector<std::vector<uint32_t>> peers(nNodes);
    for (const auto& link : links)
    {
        if (link.a >= nNodes || link.b >= nNodes)
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
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        hasSuperSpines |= isSwitch[node] && heights[node] > 1;
    }

    Fabric fabric(name);
    uint32_t nHosts = 0;
    uint32_t nTop = 0;
    uint32_t nLeaves = 0;
    std::vector<uint32_t> nPodLeaves(nNodes);
    std::vector<uint32_t> nPodSpines(nNodes);
    for (uint32_t node = 0; node < nNodes; ++node)
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

} // namespace ns3::aidc
