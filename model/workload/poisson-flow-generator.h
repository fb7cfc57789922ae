/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_POISSON_FLOW_GENERATOR_H
#define AIDC_POISSON_FLOW_GENERATOR_H

#include "flow-size-distribution.h"
#include "flow-spec-file.h"

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
class PoissonFlowGenerator
{
  public:
    /// @param hosts the ids of the hosts, at least two
    /// @param sizes the distribution of sizes
    /// @throws AidcInputError if there are fewer than two hosts
    PoissonFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes);

    /// @param load the share of the hosts' rate, above 0 and at most 1; 0.5 by default
    /// @throws AidcInputError if the load is out of range
    void SetLoad(double load);

    /// Set the rate of a host's link.
    /// @param rate the rate, above 0; 100 Gb/s by default
    /// @throws AidcInputError if the rate is 0
    void SetHostRate(const DataRate& rate);

    /// Set when the process begins. The first flow arrives after that.
    /// @param start the time, 0 by default
    void SetStart(const Time& start);

    /// Set how long flows arrive.
    /// @param duration the duration, 10 ms by default
    void SetDuration(const Time& duration);

    /// Get the arrival rate.
    /// @return lambda in flows a second
    double GetArrivalRate() const;

    /// Draw the flows of the whole duration.
    /// @return the flows, by start
    std::vector<FlowSpec> Generate();

    /// Assign fixed random variable streams.
    /// @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    std::vector<NodeIndex> m_hosts;            //!< the hosts
    FlowSizeDistribution m_sizes;              //!< the distribution of sizes
    double m_load{0.5};                        //!< the load
    DataRate m_hostRate{100000000000ULL};      //!< the rate of a host's link
    Time m_start;                              //!< when the process begins
    Time m_duration;                           //!< how long flows arrive
    Ptr<ExponentialRandomVariable> m_interval; //!< the times between arrivals
    Ptr<UniformRandomVariable> m_source;       //!< the sources
    Ptr<UniformRandomVariable> m_destination;  //!< the destinations
    Ptr<UniformRandomVariable> m_size;         //!< the quantiles of the sizes
};

} // namespace ns3::aidc

#endif // AIDC_POISSON_FLOW_GENERATOR_H
