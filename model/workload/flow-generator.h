/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_GENERATOR_H
#define AIDC_FLOW_GENERATOR_H

#include "flow-size-distribution.h"
#include "flow-spec-file.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3::aidc
{

/// The common part of flow generators: the hosts, the start time, and the sizes of flows, which
/// have their own random variable stream.
class FlowGenerator
{
  public:
    /// @param start when flows begin, 0 by default; in a random process, the first one comes later
    void SetStart(const Time& start)
    {
        m_start = start;
    }

  protected:
    /// @param hosts the ids of the hosts, at least two
    /// @param sizes the distribution of the flows' sizes; FlowSizeDistribution::MakeFixed() for
    ///        equal sizes
    /// @throws AidcInputError if there are fewer than two hosts, or no sizes
    FlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes);

    ~FlowGenerator() = default;

    /// source: the host that sends; destination: the host that receives; start: when it starts,
    /// after SetStart(). @return a flow, whose size is drawn
    FlowSpec DrawFlow(NodeIndex source, NodeIndex destination, Time start = Time());

    std::vector<NodeIndex> m_hosts; //!< the hosts
    FlowSizeDistribution m_sizes;   //!< the distribution of sizes
    Time m_start;                   //!< when flows begin

    /// The quantiles of the sizes. A generator creates it after its other variables, as variables
    /// without a fixed stream get one in the order of creation.
    Ptr<UniformRandomVariable> m_size;
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_GENERATOR_H
