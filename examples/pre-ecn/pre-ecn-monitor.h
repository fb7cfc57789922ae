// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRE_ECN_MONITOR_H
#define AIDC_PRE_ECN_MONITOR_H

#include "pre-ecn-network.h"

#include "ns3/callback.h"
#include "ns3/congestion-notifier.h"
#include "ns3/data-rate.h"
#include "ns3/domain-message.h"
#include "ns3/experiment-transport.h"
#include "ns3/flow-key.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/marking-queue.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/path-share-controller.h"
#include "ns3/path-share-wan-helper.h"
#include "ns3/pre-ecn-queue-disc.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/process-gather.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/result-file.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-packet.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/wan-reaction-monitor.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// What a packet takes on a link of Ethernet in addition to its own bytes: header, check sequence,
/// preamble and gap.
constexpr uint64_t FRAME_OVERHEAD = 38;

} // namespace

/// A queue at a bottleneck of PreEcnExperiment: how long it is, and what it marks.
class PreEcnBottleneck
{
  public:
    /// Watch a queue. @param queue the queue
    explicit PreEcnBottleneck(Ptr<MarkingQueue> queue)
        : m_queue(queue)
    {
        if (!queue)
        {
            return;
        }
        using C = PreEcnBottleneck;
        queue->TraceConnectWithoutContext("Occupancy", MakeCallback(&C::NotifyOccupancy, this));
        if (DynamicCast<PreEcnQueue>(queue))
        {
            queue->TraceConnectWithoutContext("CongestionMark",
                                              MakeCallback(&C::NotifyCongestionMark, this));
        }
    }

    PreEcnBottleneck(const PreEcnBottleneck&) = delete;
    PreEcnBottleneck& operator=(const PreEcnBottleneck&) = delete;

    /// Find out what was sampled. With several processes (MpiProcesses), each one calls it after
    /// the simulation.
    void Gather()
    {
        m_rate = SumOverProcesses(m_rate);
        m_longest = SumOverProcesses(m_longest);
        m_samples = GatherItems(m_samples);
        m_linkBytes = GatherItems(m_linkBytes);
        m_lightMarks = GatherItems(m_lightMarks);
        m_ceMarks = GatherItems(m_ceMarks);
    }

