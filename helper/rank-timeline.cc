// SPDX-License-Identifier: GPL-2.0-only

#include "rank-timeline.h"

#include "../model/core/require-argument.h"
#include "local-node.h"
#include "result-file.h"

#include "ns3/callback.h"
#include "ns3/mpi-processes.h"
#include "ns3/process-gather.h"
#include "ns3/roce-nic.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// Samples of all ranks, at most.
constexpr std::size_t MAX_SAMPLES = 10'000;
/// The most intervals.
constexpr std::size_t MOST_INTERVALS = 200;
/// The most intervals of the most ranks.
constexpr std::size_t FEWEST_INTERVALS = 20;

/// The causes of waits, in their order.
constexpr std::array<const char*, 4> WAIT_CAUSES = {"pause", "rate", "window", "retransmission"};

/// Waits of a rank in an interval, as processes exchange them.
struct WaitItem
{
    uint32_t rank;                //!< the rank
    std::array<int64_t, 4> waits; //!< in ns, by cause
    int64_t time;                 //!< the start of the interval, in ns
};

} // namespace

void
RankTimeline::WatchWaits(const NodeContainer& hosts, Time interval)
{
    const uint32_t nRanks = m_ranks.GetPlan().GetNRanks();
    AIDC_REFUSED_IF(hosts.GetN() != nRanks,
                    "RankTimeline: expected a host for each of " << nRanks << " ranks, found "
                                                                 << hosts.GetN());
    AIDC_REFUSED_UNLESS(interval.IsStrictlyPositive(),
                        "RankTimeline: expected an interval above 0, found " << interval);
    AIDC_REFUSED_IF(m_maxIntervals != 0, "RankTimeline::WatchWaits() is called once");
    std::set<Ptr<Node>> known;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        const auto host = hosts.Get(rank);
        if (IsLocalNode(host) && known.insert(host).second)
        {
            AIDC_REFUSED_UNLESS(host->GetObject<RoceNic>(),
                                "RankTimeline: node " << host->GetId() << " has no RoceNic");
            m_hosts[rank] = host;
        }
    }
    m_maxIntervals = std::clamp(MAX_SAMPLES / nRanks / 2 * 2, FEWEST_INTERVALS, MOST_INTERVALS);
    m_interval = interval;
    m_event = Simulator::Schedule(Time(), &RankTimeline::Sample, this);
}

void
RankTimeline::WatchLinks(const FabricNetwork& network)
{
    const FabricPlan& plan = network.GetFabric();
    for (LinkIndex i; i < plan.GetLinks().GetEnd(); ++i)
    {
        const FabricLink& link = plan.GetLinks()[i];
        if (!network.IsLocal(link.a))
        {
            continue;
        }
        const auto device = DynamicCast<EthernetNetDevice>(network.GetPort(link.a, link.aPort));
        AIDC_REFUSED_UNLESS(device, "RankTimeline: expected Ethernet devices");
        device->TraceConnectWithoutContext(
            "LinkState",
            Callback<void, bool>([instants = std::weak_ptr<Instants>(m_instants),
                                  getTime = m_getTime,
                                  name = plan.GetPortName(link.a, link.aPort)](bool isUp) {
                if (const auto known = instants.lock())
                {
                    known->emplace_back(getTime().GetNanoSeconds(),
                                        (isUp ? "link up: " : "link down: ") + name);
                }
            }));
    }
}

RankTimeline::Waits
RankTimeline::ReadWaits(const Ptr<Node>& node)
{
    const auto nic = node->GetObject<RoceNic>();
    RoceWaitTimes sum;
    for (uint32_t i = 0; i < nic->GetNQueuePairs(); ++i)
    {
        const auto waits = nic->GetQueuePair(RoceNic::FIRST_QP + i).GetWaitTimes();
        sum.pause += waits.pause;
        sum.rate += waits.rate;
        sum.window += waits.window;
        sum.retransmission += waits.retransmission;
    }
    return {std::llround(sum.pause),
            std::llround(sum.rate),
            std::llround(sum.window),
            std::llround(sum.retransmission)};
}

void
RankTimeline::Take()
{
    m_sampleTimes.push_back(GetTime());
    for (const auto& [rank, host] : m_hosts)
    {
        m_waits[rank].push_back(ReadWaits(host));
    }
}

