/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-generator.h"

#include "aidc-input-error.h"

#include <string>

namespace ns3::aidc
{

FlowGenerator::FlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes)
    : m_hosts(hosts),
      m_sizes(sizes)
{
    if (hosts.size() < 2)
    {
        throw AidcInputError("hosts of the flows", 0, "at least 2", std::to_string(hosts.size()));
    }
    if (sizes.GetPoints().empty())
    {
        throw AidcInputError("flow sizes", 0, "a distribution", "none");
    }
}

FlowSpec
FlowGenerator::DrawFlow(NodeIndex source, NodeIndex destination, Time start)
{
    FlowSpec flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = m_sizes.Sample(m_size->GetValue(0, 1));
    flow.start = m_start + start;
    return flow;
}

} // namespace ns3::aidc
