// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_STAR_FABRIC_H
#define AIDC_TEST_STAR_FABRIC_H

#include "test/test-case.h"

namespace aidctest
{

/// Plan one switch and its hosts; the switch is node 0. nHosts: the number of hosts, nodes 1 to
/// nHosts. rate: the rate of a link in bit/s. delay: the delay of a link in ns. errorRate: the
/// share of packets that each direction of a link loses.
inline ns3::aidc::FabricPlan
MakeStar(uint32_t nHosts, uint64_t rate, int64_t delay, double errorRate = 0)
{
    using ns3::aidc::FabricTier;
    ns3::aidc::FabricPlan fabric("star");
    const auto leaf = fabric.AddNode(FabricTier::LEAF, 0, 0);
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        fabric.AddLink(leaf, fabric.AddNode(FabricTier::HOST, 0, i), rate, delay, errorRate);
    }
    fabric.Finish();
    return fabric;
}

/// Plan switches in a row, nodes 0 to nSwitches - 1, then as many hosts at each end. rate: the rate
/// of the links between switches in bit/s. delay: the delay of a link in ns.
inline ns3::aidc::FabricPlan
MakeLine(uint32_t nSwitches,
         uint32_t nHosts,
         uint64_t rate,
         uint64_t hostRate,
         int64_t delay = 1000)
{
    using ns3::aidc::FabricTier;
    using ns3::aidc::NodeIndex;
    ns3::aidc::FabricPlan fabric("line");
    for (uint32_t i = 0; i < nSwitches; ++i)
    {
        const NodeIndex leaf = fabric.AddNode(FabricTier::LEAF, i, i);
        if (i > 0)
        {
            fabric.AddLink(NodeIndex(i - 1), leaf, rate, delay);
        }
    }
    for (uint32_t i = 0; i < 2 * nHosts; ++i)
    {
        const NodeIndex end(i < nHosts ? 0 : nSwitches - 1);
        const auto host = fabric.AddNode(FabricTier::HOST, ns3::aidc::NO_POD, i);
        fabric.AddLink(end, host, hostRate, delay);
    }
    fabric.Finish();
    return fabric;
}

} // namespace aidctest

#endif // AIDC_TEST_STAR_FABRIC_H