    /// Take a sample of the queue now.
    void Sample()
    {
        if (!m_queue)
        {
            return;
        }
        m_samples.push_back(m_queue->GetOccupancy());
        m_lightMarks.push_back(m_nLight);
        m_ceMarks.push_back(m_queue->GetQueueStatistics().markedPackets);
        if (!m_port)
        {
            // The queue knows its device once it is initialized.
            const auto device = m_queue->GetDevice();
            m_port = device->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
                device);
            DataRateValue rate;
            device->GetAttribute("DataRate", rate);
            m_rate = rate.Get().GetBitRate();
            m_port->TraceConnectWithoutContext(
                "Dequeue",
                MakeCallback(&PreEcnBottleneck::NotifyDequeue, this));
        }
        const auto& statistics = m_port->GetStats();
        const uint64_t begun = statistics.nTotalDequeuedBytes +
                               FRAME_OVERHEAD * uint64_t{statistics.nTotalDequeuedPackets};
        // Of the packet under way, only what has left: no link is busy for more than all the time.
        const Time rest = Max(m_linkFree - Simulator::Now(), Time());
        m_linkBytes.push_back(
            begun - static_cast<uint64_t>(rest.GetSeconds() * static_cast<double>(m_rate) / 8));
    }

    /// @return the part of the time, in intervals of samples until the end, that the link was busy
    /// from the first packet on; 0 if there was none
    double GetUtilization(Time interval, Time end) const
    {
        const auto first = std::find_if(m_linkBytes.begin(), m_linkBytes.end(), [](uint64_t bytes) {
            return bytes > 0;
        });
        const auto begin = static_cast<std::size_t>(first - m_linkBytes.begin());
        const auto last =
            std::min(m_linkBytes.size() - 1,
                     static_cast<std::size_t>(end.GetTimeStep() / interval.GetTimeStep()));
        if (begin >= last)
        {
            return 0;
        }
        const double seconds = static_cast<double>(last - begin) * interval.GetSeconds();
        const double busy = 8 * static_cast<double>(m_linkBytes[last] - *first) /
                            (seconds * static_cast<double>(m_rate));
        return std::min(busy, 1.0); // samples are whole bytes
    }

    /// Write the samples of an interval, with the marks since the one before.
    void Write(const std::string& path, Time interval) const
    {
        ResultFile file(path, "time_s,occupancy_byte,light_marks,ce_marks");
        for (std::size_t i = 0; i < m_samples.size(); ++i)
        {
            const std::size_t before = i > 0 ? i - 1 : 0;
            file << static_cast<double>(i) * interval.GetSeconds() << ',' << m_samples[i] << ','
                 << m_lightMarks[i] - m_lightMarks[before] << ','
                 << m_ceMarks[i] - m_ceMarks[before] << '\n';
        }
        file.Close();
    }

    /// @return the longest that the queue has been, in bytes
    uint64_t GetLongest() const
    {
        return m_longest;
    }

    /// @return the occupancies in bytes
    const std::vector<double>& GetSamples() const
    {
        return m_samples;
    }

  private:
    /// Record the queue. @param after bytes
    void NotifyOccupancy(uint64_t, uint64_t after)
    {
        m_longest = std::max(m_longest, after);
    }

    /// Record a mark: LIGHT for ECT(1), SEVERE for CE. The average queue is in bytes.
    void NotifyCongestionMark(Ptr<const QueueDiscItem>, CongestionSeverity severity, double)
    {
        m_nLight += severity == CongestionSeverity::LIGHT ? 1 : 0;
    }

    /// Record a packet that leaves by the link. @param item the packet
    void NotifyDequeue(Ptr<const QueueDiscItem> item)
    {
        // The port takes a packet when the link is free.
        m_linkFree = Simulator::Now() + DataRate(m_rate).CalculateBytesTxTime(static_cast<uint32_t>(
                                            item->GetSize() + FRAME_OVERHEAD));
    }

    Ptr<MarkingQueue> m_queue;          //!< the queue, null if it is of another process
    uint64_t m_rate{0};                 //!< of the link in bit/s
    Ptr<QueueDisc> m_port;              //!< all queues of the port
    Time m_linkFree;                    //!< when the packet under way has left
    std::vector<uint64_t> m_linkBytes;  //!< bytes that have left by the link, by sample
    uint64_t m_longest{0};              //!< the longest queue
    uint64_t m_nLight{0};               //!< packets marked ECT(1)
    std::vector<double> m_samples;      //!< occupancies in bytes
    std::vector<uint64_t> m_lightMarks; //!< packets marked ECT(1), by sample
    std::vector<uint64_t> m_ceMarks;    //!< packets marked CE, by sample
};

namespace
{

/// How often the queue is sampled.
const Time SAMPLE_INTERVAL = MicroSeconds(10);

/// Tell whether a packet has data that is sent or written.
bool
IsData(RoceOpcode opcode)
{
    return opcode < RoceOpcode::READ_REQUEST;
}

} // namespace

/// Watches PreEcnExperiment: the queues at the bottlenecks, and who reacts when.
///
/// Reactions are to congestion: a queue of the first data center's traffic, on any path, is longer
/// than T1 (WanReactionMonitor).
class PreEcnMonitor
{
  public:
    /// senders: whose reaction is watched; delay: one way, of the primary path between PEs
    PreEcnMonitor(const PreEcnSettings& settings,
                  const PreEcnNetwork& network,
                  const NodeContainer& senders,
                  Time delay)
        : m_settings(settings),
          m_roundTrip(2 * delay),
          m_reactions(settings.t1),
          m_preEcn(network.GetPreEcn()),
          m_shares(network.GetPathShares())
    {
        const auto bottlenecks = network.GetBottlenecks();
        for (uint32_t site = 0; site < bottlenecks.size(); ++site)
        {
            for (const auto& queue : bottlenecks[site])
            {
                m_bottlenecks.push_back(std::make_unique<PreEcnBottleneck>(queue));
                if (site == 0 && queue)
                {
                    m_reactions.AddQueue(queue);
                }
            }
        }
        AddEdges(network, senders);
        for (const auto& routers : {network.GetWan().GetCores(), network.GetWan().GetEdges()})
        {
            for (auto router = routers.Begin(); router != routers.End(); ++router)
            {
                const auto stack = (*router)->GetObject<Ipv4L3Protocol>();
                stack->TraceConnectWithoutContext(
                    "Drop",
                    Callback<void,
                             const Ipv4Header&,
                             Ptr<const Packet>,
                             Ipv4L3Protocol::DropReason,
                             Ptr<Ipv4>,
                             uint32_t>([this](const auto&...) { ++m_nDropped; }));
            }
        }
        uint32_t number = 0;
        for (uint32_t site = 0; site < bottlenecks.size(); ++site)
        {
            const auto& aidc = network.GetWan().GetAidc(site);
            for (const NodeIndex id : aidc.GetFabric().GetHosts())
            {
                AddHost(aidc.GetNode(id), number++, senders);
            }
        }
        Simulator::Schedule(Time(), &PreEcnMonitor::Sample, this);
    }