void
RankTimeline::Sample()
{
    NoteEndlessTimer();
    Take();
    if (m_sampleTimes.size() > m_maxIntervals)
    {
        // Waits are sums from the start: without every second sample, two intervals are one
        const auto thin = [](auto& samples) {
            for (std::size_t i = 0; 2 * i < samples.size(); ++i)
            {
                samples[i] = samples[2 * i];
            }
            samples.resize((samples.size() + 1) / 2);
        };
        thin(m_sampleTimes);
        for (auto& [rank, samples] : m_waits)
        {
            thin(samples);
        }
        m_interval = m_interval + m_interval;
    }
    m_event = Simulator::Schedule(m_interval, &RankTimeline::Sample, this);
}

void
RankTimeline::Stop()
{
    m_event.Cancel();
    if (!m_sampleTimes.empty() && GetTime() > m_sampleTimes.back())
    {
        Take();
    }
}

std::vector<OperationIntervals>
RankTimeline::GetTimes() const
{
    const int64_t now = GetTime();
    std::vector<OperationIntervals> all;
    for (const auto& state : m_ranks.GetRankStates())
    {
        OperationIntervals& own = all.emplace_back();
        own.reserve(state.times.size());
        for (const auto& times : state.times)
        {
            const int64_t begin = times.start.GetNanoSeconds();
            own.push_back({{begin, times.hasEnded ? times.end.GetNanoSeconds() : now},
                           times.hasStarted,
                           times.hasEnded,
                           times.isLeapt});
        }
    }
    return all;
}

void
RankTimeline::Write(const std::string& path) const
{
    WorkloadTimeline timeline(m_ranks.GetPlan(), GetTimes());
    const auto sums = timeline.GetSums();
    const uint32_t slowest = FindSlowestRank(sums);
    timeline.AddNote("slowest_rank", std::to_string(slowest));
    timeline.AddNote("slowest_rank_computation", FormatMicros(sums[slowest].computation) + " us");
    timeline.AddNote("slowest_rank_exposed", FormatMicros(sums[slowest].exposed) + " us");
    timeline.AddNote("slowest_rank_finish", FormatMicros(sums[slowest].finish) + " us");
    for (const auto& [name, text] : m_notes)
    {
        timeline.AddNote(name, text);
    }

    const auto records = m_ranks.GetRankRecords();
    for (uint32_t rank = 0; rank < records.size(); ++rank)
    {
        if (!records[rank].failure.empty())
        {
            timeline.AddInstant(rank,
                                records[rank].failureTime.GetNanoSeconds(),
                                records[rank].failure);
        }
    }
    std::ostringstream own;
    for (const auto& [time, name] : *m_instants)
    {
        own << time << ' ' << name.size() << ' ' << name << '\n';
    }
    for (const auto& text : MpiProcesses::Get().Gather(own.str()))
    {
        std::istringstream lines(text);
        int64_t time = 0;
        std::size_t size = 0;
        while (lines >> time >> size && lines.get() == ' ')
        {
            std::string name(size, ' ');
            lines.read(name.data(), static_cast<std::streamsize>(size));
            timeline.AddInstant(std::nullopt, time, name);
        }
    }

    std::vector<PlacedItem<WaitItem>> items;
    for (const auto& [rank, samples] : m_waits)
    {
        Waits last{};
        for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        {
            Waits waits;
            std::transform(samples[i + 1].begin(),
                           samples[i + 1].end(),
                           samples[i].begin(),
                           waits.begin(),
                           std::minus<>());
            if (waits != Waits{} || last != Waits{})
            {
                items.push_back({rank, {rank, waits, m_sampleTimes[i]}});
            }
            last = waits;
        }
        if (last != Waits{})
        {
            items.push_back({rank, {rank, Waits{}, m_sampleTimes.back()}});
        }
    }
    for (const auto& item : GatherInOrder(items))
    {
        TraceArguments values;
        for (std::size_t i = 0; i < WAIT_CAUSES.size(); ++i)
        {
            values.AddMicros(WAIT_CAUSES[i], std::max<int64_t>(0, item.waits[i]));
        }
        timeline.AddCounter(item.rank, "waits", item.time, values);
    }

    ResultFile file(path, "");
    timeline.Write(file);
    file.Close();
}

} // namespace ns3::aidc
