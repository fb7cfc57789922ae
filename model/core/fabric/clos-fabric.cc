// SPDX-License-Identifier: GPL-2.0-only

#include "clos-fabric.h"

#include "../require-argument.h"

#include <cmath>
#include <initializer_list>
#include <string>

namespace ns3::aidc
{

namespace
{

constexpr uint64_t MAX_HOSTS = 1U << 24;    //!< the most that addresses can number
constexpr uint64_t MAX_SWITCHES = 1U << 20; //!< the most that addresses can number
constexpr uint64_t MAX_LINKS = 1U << 26;    //!< more are a slip of the pen
constexpr double MAX_RATE = 1e15;           //!< bit/s of a derived rate

/// Check a setting that counts something. @throws std::invalid_argument if it is 0
void
CheckCount(const char* name, uint32_t value)
{
    AIDC_REQUIRE(value > 0, std::string("expected ") + name + " of at least 1, found 0");
}

/// Check the number of leaves of a host. @throws std::invalid_argument if it does not
void
CheckLeavesPerHost(uint32_t leavesPerHost, const char* name, uint32_t leaves)
{
    CheckCount("leavesPerHost", leavesPerHost);
    AIDC_REQUIRE(leaves % leavesPerHost == 0,
                 std::string("expected leavesPerHost that divides ") + name + " " +
                     std::to_string(leaves) + ", found " + std::to_string(leavesPerHost));
}

/// Add the nodes of a tier. nPerPod: how many a pod has; 0 if they have no pods.
void
AddTier(FabricPlan& fabric, FabricTier tier, uint32_t n, uint32_t nPerPod = 0)
{
    for (uint32_t i = 0; i < n; ++i)
    {
        nPerPod > 0 ? fabric.AddNode(tier, i / nPerPod, i % nPerPod)
                    : fabric.AddNode(tier, NO_POD, i);
    }
}

/// Add the links of all hosts. fabric: the fabric, whose hosts come first and leaves next.
template <typename Settings>
void
AddHostLinks(FabricPlan& fabric, uint32_t nHosts, const Settings& settings)
{
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        const uint32_t first = nHosts + i / settings.hostsPerLeaf * settings.leavesPerHost;
        for (uint32_t leaf = first; leaf < first + settings.leavesPerHost; ++leaf)
        {
            fabric.AddLink(NodeIndex(i), NodeIndex(leaf), settings.hostRate, settings.hostDelay);
        }
    }
}

/// Check a product of settings, each at least 1. @throws std::invalid_argument if it is larger
void
CheckProduct(const char* name, std::initializer_list<uint64_t> factors, uint64_t limit)
{
    uint64_t product = 1;
    for (const uint64_t factor : factors)
    {
        AIDC_REQUIRE(factor <= limit / product,
                     "expected at most " + std::to_string(limit) + " " + name + ", found more");
        product *= factor;
    }
}

/// @return the bit/s of each uplink of a switch @throws std::invalid_argument if there is no rate
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
    AIDC_REQUIRE(ratio > 0 && rate >= 1 && rate <= MAX_RATE,
                 std::string("expected ") + name +
                     " of 0 or a ratio that gives uplinks 1 bit/s to 1 Pbit/s, found " +
                     std::to_string(ratio));
    return static_cast<uint64_t>(std::llround(rate));
}

} // namespace

FabricPlan
MakeLeafSpine(const LeafSpineSettings& settings)
{
    CheckCount("leaves", settings.leaves);
    CheckCount("spines", settings.spines);
    CheckCount("hostsPerLeaf", settings.hostsPerLeaf);
    CheckCount("parallelLinks", settings.parallelLinks);
    CheckLeavesPerHost(settings.leavesPerHost, "leaves", settings.leaves);
    CheckProduct("links of hosts", {settings.leaves, settings.hostsPerLeaf}, MAX_HOSTS);
    CheckProduct("leaves", {settings.leaves}, MAX_SWITCHES);
    CheckProduct("spines", {settings.spines}, MAX_SWITCHES);
    CheckProduct("links", {settings.leaves, settings.spines, settings.parallelLinks}, MAX_LINKS);
    const uint64_t nUplinks = uint64_t{settings.spines} * settings.parallelLinks;
    const uint64_t uplinkRate = GetUplinkRate("overSubscription",
                                              settings.overSubscription,
                                              settings.leafSpineRate,
                                              settings.hostsPerLeaf,
                                              settings.hostRate,
                                              nUplinks);

    FabricPlan fabric("leaf-spine");
    const uint32_t nHosts = settings.leaves / settings.leavesPerHost * settings.hostsPerLeaf;
    AddTier(fabric, FabricTier::HOST, nHosts);
    for (uint32_t i = 0; i < settings.leaves; ++i)
    {
        fabric.AddNode(FabricTier::LEAF, i, i);
    }
    AddTier(fabric, FabricTier::SPINE, settings.spines);
    AddHostLinks(fabric, nHosts, settings);
    for (uint32_t leaf = 0; leaf < settings.leaves; ++leaf)
    {
        for (uint32_t i = 0; i < nUplinks; ++i)
        {
            const uint32_t spine = i / settings.parallelLinks;
            fabric.AddLink(NodeIndex(nHosts + leaf),
                           NodeIndex(nHosts + settings.leaves + spine),
                           uplinkRate,
                           settings.leafSpineDelay);
        }
    }
    fabric.Finish();
    return fabric;
}

