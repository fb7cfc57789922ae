/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "poisson-flow-generator.h"

#include "aidc-input-error.h"

#include <string>

namespace ns3::aidc
{

PoissonFlowGenerator::PoissonFlowGenerator(const std::vector<NodeIndex>& hosts,
                                           const FlowSizeDistribution& sizes)
    : FlowGenerator(hosts, sizes),
      m_duration(MilliSeconds(10)),
      m_interval(CreateObject<ExponentialRandomVariable>()),
      m_source(CreateObject<UniformRandomVariable>()),
      m_destination(CreateObject<UniformRandomVariable>())
{
    m_size = CreateObject<UniformRandomVariable>();
}

void
PoissonFlowGenerator::SetLoad(double load)
{
    if (!(load > 0 && load <= 1))
    {
        throw AidcInputError("load", 0, "a number above 0 and at most 1", std::to_string(load));
    }
    m_load = load;
}

void
PoissonFlowGenerator::SetHostRate(const DataRate& rate)
{
    if (rate.GetBitRate() == 0)
    {
        throw AidcInputError("rate of a host's link", 0, "a rate above 0", "0");
    }
    m_hostRate = rate;
}

double
PoissonFlowGenerator::GetArrivalRate() const
{
    return m_load * static_cast<double>(m_hosts.size()) *
           static_cast<double>(m_hostRate.GetBitRate()) / (8 * m_sizes.GetMean());
}

std::vector<FlowSpec>
PoissonFlowGenerator::Generate()
{
    const auto nHosts = static_cast<uint32_t>(m_hosts.size());
    const double meanInterval = 1 / GetArrivalRate();
    const double end = m_duration.GetSeconds();
    std::vector<FlowSpec> flows;
    for (double now = m_interval->GetValue(meanInterval, 0); now < end;
         now += m_interval->GetValue(meanInterval, 0))
    {
        const uint32_t source = m_source->GetInteger(0, nHosts - 1);
        // The hosts but the source, counted from 0
        uint32_t destination = m_destination->GetInteger(0, nHosts - 2);
        if (destination >= source)
        {
            ++destination;
        }
        flows.push_back(DrawFlow(m_hosts[source], m_hosts[destination], Seconds(now)));
    }
    return flows;
}

int64_t
PoissonFlowGenerator::AssignStreams(int64_t stream)
{
    m_interval->SetStream(stream);
    m_source->SetStream(stream + 1);
    m_destination->SetStream(stream + 2);
    m_size->SetStream(stream + 3);
    return 4;
}

} // namespace ns3::aidc
