// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SMALL_FABRICS_H
#define AIDC_SMALL_FABRICS_H

#include "test/test-case.h"

#include "ns3/topology-file.h"

// Small fabrics of several kinds, for the test suites.

namespace aidctest
{

/// Make a leaf-spine fabric with two links between each leaf and spine. Returns 3 leaves of 2
/// hosts, 2 spines.
inline FabricPlan
MakeParallelLeafSpine()
{
    return MakeLeafSpine({3, 2, 2, 1, 2});
}

/// Make a fabric of a topology file.
inline FabricPlan
MakeOfText(const std::string& text)
{
    std::istringstream stream(text);
    return TopologyFile::Parse(stream, "test").GetFabric();
}

/// Make a fabric of a topology file of two tiers, with hosts between the switches. Returns the
/// leaves 0 and 5 of 2 hosts each, spines 6 and 7.
inline FabricPlan
MakeTwoTiers()
{
    return MakeOfText("8 4 8\n"
                      "0 5 6 7\n"
                      "0 1 10Gbps 1us 0\n"
                      "2 0 10Gbps 1us 0\n"
                      "0 6 10Gbps 1us 0\n"
                      "7 0 10Gbps 1us 0\n"
                      "5 3 10Gbps 1us 0\n"
                      "4 5 10Gbps 1us 0\n"
                      "6 5 10Gbps 1us 0\n"
                      "5 7 10Gbps 1us 0\n");
}

/// Make a leaf-spine fabric of 2 spines whose hosts have several links.
inline FabricPlan
MakeMultiHomed(uint32_t leaves, uint32_t hosts, uint32_t leavesPerHost)
{
    LeafSpineSettings settings{leaves, 2, hosts, leavesPerHost};
    settings.leafSpineRate = settings.hostRate;
    return MakeLeafSpine(settings);
}

/// Make a leaf-spine fabric whose hosts have links to two leaves. Returns hosts 0 and 1 at the
/// leaves 4 and 5, hosts 2 and 3 at the leaves 6 and 7; 2 spines.
inline FabricPlan
MakeDualHomed()
{
    return MakeMultiHomed(4, 2, 2);
}

/// Make a fabric whose hosts have a network interface for each of four rails. Returns hosts 0 to 2
/// at the leaves 6 to 9, hosts 3 to 5 at the leaves 10 to 13; 2 spines.
inline FabricPlan
MakeRails()
{
    return MakeMultiHomed(8, 3, 4);
}

/// Make a fabric of a topology file with two rails that only hosts connect. Returns hosts 0 to 2,
/// each with a link to the switches 3 and 4.
inline FabricPlan
MakeRailsOnly()
{
    return MakeOfText("5 2 6\n"
                      "3 4\n"
                      "0 3 10Gbps 1us 0\n"
                      "0 4 10Gbps 1us 0\n"
                      "1 3 10Gbps 1us 0\n"
                      "1 4 10Gbps 1us 0\n"
                      "2 3 10Gbps 1us 0\n"
                      "2 4 10Gbps 1us 0\n");
}

/// Returns two switches with 2 hosts each, and a link between them.
inline FabricPlan
MakeDumbbell()
{
    return MakeOfText("6 2 5\n"
                      "4 5\n"
                      "0 4 10Gbps 1us 0\n"
                      "1 4 10Gbps 1us 0\n"
                      "2 5 10Gbps 1us 0\n"
                      "3 5 10Gbps 1us 0\n"
                      "4 5 1Gbps 10us 0\n");
}

} // namespace aidctest

#endif // AIDC_SMALL_FABRICS_H
