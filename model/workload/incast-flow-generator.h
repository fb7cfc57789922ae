/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INCAST_FLOW_GENERATOR_H
#define AIDC_INCAST_FLOW_GENERATOR_H

#include "flow-generator.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Draws incasts: at the same instant, several hosts send a flow each to one host.
 *
 * The receiver is always the same host, or drawn for each incast; the senders are drawn from the
 * other hosts, without repetition. Incasts come at equal intervals, the first one at the start, or
 * as a Poisson process. Intervals, receivers, senders and sizes each have a random variable stream
 * of their own.
 *
 * A receiver whose link has the rate r gets the load n * mean size * 8 / (interval * r).
 */
class IncastFlowGenerator : public FlowGenerator
{
  public:
    /// @param hosts the ids of the hosts, at least two
    /// @param sizes the distribution of the flows' sizes
    /// @throws AidcInputError if there are fewer than two hosts, or no sizes
    IncastFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes);

    /// Set the number of senders of an incast.
    /// @param nSenders the number, from 1 to one less than the hosts, which is the default
    /// @throws AidcInputError if the number is out of range
    void SetSenders(uint32_t nSenders);

    /// Set the receiver of all incasts. By default, one is drawn for each incast.
    /// @param receiver the id of the host
    /// @throws AidcInputError if it is not one of the hosts
    void SetReceiver(NodeIndex receiver);

    /// Set the time between incasts.
    /// @param interval the time, or its mean in a Poisson process; above 0; 1 ms by default
    /// @param isPoisson whether incasts come as a Poisson process, or at equal intervals
    /// @throws AidcInputError if the time is not above 0
    void SetInterval(const Time& interval, bool isPoisson = false);

    /// Set how long incasts come. None comes at the end itself.
    /// @param duration the duration, 10 ms by default
    void SetDuration(const Time& duration)
    {
        m_duration = duration;
    }

    /// @return the flows of the whole duration, newly drawn, by start
    std::vector<FlowSpec> Generate();

    /// @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    /// Draw an incast.
    void AddIncast(const Time& start, std::vector<FlowSpec>& flows);

    uint32_t m_nSenders;                      //!< senders of an incast
    std::optional<NodeIndex> m_fixedReceiver; //!< the receiver, unless drawn
    Time m_interval;                          //!< the time between incasts
    bool m_isPoisson{false};                  //!< whether they are a Poisson process
    Time m_duration;                          //!< how long there are incasts
    Ptr<ExponentialRandomVariable> m_gap;     //!< the times between incasts
    Ptr<UniformRandomVariable> m_receiver;    //!< the receivers
    Ptr<UniformRandomVariable> m_sender;      //!< the senders
};

} // namespace ns3::aidc

#endif // AIDC_INCAST_FLOW_GENERATOR_H
