/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

} // namespace aidctest

#endif // AIDC_TEST_STAR_FABRIC_H
