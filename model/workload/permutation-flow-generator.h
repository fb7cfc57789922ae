/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PERMUTATION_FLOW_GENERATOR_H
#define AIDC_PERMUTATION_FLOW_GENERATOR_H

#include "flow-generator.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Draws permutations: each host sends a flow to another host, and receives one.
 *
 * All permutations without a fixed point are equally likely. Destinations and sizes each have a
 * random variable stream of their own.
 */
class PermutationFlowGenerator : public FlowGenerator
{
  public:
    /// @param hosts the ids of the hosts, at least two, each once
    /// @param sizes the distribution of the flows' sizes
    /// @throws AidcInputError if there are fewer than two hosts, or no sizes
    PermutationFlowGenerator(const std::vector<NodeIndex>& hosts,
                             const FlowSizeDistribution& sizes);

    /// @return the flows of a permutation, another one each time, in the order of the hosts
    std::vector<FlowSpec> Generate();

    /// @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    /// @return for each host its destination, both as places in the list of hosts
    std::vector<uint32_t> DrawPermutation();

    Ptr<UniformRandomVariable> m_destination; //!< the destinations
};

} // namespace ns3::aidc

#endif // AIDC_PERMUTATION_FLOW_GENERATOR_H