    PreEcnMonitor(const PreEcnMonitor&) = delete;
    PreEcnMonitor& operator=(const PreEcnMonitor&) = delete;

    /// Find out what was sampled. With several processes (MpiProcesses), each one calls it after
    /// the simulation, and calls the functions below, too.
    void Gather()
    {
        for (const auto& bottleneck : m_bottlenecks)
        {
            bottleneck->Gather();
        }
    }

    /// Add what was seen. end: when the WAN's traffic has ended, until which queues are looked at.
    void AddTo(ExperimentOutcome& outcome, Time end) const
    {
        AddQueues(outcome, end);
        AddReactions(outcome);
        const auto add = [&](const char* name, auto counter, const char* unit) {
            outcome.Add(name, SumOverHosts(m_nodes, counter), unit);
        };
        outcome.Add("reordered_packets", SumOverProcesses(m_hosts, &Host::nReordered), "packet");
        add("retransmitted_packets", &RoceNicStatistics::retransmittedPackets, "packet");
        add("timeouts", &RoceNicStatistics::timeouts, "1");
        add("cnps", &RoceNicStatistics::sentCnps, "packet");
        add("failed_queue_pairs", &RoceNicStatistics::errors, "1");
    }

    /// @return the part of the time until the end that the primary path's link from the first data
    /// center to the second was busy, from its first packet on
    double GetUtilization(Time end) const
    {
        return m_bottlenecks.front()->GetUtilization(SAMPLE_INTERVAL, end);
    }

    /// @return packets lost because a link was down: on it, or at a router without another way yet
    uint64_t GetLostPackets(const PreEcnNetwork& network) const
    {
        return network.GetWan().GetLostPackets() + SumOverProcesses(m_nDropped);
    }

    /// Get the longest that a queue at a bottleneck has been. @return bytes
    uint64_t GetLongestQueue() const
    {
        uint64_t longest = 0;
        for (const auto& bottleneck : m_bottlenecks)
        {
            longest = std::max(longest, bottleneck->GetLongest());
        }
        return longest;
    }

    /// Write the series queue and events.
    ///
    /// queue has a row every 10 us: `time_s`, `occupancy_byte` of the first bottleneck, and since
    /// the last row its `light_marks` and `ce_marks`. events has a row each time that something
    /// happens: `time_s`, `event`, `node`, `value`. Events are `cnp` (a sender of the first data
    /// center is told to slow down; its queue pair), `sender-rate` (bit/s of a sender's first queue
    /// pair, when it sends), `notification` (a PE accepts one; 1 for light, 2 for severe),
    /// `edge-rate` (what a PE allows the flows of the first rank, bit/s), `edge-path` (the path
    /// that it chooses for a flow).
    /// @param run the run
    void Write(const ExperimentRun& run) const
    {
        m_bottlenecks.front()->Write(run.GetSeriesPath("queue"), SAMPLE_INTERVAL);
        m_rows.Write(run.GetSeriesPath("events"), "time_s,event,node,value");
    }

  private:
    /// What has come for a queue pair, by numbers that do not wrap around.
    struct Arrivals
    {
        int64_t newest{0};             //!< the highest number
        std::map<int64_t, Time> holes; //!< when numbers from this one on had been passed over
    };

    /// What is known of a host.
    struct Host
    {
        uint32_t number{0};                    //!< its number among all
        bool isSender{false};                  //!< whether its reaction is watched
        std::map<uint32_t, Arrivals> arrivals; //!< by queue pair
        uint64_t nReordered{0};                //!< packets that others have overtaken
    };