FabricPlan
MakeClos5(const ClosSettings& settings)
{
    CheckCount("pods", settings.pods);
    CheckCount("leavesPerPod", settings.leavesPerPod);
    CheckCount("hostsPerLeaf", settings.hostsPerLeaf);
    CheckCount("spinesPerPod", settings.spinesPerPod);
    CheckCount("superSpinesPerPlane", settings.superSpinesPerPlane);
    CheckCount("parallelLinks", settings.parallelLinks);
    CheckLeavesPerHost(settings.leavesPerHost, "leavesPerPod", settings.leavesPerPod);
    CheckProduct("links of hosts",
                 {settings.pods, settings.leavesPerPod, settings.hostsPerLeaf},
                 MAX_HOSTS);
    CheckProduct("leaves", {settings.pods, settings.leavesPerPod}, MAX_SWITCHES);
    CheckProduct("spines", {settings.pods, settings.spinesPerPod}, MAX_SWITCHES);
    CheckProduct("super-spines",
                 {settings.spinesPerPod, settings.superSpinesPerPlane},
                 MAX_SWITCHES);
    CheckProduct(
        "links of leaves and spines",
        {settings.pods, settings.leavesPerPod, settings.spinesPerPod, settings.parallelLinks},
        MAX_LINKS);
    CheckProduct("links of spines and super-spines",
                 {settings.pods, settings.spinesPerPod, settings.superSpinesPerPlane},
                 MAX_LINKS);
    const uint64_t nLeafUplinks = uint64_t{settings.spinesPerPod} * settings.parallelLinks;
    const uint64_t leafUplinkRate = GetUplinkRate("leafOverSubscription",
                                                  settings.leafOverSubscription,
                                                  settings.leafSpineRate,
                                                  settings.hostsPerLeaf,
                                                  settings.hostRate,
                                                  nLeafUplinks);
    const uint64_t spineUplinkRate =
        GetUplinkRate("spineOverSubscription",
                      settings.spineOverSubscription,
                      settings.spineSuperSpineRate,
                      uint64_t{settings.leavesPerPod} * settings.parallelLinks,
                      leafUplinkRate,
                      settings.superSpinesPerPlane);

    FabricPlan fabric("clos");
    const uint32_t nLeaves = settings.pods * settings.leavesPerPod;
    const uint32_t nHosts = nLeaves / settings.leavesPerHost * settings.hostsPerLeaf;
    const uint32_t nSpines = settings.pods * settings.spinesPerPod;
    const uint32_t nSuperSpines = settings.spinesPerPod * settings.superSpinesPerPlane;
    const uint32_t firstSpine = nHosts + nLeaves;
    const uint32_t firstSuperSpine = firstSpine + nSpines;
    AddTier(fabric, FabricTier::HOST, nHosts);
    AddTier(fabric, FabricTier::LEAF, nLeaves, settings.leavesPerPod);
    AddTier(fabric, FabricTier::SPINE, nSpines, settings.spinesPerPod);
    AddTier(fabric, FabricTier::SUPER_SPINE, nSuperSpines);
    AddHostLinks(fabric, nHosts, settings);
    for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
    {
        const uint32_t spines = firstSpine + leaf / settings.leavesPerPod * settings.spinesPerPod;
        for (uint32_t i = 0; i < nLeafUplinks; ++i)
        {
            fabric.AddLink(NodeIndex(nHosts + leaf),
                           NodeIndex(spines + i / settings.parallelLinks),
                           leafUplinkRate,
                           settings.leafSpineDelay);
        }
    }
    for (uint32_t spine = 0; spine < nSpines; ++spine)
    {
        const uint32_t plane = spine % settings.spinesPerPod;
        for (uint32_t i = 0; i < settings.superSpinesPerPlane; ++i)
        {
            fabric.AddLink(NodeIndex(firstSpine + spine),
                           NodeIndex(firstSuperSpine + plane * settings.superSpinesPerPlane + i),
                           spineUplinkRate,
                           settings.spineSuperSpineDelay);
        }
    }
    fabric.Finish();
    return fabric;
}

FabricPlan
MakeFatTree(uint32_t k, uint64_t rate, int64_t delay)
{
    AIDC_REQUIRE(k >= 2 && k <= 128 && k % 2 == 0,
                 "expected an even k from 2 to 128, found " + std::to_string(k));
    ClosSettings settings;
    settings.pods = k;
    settings.leavesPerPod = k / 2;
    settings.hostsPerLeaf = k / 2;
    settings.spinesPerPod = k / 2;
    settings.superSpinesPerPlane = k / 2;
    settings.hostRate = rate;
    settings.leafSpineRate = rate;
    settings.spineSuperSpineRate = rate;
    settings.hostDelay = delay;
    settings.leafSpineDelay = delay;
    settings.spineSuperSpineDelay = delay;
    return MakeClos5(settings);
}

} // namespace ns3::aidc
