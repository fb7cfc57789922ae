// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_GENERATORS_H
#define AIDC_FLOW_GENERATORS_H

#include "flow-size-distribution.h"
#include "flow-spec-file.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
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
    FlowSpec DrawFlow(NodeIndex source, NodeIndex destination, Time start = Time())
    {
        FlowSpec flow;
        flow.source = source;
        flow.destination = destination;
        flow.bytes = m_sizes.Sample(m_size->GetValue(0, 1));
        flow.start = m_start + start;
        return flow;
    }

    std::vector<NodeIndex> m_hosts; //!< the hosts
    FlowSizeDistribution m_sizes;   //!< the distribution of sizes
    Time m_start;                   //!< when flows begin

    /// The quantiles of the sizes. A generator creates it after its other variables, as variables
    /// without a fixed stream get one in the order of creation.
    Ptr<UniformRandomVariable> m_size;
};

/// Draws incasts: at the same instant, several hosts send a flow each to one host.
///
/// The receiver is always the same host, or drawn for each incast; the senders are drawn from the
/// other hosts, without repetition. Incasts come at equal intervals, the first one at the start, or
/// as a Poisson process. Intervals, receivers, senders and sizes each have a random variable stream
/// of their own.
///
/// A receiver whose link has the rate r gets the load n * mean size * 8 / (interval * r).
class IncastFlowGenerator : public FlowGenerator
{
  public:
    /// As FlowGenerator().
    IncastFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes)
        : FlowGenerator(hosts, sizes),
          m_nSenders(static_cast<uint32_t>(hosts.size()) - 1),
          m_interval(MilliSeconds(1)),
          m_duration(MilliSeconds(10)),
          m_gap(CreateObject<ExponentialRandomVariable>()),
          m_receiver(CreateObject<UniformRandomVariable>()),
          m_sender(CreateObject<UniformRandomVariable>())
    {
        m_size = CreateObject<UniformRandomVariable>();
    }

    /// nSenders: the senders of an incast, from 1 to one less than the hosts, which is the default.
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

    /// stream: the first stream to use. @return the number of streams used
    int64_t AssignStreams(int64_t stream)
    {
        m_gap->SetStream(stream);
        m_receiver->SetStream(stream + 1);
        m_sender->SetStream(stream + 2);
        m_size->SetStream(stream + 3);
        return 4;
    }

  private:
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

/// Draws permutations: each host sends a flow to another host, and receives one.
///
/// All permutations without a fixed point are equally likely. Destinations and sizes each have a
/// random variable stream of their own.
class PermutationFlowGenerator : public FlowGenerator
{
  public:
    /// As FlowGenerator(); each host once.
    PermutationFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes)
        : FlowGenerator(hosts, sizes),
          m_destination(CreateObject<UniformRandomVariable>())
    {
        m_size = CreateObject<UniformRandomVariable>();
    }

    /// @return the flows of a permutation, another one each time, in the order of the hosts
    std::vector<FlowSpec> Generate();

    /// stream: the first stream to use. @return the number of streams used
    int64_t AssignStreams(int64_t stream)
    {
        m_destination->SetStream(stream);
        m_size->SetStream(stream + 1);
        return 2;
    }

  private:
    /// @return for each host its destination, both as places in the list of hosts
    std::vector<uint32_t> DrawPermutation();

    Ptr<UniformRandomVariable> m_destination; //!< the destinations
};

/// Draws flows that arrive as a Poisson process, with sizes from a distribution.
///
/// The arrival rate over all hosts is
///
///     lambda = load * nHosts * hostRate / (8 * meanSize)
///
/// flows a second, with the host rate in bit/s and the mean size in bytes: on average over the
/// hosts each one's link carries the given share of its rate in payload, in each direction. Headers
/// come on top. Sources are uniform over the hosts, destinations uniform over the others. Times
/// between arrivals, sources, destinations and sizes each have a random variable stream of their
/// own.
class PoissonFlowGenerator : public FlowGenerator
{
  public:
    /// As FlowGenerator().
    PoissonFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes)
        : FlowGenerator(hosts, sizes),
          m_duration(MilliSeconds(10)),
          m_interval(CreateObject<ExponentialRandomVariable>()),
          m_source(CreateObject<UniformRandomVariable>()),
          m_destination(CreateObject<UniformRandomVariable>())
    {
        m_size = CreateObject<UniformRandomVariable>();
    }

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
    double GetArrivalRate() const
    {
        return m_load * static_cast<double>(m_hosts.size()) *
               static_cast<double>(m_hostRate.GetBitRate()) / (8 * m_sizes.GetMean());
    }

    /// @return the flows of the whole duration, newly drawn, by start
    std::vector<FlowSpec> Generate();

    /// stream: the first stream to use. @return the number of streams used
    int64_t AssignStreams(int64_t stream)
    {
        m_interval->SetStream(stream);
        m_source->SetStream(stream + 1);
        m_destination->SetStream(stream + 2);
        m_size->SetStream(stream + 3);
        return 4;
    }

  private:
    double m_load{0.5};                        //!< the load
    DataRate m_hostRate{100000000000ULL};      //!< the rate of a host's link
    Time m_duration;                           //!< how long flows arrive
    Ptr<ExponentialRandomVariable> m_interval; //!< the times between arrivals
    Ptr<UniformRandomVariable> m_source;       //!< the sources
    Ptr<UniformRandomVariable> m_destination;  //!< the destinations
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_GENERATORS_H
