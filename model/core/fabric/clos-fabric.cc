/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clos-fabric.h"

#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

constexpr uint64_t MAX_HOSTS = 1U << 24;    //!< what addresses can number
constexpr uint64_t MAX_SWITCHES = 1U << 20; //!< what addresses can number
constexpr uint64_t MAX_LINKS = 1U << 26;    //!< what is left after a slip of the pen
constexpr double MAX_RATE = 1e15;           //!< bit/s of a derived rate

/// Check an option that counts something.
/// @param name its name
/// @param value its value
/// @throws std::invalid_argument if it is 0
void
CheckCount(const char* name, uint32_t value)
{
    if (value == 0)
    {
        throw std::invalid_argument(std::string("expected ") + name + " of at least 1, found 0");
    }
}

/// Check the number of leaves of a host.
/// @param leavesPerHost its value
/// @param name the name of the option that it divides
/// @param leaves the value of that option
/// @throws std::invalid_argument if it does not
void
CheckLeavesPerHost(uint32_t leavesPerHost, const char* name, uint32_t leaves)
{
    CheckCount("leavesPerHost", leavesPerHost);
    if (leaves % leavesPerHost != 0)
    {
        throw std::invalid_argument(std::string("expected leavesPerHost that divides ") + name +
                                    " " + std::to_string(leaves) + ", found " +
                                    std::to_string(leavesPerHost));
    }
}

/// Add the links of all hosts.
/// @param fabric the fabric, whose hosts come first and leaves next
/// @param nHosts the number of hosts
/// @param options how many leaves a host and hosts a leaf has, rate and delay
template <typename Options>
void
AddHostLinks(FabricPlan& fabric, uint32_t nHosts, const Options& options)
{
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        const uint32_t first = nHosts + i / options.hostsPerLeaf * options.leavesPerHost;
        for (uint32_t leaf = first; leaf < first + options.leavesPerHost; ++leaf)
        {
            fabric.AddLink(NodeIndex(i), NodeIndex(leaf), options.hostRate, options.hostDelay);
        }
    }
}

/// Check a product of options, each at least 1.
/// @param name what the product counts
/// @param factors the options
/// @param limit the largest product
/// @throws std::invalid_argument if it is larger
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

/// Get the rate of the uplinks of a switch.
/// @param name the name of the option
/// @param ratio the over-subscription, or 0
/// @param given the rate without an over-subscription, in bit/s
/// @param nDownlinks the number of links below the switch, at least 1
/// @param downlinkRate the rate of each in bit/s
/// @param nUplinks the number of links above the switch, at least 1
/// @return the rate of each in bit/s
/// @throws std::invalid_argument if the ratio is negative or gives no rate
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

} // namespace

FabricPlan
MakeLeafSpine(const LeafSpineOptions& options)
{
    CheckCount("leaves", options.leaves);
    CheckCount("spines", options.spines);
    CheckCount("hostsPerLeaf", options.hostsPerLeaf);
    CheckCount("parallelLinks", options.parallelLinks);
    CheckLeavesPerHost(options.leavesPerHost, "leaves", options.leaves);
    CheckProduct("links of hosts", {options.leaves, options.hostsPerLeaf}, MAX_HOSTS);
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

    FabricPlan fabric("leaf-spine");
    const uint32_t nHosts = options.leaves / options.leavesPerHost * options.hostsPerLeaf;
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddNode(FabricTier::HOST, NO_POD, i);
    }
    for (uint32_t i = 0; i < options.leaves; ++i)
    {
        fabric.AddNode(FabricTier::LEAF, i, i);
    }
    for (uint32_t i = 0; i < options.spines; ++i)
    {
        fabric.AddNode(FabricTier::SPINE, NO_POD, i);
    }
    AddHostLinks(fabric, nHosts, options);
    for (uint32_t leaf = 0; leaf < options.leaves; ++leaf)
    {
        for (uint32_t i = 0; i < nUplinks; ++i)
        {
            const uint32_t spine = i / options.parallelLinks;
            fabric.AddLink(NodeIndex(nHosts + leaf),
                           NodeIndex(nHosts + options.leaves + spine),
                           uplinkRate,
                           options.leafSpineDelay);
        }
    }
    fabric.Finish();
    return fabric;
}

FabricPlan
MakeClos5(const ClosOptions& options)
{
    CheckCount("pods", options.pods);
    CheckCount("leavesPerPod", options.leavesPerPod);
    CheckCount("hostsPerLeaf", options.hostsPerLeaf);
    CheckCount("spinesPerPod", options.spinesPerPod);
    CheckCount("superSpinesPerPlane", options.superSpinesPerPlane);
    CheckCount("parallelLinks", options.parallelLinks);
    CheckLeavesPerHost(options.leavesPerHost, "leavesPerPod", options.leavesPerPod);
    CheckProduct("links of hosts",
                 {options.pods, options.leavesPerPod, options.hostsPerLeaf},
                 MAX_HOSTS);
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

    FabricPlan fabric("clos");
    const uint32_t nLeaves = options.pods * options.leavesPerPod;
    const uint32_t nHosts = nLeaves / options.leavesPerHost * options.hostsPerLeaf;
    const uint32_t nSpines = options.pods * options.spinesPerPod;
    const uint32_t nSuperSpines = options.spinesPerPod * options.superSpinesPerPlane;
    const uint32_t firstSpine = nHosts + nLeaves;
    const uint32_t firstSuperSpine = firstSpine + nSpines;
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddNode(FabricTier::HOST, NO_POD, i);
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
    AddHostLinks(fabric, nHosts, options);
    for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
    {
        const uint32_t spines = firstSpine + leaf / options.leavesPerPod * options.spinesPerPod;
        for (uint32_t i = 0; i < nLeafUplinks; ++i)
        {
            fabric.AddLink(NodeIndex(nHosts + leaf),
                           NodeIndex(spines + i / options.parallelLinks),
                           leafUplinkRate,
                           options.leafSpineDelay);
        }
    }
    for (uint32_t spine = 0; spine < nSpines; ++spine)
    {
        const uint32_t plane = spine % options.spinesPerPod;
        for (uint32_t i = 0; i < options.superSpinesPerPlane; ++i)
        {
            fabric.AddLink(NodeIndex(firstSpine + spine),
                           NodeIndex(firstSuperSpine + plane * options.superSpinesPerPlane + i),
                           spineUplinkRate,
                           options.spineSuperSpineDelay);
        }
    }
    fabric.Finish();
    return fabric;
}

FabricPlan
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

} // namespace ns3::aidc
