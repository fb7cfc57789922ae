// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FARE_CLOS_TRAFFIC_H
#define AIDC_FARE_CLOS_TRAFFIC_H

#include "fare-clos-scenario.h"

#include "ns3/callback.h"
#include "ns3/experiment-run.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-records.h"
#include "ns3/nstime.h"
#include "ns3/process-gather.h"
#include "ns3/random-variable-stream.h"
#include "ns3/result-file.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-work.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The payload of a full packet.
constexpr uint32_t PATH_MTU = 4096;
/// Of each packet: IPv4, UDP, the base transport header and the invariant CRC.
constexpr uint32_t ROCE_HEADERS = 20 + 8 + 12 + 4;
/// Messages of a queue pair of the permutation that are under way.
constexpr uint32_t DEPTH = 2;
/// The interval of the series.
const Time SERIES_INTERVAL = MicroSeconds(50);
/// The random variable stream of the times at which queue pairs begin.
constexpr int64_t START_STREAM = 2;

} // namespace

/// The traffic of FareClosExperiment: messages over RoCEv2's queue pairs.
///
/// In the permutation, each pair of hosts has several queue pairs, and each queue pair has two
/// messages under way until the end, so that hosts always have something to send. A message counts
/// from when the one before it has arrived. In all-to-all, each host sends a message to each other
/// one, to all at once, from the next host on.
///
/// Queue pairs of the permutation begin at random times within the time that a message of each
/// queue pair of the host takes, and hosts of all-to-all within the time of a packet. Otherwise all
/// would send in step, and for all seeds results would depend on single nanoseconds of delay.
class FareClosTraffic
{
  public:
    /// Constructor. settings: outlive this.
    explicit FareClosTraffic(const FareClosSettings& settings)
        : m_settings(settings),
          m_start(CreateObject<UniformRandomVariable>())
    {
        m_start->SetStream(START_STREAM);
    }

    FareClosTraffic(const FareClosTraffic&) = delete;
    FareClosTraffic& operator=(const FareClosTraffic&) = delete;

    /// Install the permutation at hosts with RoceNics. end: from when on no message begins.
    void InstallPermutation(const FabricHelper& network,
                            const std::vector<FareClosPair>& pairs,
                            Time start,
                            Time end)
    {
        for (const auto& pair : pairs)
        {
            const Time round = GetLinkTime(network, pair.source, GetRoundBytes(m_settings.message));
            for (uint32_t i = 0; i < m_settings.queuePairs; ++i)
            {
                Stream* stream = Connect(network, pair, m_settings.message, end);
                const Time first = start + DrawTime(round);
                for (uint32_t message = 0; message < DEPTH; ++message)
                {
                    SchedulePost(network, stream, first);
                }
            }
        }
    }