    /// Count a packet with data that others have overtaken.
    void CountReordered(Host& host, uint32_t qp, uint32_t psn) const
    {
        auto& [newest, holes] = host.arrivals.try_emplace(qp, Arrivals{psn, {}}).first->second;
        const int64_t distance = SubtractPsn(psn, static_cast<uint32_t>(newest));
        if (distance > 1)
        {
            holes[newest + 1] = Simulator::Now();
        }
        else if (distance < 0)
        {
            // A repeated packet comes a round trip after the hole was seen, at the earliest.
            const auto next = holes.upper_bound(newest + distance);
            host.nReordered +=
                next != holes.begin() && Simulator::Now() - std::prev(next)->second < m_roundTrip;
        }
        newest = std::max(newest, newest + distance);
    }

    /// Record a packet that has arrived.
    void Receive(Host& host, uint32_t qp, const RocePacket& packet)
    {
        if (packet.opcode == RoceOpcode::CNP)
        {
            if (host.isSender)
            {
                AddRow("cnp", host.number, qp);
            }
        }
        else if (IsData(packet.opcode))
        {
            CountReordered(host, qp, packet.psn);
        }
    }

    /// Add a row for an event at a node.
    void AddRow(const std::string& event, uint32_t node, uint64_t value)
    {
        std::ostringstream row;
        row << std::setprecision(9) << Simulator::Now().GetSeconds() << ',' << event << ',' << node
            << ',' << value;
        m_rows.Add(event + std::to_string(node), row.str());
    }

    /// Watch a host, if this process simulates it.
    void AddHost(Ptr<Node> node, uint32_t number, const NodeContainer& senders)
    {
        if (!RoceHelper::IsLocal(node))
        {
            return;
        }
        Host* host = &m_hosts.emplace_back();
        host->number = number;
        host->isSender = std::find(senders.Begin(), senders.End(), node) != senders.End();
        const auto nic = RoceHelper::GetNic(node);
        m_nodes.Add(node);
        nic->TraceConnectWithoutContext("Rx",
                                        Callback<void, uint32_t, const RocePacket&>(
                                            [this, host](uint32_t qp, const RocePacket& packet) {
                                                Receive(*host, qp, packet);
                                            }));
        if (host->isSender)
        {
            nic->TraceConnectWithoutContext(
                "Rate",
                Callback<void, uint32_t, uint64_t>([this, number](uint32_t qp, uint64_t rate) {
                    if (qp == RoceNic::FIRST_QP)
                    {
                        AddRow("sender-rate", number, rate);
                    }
                }));
            m_reactions.AddSender(nic);
        }
    }

    /// Watch the PEs. @param network the network @param senders the hosts whose reaction is watched
    void AddEdges(const PreEcnNetwork& network, const NodeContainer& senders)
    {
        const auto& plan = network.GetWan().GetPlan();
        const auto& aidc = network.GetWan().GetAidc(0);
        const auto& hosts = aidc.GetFabric().GetHosts();
        const auto first = std::find_if(hosts.begin(), hosts.end(), [&](NodeIndex id) {
            return aidc.GetNode(id) == senders.Get(0);
        });
        for (const auto& [router, controller] : m_preEcn.GetControllers())
        {
            if (plan.GetRouters()[router].site != 0)
            {
                continue;
            }
            const uint32_t number = router.value;
            controller->TraceConnectWithoutContext(
                "Notification",
                Callback<void, const CongestionNotification&>(
                    [this, number](const CongestionNotification& notification) {
                        AddRow("notification",
                               number,
                               static_cast<uint64_t>(notification.severity));
                    }));
            controller->TraceConnectWithoutContext(
                "Rate",
                Callback<void, const FlowKey&, uint64_t, uint64_t>(
                    [this, number, host = aidc.GetAddress(*first).Get()](const FlowKey& flow,
                                                                         uint64_t,
                                                                         uint64_t rate) {
                        if (flow.source == host)
                        {
                            AddRow("edge-rate", number, std::min(rate, PreEcnSettings::HOST_RATE));
                        }
                    }));
            controller->TraceConnectWithoutContext(
                "Path",
                Callback<void, const FlowKey&, uint32_t, uint32_t>(
                    [this, number](const FlowKey&, uint32_t, uint32_t path) {
                        AddRow("edge-path", number, path);
                    }));
            m_reactions.AddEdge(controller);
            const auto shares = m_shares.GetControllers().find(router);
            if (shares != m_shares.GetControllers().end())
            {
                shares->second->TraceConnectWithoutContext(
                    "Path",
                    Callback<void, const FlowKey&, uint32_t, uint32_t, uint32_t>(
                        [this, number](const FlowKey&, uint32_t, uint32_t, uint32_t path) {
                            AddRow("edge-path", number, path);
                        }));
                m_reactions.AddEdge(shares->second);
            }
        }
    }

