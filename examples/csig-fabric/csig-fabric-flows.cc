/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-fabric-flows.h"

#include "ns3/experiment-data-file.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/poisson-flow-generator.h"
#include "ns3/random-variable-stream.h"

namespace ns3::aidc
{

namespace
{

/// Make a flow at a constant rate that starts within 10 us.
FlowSpec
MakeFlow(NodeIndex source,
         NodeIndex destination,
         const CsigFabricSettings& settings,
         Ptr<UniformRandomVariable> uniform)
{
    FlowSpec flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = settings.size;
    flow.start = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
    return flow;
}

} // namespace

std::vector<FlowSpec>
MakeCsigFabricMix(const FabricPlan& fabric, double load, const CsigFabricSettings& settings)
{
    const auto sizes = FlowSizeDistribution::Read(FindDataFile(settings.flowSizes));
    PoissonFlowGenerator generator(fabric.GetHosts(), sizes);
    generator.SetHostRate(DataRate(CsigFabricSettings::SPEED));
    generator.SetLoad(load);
    generator.SetDuration(settings.duration);
    generator.AssignStreams(1);
    return generator.Generate();
}

std::vector<FlowSpec>
MakeCsigFabricCounterparts(const FabricPlan& fabric,
                           const CsigFabricSettings& settings,
                           std::size_t nIncast)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(10);
    const auto& hosts = fabric.GetHosts();
    const std::size_t perPod = hosts.size() / fabric.GetNPods();
    std::vector<FlowSpec> flows;
    std::vector<bool> isBusy(hosts.size());
    isBusy[0] = nIncast > 0;
    for (std::size_t i = 0; i < nIncast; ++i)
    {
        // Spread over the other pods and their leaves.
        const std::size_t sender = perPod + i * (hosts.size() - perPod) / nIncast;
        isBusy[sender] = true;
        flows.push_back(MakeFlow(hosts[sender], hosts[0], settings, uniform));
    }
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        const std::size_t to = (i + perPod) % hosts.size();
        if (!isBusy[i] && !isBusy[to])
        {
            flows.push_back(MakeFlow(hosts[i], hosts[to], settings, uniform));
        }
    }
    return flows;
}

} // namespace ns3::aidc
