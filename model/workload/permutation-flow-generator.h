/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PERMUTATION_FLOW_GENERATOR_H
#define AIDC_PERMUTATION_FLOW_GENERATOR_H

#include "flow-size-distribution.h"
#include "flow-spec-file.h"

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
class PermutationFlowGenerator
{
  public:
    /// @param hosts the ids of the hosts, at least two, each once
    /// @param sizes the distribution of the flows' sizes; FlowSizeDistribution::MakeFixed() for
    ///        equal ones
    /// @throws AidcInputError if there are fewer than two hosts, or no sizes
    PermutationFlowGenerator(const std::vector<NodeIndex>& hosts,
                             const FlowSizeDistribution& sizes);

    /// Set when all flows begin.
    /// @param start the time, 0 by default
    void SetStart(const Time& start);

    /// Draw the flows of a permutation; another one each time.
    /// @return the flows, in the order of the hosts
    std::vector<FlowSpec> Generate();

    /// Assign fixed random variable streams.
    /// @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    /// Draw a permutation.
    /// @return for each host its destination, both as places in the list of hosts
    std::vector<uint32_t> DrawPermutation();

    std::vector<NodeIndex> m_hosts;           //!< the hosts
    FlowSizeDistribution m_sizes;             //!< the distribution of sizes
    Time m_start;                             //!< when flows begin
    Ptr<UniformRandomVariable> m_destination; //!< the destinations
    Ptr<UniformRandomVariable> m_size;        //!< the quantiles of the sizes
};

} // namespace ns3::aidc

#endif // AIDC_PERMUTATION_FLOW_GENERATOR_H