    /// Add how the queues were. @param outcome where the metrics go @param end until when
    void AddQueues(ExperimentOutcome& outcome, Time end) const
    {
        // The longest one at each time
        const auto nSamples =
            static_cast<std::size_t>(end.GetTimeStep() / SAMPLE_INTERVAL.GetTimeStep()) + 1;
        std::vector<double> samples(std::min(nSamples, m_bottlenecks.front()->GetSamples().size()));
        for (const auto& bottleneck : m_bottlenecks)
        {
            std::transform(samples.begin(),
                           samples.end(),
                           bottleneck->GetSamples().begin(),
                           samples.begin(),
                           [](double a, double b) { return std::max(a, b); });
        }
        const auto getShareOver = [&samples](uint32_t bytes) {
            const auto n = std::count_if(samples.begin(), samples.end(), [bytes](double sample) {
                return sample > bytes;
            });
            return static_cast<double>(n) / static_cast<double>(samples.size());
        };
        const double overT1 = getShareOver(m_settings.t1);
        const double overT2 = getShareOver(m_settings.t2);
        outcome.Add("queue_p99", Percentile(samples, 0.99), "byte");
        outcome.Add("queue_max", GetLongestQueue(), "byte");
        outcome.Add("share_below_t1", 1 - overT1, "1");
        outcome.Add("share_light", overT1 - overT2, "1");
        outcome.Add("share_severe", overT2, "1");
    }

    /// Add who has reacted when. @param outcome where the metrics go
    void AddReactions(ExperimentOutcome& outcome) const
    {
        outcome.Add("edge_reaction_time", m_reactions.GetEdgeReactionTime(), "s");
        outcome.Add("sender_reaction_time", m_reactions.GetSenderReactionTime(), "s");
        uint64_t nNotifications = 0;
        for (const auto& notifier : m_preEcn.GetNotifiers())
        {
            const auto& statistics = notifier->GetStatistics();
            nNotifications += statistics.rates + statistics.light + statistics.severe;
        }
        uint64_t nMigrations = 0;
        for (const auto& controller : m_preEcn.GetControllers())
        {
            nMigrations += controller.second->GetStatistics().pathChanges;
        }
        for (const auto& controller : m_shares.GetControllers())
        {
            nMigrations += controller.second->GetStatistics().moves;
        }
        outcome.Add("notifications", SumOverProcesses(nNotifications), "packet");
        outcome.Add("migrations", SumOverProcesses(nMigrations), "1");
    }

    /// Take a sample of the queue now, and again later.
    void Sample()
    {
        for (const auto& bottleneck : m_bottlenecks)
        {
            bottleneck->Sample();
        }
        Simulator::Schedule(SAMPLE_INTERVAL, &PreEcnMonitor::Sample, this);
    }

    const PreEcnSettings& m_settings; //!< what the user has set
    const Time m_roundTrip;           //!< of the primary path between PEs
    std::vector<std::unique_ptr<PreEcnBottleneck>> m_bottlenecks; //!< the bottlenecks
    WanReactionMonitor m_reactions;                               //!< who reacts when
    std::deque<Host> m_hosts;                                     //!< the hosts
    NodeContainer m_nodes;                                        //!< their nodes
    PreEcnWanHelper m_preEcn;                                     //!< what notifies and reacts
    PathShareWanHelper m_shares;                                  //!< what steers by share
    MonitorSeriesRows m_rows;                                     //!< what has happened
    uint64_t m_nDropped{0}; //!< packets that stacks of routers have dropped
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_MONITOR_H