    /// Install all-to-all at hosts with RoceNics. The simulation stops when all has arrived.
    void InstallAllToAll(const FabricHelper& network, Time start)
    {
        const auto& hosts = network.GetFabric().GetHosts();
        const auto nBytes = static_cast<uint32_t>(m_settings.exchange / (hosts.size() - 1));
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const Time first = start + DrawTime(GetLinkTime(network, hosts[i], PATH_MTU));
            for (std::size_t distance = 1; distance < hosts.size(); ++distance)
            {
                const FareClosPair pair{hosts[i], hosts[(i + distance) % hosts.size()]};
                SchedulePost(network, Connect(network, pair, nBytes, start), first);
            }
        }
        StopWhen(start - Simulator::Now(),
                 [this] { return SumOverProcesses(CountArrived()) == m_streams.size(); });
    }

    /// Find out what has arrived. With several processes (MpiProcesses), each one calls it after
    /// the simulation.
    void Gather()
    {
        std::vector<PlacedItem<int64_t>> own;
        for (std::size_t i = 0; i < m_streams.size(); ++i)
        {
            for (const Time& time : m_streams[i]->arrivals)
            {
                own.push_back({i, time.GetTimeStep()});
            }
            m_streams[i]->arrivals.clear();
        }
        for (const auto& [stream, time] : GatherItems(own))
        {
            m_streams[stream]->arrivals.push_back(TimeStep(time));
        }
    }

    /// Get the payload that has arrived in an interval. A message is taken to arrive evenly from
    /// when the one before it was there until it is. Messages that have not arrived as a whole by
    /// the end of the simulation do not count. @return bytes
    double GetBytes(Time from, Time to) const
    {
        double bytes = 0;
        for (const auto& stream : m_streams)
        {
            bytes += GetBytes(*stream, from, to);
        }
        return bytes;
    }

    /// @return when the last message has arrived; the largest time if some have not
    Time GetEnd() const
    {
        Time end;
        for (const auto& stream : m_streams)
        {
            if (stream->arrivals.empty())
            {
                return Time::Max();
            }
            end = std::max(end, stream->arrivals.back());
        }
        return end;
    }

    /// @return the share of queue pairs that have brought a message to hosts of this process
    double GetShareArrived() const
    {
        return static_cast<double>(CountArrived()) / static_cast<double>(m_streams.size());
    }

    /// Get the messages that have arrived in an interval, by queue pair. The ideal time of a
    /// message is the time of its bytes alone on the queue pair's share of the host's link.
    std::vector<FlowRecord> GetRecords(const FabricHelper& network, Time from, Time to) const
    {
        std::vector<FlowRecord> records;
        for (const auto& stream : m_streams)
        {
            FlowRecord record;
            record.spec.source = stream->pair.source;
            record.spec.destination = stream->pair.destination;
            record.spec.bytes = record.receivedBytes = stream->nBytes;
            record.isDone = true;
            record.idealFct =
                GetLinkTime(network, stream->pair.source, GetRoundBytes(stream->nBytes));
            Time begin = stream->first;
            for (const Time& arrival : stream->arrivals)
            {
                if (arrival >= from && arrival < to)
                {
                    record.spec.start = begin;
                    record.finish = arrival;
                    record.fct = arrival - begin;
                    record.slowdown = record.fct.GetSeconds() / record.idealFct.GetSeconds();
                    records.push_back(record);
                }
                begin = arrival;
            }
        }
        return records;
    }

    /// Write the throughput over time: the columns `time_s`, `goodput_bps` of all hosts and
    /// `changed_bps` of the pairs of hosts of the first leaf, for each interval of 50 us.
    /// @throws std::runtime_error if the file cannot be written
    void WriteSeries(const std::string& path, const FabricPlan& fabric, Time from, Time to) const
    {
        const auto n =
            static_cast<std::size_t>((to - from).GetTimeStep() / SERIES_INTERVAL.GetTimeStep());
        std::vector<double> all(n);
        std::vector<double> changed(n);
        const NodeIndex leaf = fabric.GetLeaves().front();
        for (const auto& stream : m_streams)
        {
            const bool isOfLeaf = fabric.GetLeaf(stream->pair.source) == leaf ||
                                  fabric.GetLeaf(stream->pair.destination) == leaf;
            for (std::size_t i = 0; i < n; ++i)
            {
                const Time begin = from + static_cast<int64_t>(i) * SERIES_INTERVAL;
                const double bytes = GetBytes(*stream, begin, begin + SERIES_INTERVAL);
                all[i] += bytes;
                changed[i] += isOfLeaf ? bytes : 0;
            }
        }
        ResultFile file(path, "time_s,goodput_bps,changed_bps");
        const double seconds = SERIES_INTERVAL.GetSeconds();
        for (std::size_t i = 0; i < n; ++i)
        {
            file << (static_cast<double>(i) * seconds) << ',' << 8 * all[i] / seconds << ','
                 << 8 * changed[i] / seconds << '\n';
        }
        file.Close();
    }

    /// @return the share of a link's bytes that is payload, if all packets are full
    static double GetEfficiency(const FabricHelper& network)
    {
        return static_cast<double>(PATH_MTU) /
               (PATH_MTU + ROCE_HEADERS + network.GetFrameOverhead().bytes);
    }

  private:
    /// A queue pair from a host to another one.
    struct Stream
    {
        FareClosPair pair;          //!< the hosts
        Ptr<RoceNic> nic;           //!< the adapter of the host that sends, null of another process
        uint32_t qp{0};             //!< the number of the queue pair there
        uint32_t nBytes{0};         //!< of a message
        uint32_t nPosted{0};        //!< messages that were posted
        Time first;                 //!< when the first one is
        Time end;                   //!< from when on none is
        std::vector<Time> arrivals; //!< when messages have arrived
    };

    /// Get the bytes of a round, in which each queue pair to a host sends a message.
    uint64_t GetRoundBytes(uint64_t nBytes) const
    {
        return nBytes * m_settings.queuePairs;
    }

    /// Get how long a host's link takes for payload in full packets.
    static Time GetLinkTime(const FabricHelper& network, NodeIndex host, uint64_t nBytes)
    {
        const FabricPlan& fabric = network.GetFabric();
        const LinkIndex link = fabric.GetPorts(host)[PortIndex(0)].link; // its only one
        const auto rate = static_cast<double>(fabric.GetLinks()[link].rate);
        return Seconds(8.0 * static_cast<double>(nBytes) / (rate * GetEfficiency(network)));
    }

    /// Draw a time, at least 0.
    Time DrawTime(Time limit)
    {
        return Seconds(m_start->GetValue(0, limit.GetSeconds()));
    }

    /// Get the payload that a queue pair has brought in an interval. @return bytes
    static double GetBytes(const Stream& stream, Time from, Time to)
    {
        double bytes = 0;
        const auto& arrivals = stream.arrivals;
        for (auto arrival = std::upper_bound(arrivals.begin(), arrivals.end(), from);
             arrival != arrivals.end();
             ++arrival)
        {
            const Time begin = arrival == arrivals.begin() ? stream.first : *(arrival - 1);
            if (begin >= to)
            {
                break;
            }
            const Time inside = std::min(*arrival, to) - std::max(begin, from);
            const Time whole = *arrival - begin; // 0 if a gap before several messages was filled
            bytes += whole.IsZero() ? stream.nBytes
                                    : stream.nBytes * inside.GetSeconds() / whole.GetSeconds();
        }
        return bytes;
    }

    /// Make a queue pair.
    Stream* Connect(const FabricHelper& network,
                    const FareClosPair& pair,
                    uint32_t nBytes,
                    Time end)
    {
        m_streams.push_back(std::make_unique<Stream>());
        Stream* stream = m_streams.back().get();
        stream->pair = pair;
        stream->nBytes = nBytes;
        stream->end = end;
        const auto sender = network.GetNode(pair.source);
        const auto receiver = network.GetNode(pair.destination);
        const auto path = network.GetRoutes().GetPath(pair.source, pair.destination);
        const auto [qp, remoteQp] = RoceHelper::Connect(
            sender,
            receiver,
            RoceFlowHelper::GetBaseRtt(path, PATH_MTU, network.GetFrameOverhead()));
        stream->qp = qp;
        if (RoceHelper::IsLocal(sender))
        {
            stream->nic = RoceHelper::GetNic(sender);
            stream->nic->GetQueuePair(qp).SetCompletionSink(
                MakeBoundCallback(&FareClosTraffic::Complete, stream));
        }
        if (RoceHelper::IsLocal(receiver))
        {
            RoceHelper::GetNic(receiver)->GetQueuePair(remoteQp).SetDeliverySink(
                MakeBoundCallback(&FareClosTraffic::Deliver, stream));
        }
        return stream;
    }

    /// Have a queue pair's first messages posted.
    static void SchedulePost(const FabricHelper& network, Stream* stream, Time start)
    {
        stream->first = start;
        Simulator::ScheduleWithContext(network.GetNode(stream->pair.source)->GetId(),
                                       start - Simulator::Now(),
                                       &FareClosTraffic::Post,
                                       stream);
    }

    /// Send a message.
    static void Post(Stream* stream)
    {
        RoceWork work;
        work.id = stream->nPosted++;
        work.operation = RoceOperation::WRITE;
        work.hasImmediate = true;
        work.nBytes = stream->nBytes;
        stream->nic->Post(stream->qp, work);
    }

    /// Send the next message.
    static void Complete(Stream* stream, uint32_t, const RoceCompletion& completion)
    {
        if (completion.status == RoceStatus::SUCCESS && Simulator::Now() < stream->end)
        {
            Post(stream);
        }
    }

    /// Record a message that has arrived.
    static void Deliver(Stream* stream, uint32_t, const RoceDelivery&)
    {
        stream->arrivals.push_back(Simulator::Now());
    }

    /// @return the queue pairs that have brought a message to hosts of this process
    std::size_t CountArrived() const
    {
        return static_cast<std::size_t>(
            std::count_if(m_streams.begin(), m_streams.end(), [](const auto& stream) {
                return !stream->arrivals.empty();
            }));
    }

    const FareClosSettings& m_settings;             //!< what the user has set
    Ptr<UniformRandomVariable> m_start;             //!< when something begins
    std::vector<std::unique_ptr<Stream>> m_streams; //!< the queue pairs
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_TRAFFIC_H
