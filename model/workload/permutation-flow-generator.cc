/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "permutation-flow-generator.h"

#include <numeric>
#include <utility>

namespace ns3::aidc
{

PermutationFlowGenerator::PermutationFlowGenerator(const std::vector<NodeIndex>& hosts,
                                                   const FlowSizeDistribution& sizes)
    : FlowGenerator(hosts, sizes),
      m_destination(CreateObject<UniformRandomVariable>())
{
    m_size = CreateObject<UniformRandomVariable>();
}

std::vector<uint32_t>
PermutationFlowGenerator::DrawPermutation()
{
    // Shuffles until one has no fixed point, which takes 2.7 on average whatever the number
    std::vector<uint32_t> permutation(m_hosts.size());
    for (;;)
    {
        std::iota(permutation.begin(), permutation.end(), 0);
        auto i = static_cast<uint32_t>(permutation.size()) - 1;
        for (;; --i)
        {
            std::swap(permutation[i], permutation[m_destination->GetInteger(0, i)]);
            if (permutation[i] == i || i == 0)
            {
                break; // place i is not touched any more
            }
        }
        if (permutation[i] != i)
        {
            return permutation;
        }
    }
}

std::vector<FlowSpec>
PermutationFlowGenerator::Generate()
{
    std::vector<FlowSpec> flows;
    const auto permutation = DrawPermutation();
    for (std::size_t i = 0; i < m_hosts.size(); ++i)
    {
        flows.push_back(DrawFlow(m_hosts[i], m_hosts[permutation[i]]));
    }
    return flows;
}

int64_t
PermutationFlowGenerator::AssignStreams(int64_t stream)
{
    m_destination->SetStream(stream);
    m_size->SetStream(stream + 1);
    return 2;
}

} // namespace ns3::aidc
