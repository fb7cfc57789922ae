// SPDX-License-Identifier: GPL-2.0-only

#include "wan-reaction-monitor.h"

#include "ns3/callback.h"
#include "ns3/flow-key.h"
#include "ns3/mpi-processes.h"
#include "ns3/queue-item.h"
#include "ns3/roce-packet.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

WanReactionMonitor::WanReactionMonitor(uint64_t threshold, Time feedback)
    : m_threshold(threshold),
      m_feedback(feedback.GetNanoSeconds())
{
}

void
WanReactionMonitor::AddQueue(Ptr<MarkingQueue> queue)
{
    Queue* added = &m_queues.emplace_back();
    queue->TraceConnectWithoutContext(
        "Occupancy",
        Callback<void, uint64_t, uint64_t>(
            [added, threshold = m_threshold](uint64_t, uint64_t after) {
                if (added->onset < 0 && after > threshold)
                {
                    added->onset = Simulator::Now().GetNanoSeconds();
                }
            }));
    queue->TraceConnectWithoutContext("Mark",
                                      Callback<void, Ptr<const QueueDiscItem>, const char*>(
                                          [added](Ptr<const QueueDiscItem>, const char*) {
                                              if (added->firstMark < 0)
                                              {
                                                  added->firstMark =
                                                      Simulator::Now().GetNanoSeconds();
                                              }
                                          }));
}

void
WanReactionMonitor::AddSender(Ptr<RoceNic> nic, const std::set<uint32_t>& qps)
{
    Reactions* sender = &m_senders.emplace_back();
    nic->TraceConnectWithoutContext(
        "Rx",
        Callback<void, uint32_t, const RocePacket&>(
            [sender, qps](uint32_t qp, const RocePacket& packet) {
                if (packet.opcode == RoceOpcode::CNP && (qps.empty() || qps.count(qp) > 0))
                {
                    sender->push_back(Simulator::Now().GetNanoSeconds());
                }
            }));
}

void
WanReactionMonitor::AddEdge(Ptr<IngressEdgeController> controller)
{
    Reactions* edge = &m_edges.emplace_back();
    const auto note = [edge](const auto&...) {
        edge->push_back(Simulator::Now().GetNanoSeconds());
    };
    controller->TraceConnectWithoutContext(
        "Rate",
        Callback<void, const FlowKey&, uint64_t, uint64_t>(note));
    controller->TraceConnectWithoutContext(
        "Path",
        Callback<void, const FlowKey&, uint32_t, uint32_t>(note));
}

void
WanReactionMonitor::AddEdge(Ptr<PathShareController> controller)
{
    Reactions* edge = &m_edges.emplace_back();
    controller->TraceConnectWithoutContext(
        "Path",
        Callback<void, const FlowKey&, uint32_t, uint32_t, uint32_t>(
            [edge](const auto&...) { edge->push_back(Simulator::Now().GetNanoSeconds()); }));
}

int64_t
WanReactionMonitor::GetFirstOfProcesses(int64_t time)
{
    const auto own = time < 0 ? UINT64_MAX : static_cast<uint64_t>(time);
    const auto first = MpiProcesses::Get().GetLeast({own})[0];
    return first == UINT64_MAX ? -1 : static_cast<int64_t>(first);
}

int64_t
WanReactionMonitor::GetFirst(int64_t Queue::* time) const
{
    int64_t first = -1;
    for (const auto& queue : m_queues)
    {
        const int64_t own = queue.*time;
        first = first < 0 || (own >= 0 && own < first) ? own : first;
    }
    return GetFirstOfProcesses(first);
}

double
WanReactionMonitor::GetReactionTime(const std::deque<Reactions>& nodes, int64_t since) const
{
    const int64_t onset = GetFirst(&Queue::onset);
    int64_t first = -1;
    for (const auto& node : nodes)
    {
        const auto found = std::find_if(node.begin(), node.end(), [since](int64_t time) {
            return since >= 0 && time >= since;
        });
        if (found != node.end() && (first < 0 || *found < first))
        {
            first = *found;
        }
    }
    first = GetFirstOfProcesses(first);
    return onset >= 0 && first >= 0 ? 1e-9 * static_cast<double>(first - onset) : std::nan("");
}
} // namespace ns3::aidc
