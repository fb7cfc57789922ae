/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_POISSON_FLOW_GENERATOR_H
#define AIDC_POISSON_FLOW_GENERATOR_H

#include "flow-generator.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Draws flows that arrive as a Poisson process, with sizes from a distribution.
 *
 * The arrival rate over all hosts is
 *
 *     lambda = load * nHosts * hostRate / (8 * meanSize)
 *
 * flows a second, with the host rate in bit/s and the mean size in bytes: on average over the hosts
 * each one's link carries the given share of its rate in payload, in each direction. Headers come
 * on top. Sources are uniform over the hosts, destinations uniform over the others. Times between
 * arrivals, sources, destinations and sizes each have a random variable stream of their own.
 */
class PoissonFlowGenerator : public FlowGenerator
{
  public:
    /// @param hosts the ids of the hosts, at least two
    /// @param sizes the distribution of the flows' sizes
    /// @throws AidcInputError if there are fewer than two hosts, or no sizes
    PoissonFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes);

    /// @param load the share of the hosts' rate, above 0 and at most 1; 0.5 by default
    /// @throws AidcInputError if the load is out of range
    void SetLoad(double load);

    /// @param rate the rate of a host's link, above 0; 100 Gb/s by default
    /// @throws AidcInputError if the rate is 0
    void SetHostRate(const DataRate& rate);

    /// @param duration how long flows arrive, 10 ms by default
    void SetDuration(const Time& duration)
    {
        m_duration = duration;
    }

    /// @return lambda, the arrival rate, in flows a second
    double GetArrivalRate() const;

    /// @return the flows of the whole duration, newly drawn, by start
    std::vector<FlowSpec> Generate();

    /// @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    double m_load{0.5};                        //!< the load
    DataRate m_hostRate{100000000000ULL};      //!< the rate of a host's link
    Time m_duration;                           //!< how long flows arrive
    Ptr<ExponentialRandomVariable> m_interval; //!< the times between arrivals
    Ptr<UniformRandomVariable> m_source;       //!< the sources
    Ptr<UniformRandomVariable> m_destination;  //!< the destinations
};

} // namespace ns3::aidc

#endif // AIDC_POISSON_FLOW_GENERATOR_H
