/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-reaction-monitor.h"

#include "ns3/callback.h"
#include "ns3/mpi-processes.h"
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
    m_queues.push_back(std::make_unique<Queue>());
    Queue* added = m_queues.back().get();
    added->threshold = m_threshold;
    queue->TraceConnectWithoutContext("Occupancy", MakeBoundCallback(&NoteOccupancy, added));
    queue->TraceConnectWithoutContext("Mark", MakeBoundCallback(&NoteMark, added));
}

void
WanReactionMonitor::AddSender(Ptr<RoceNic> nic)
{
    AddSender(nic, {});
}

void
WanReactionMonitor::AddSender(Ptr<RoceNic> nic, const std::set<uint32_t>& qps)
{
    m_senders.push_back(std::make_unique<Node>());
    m_senders.back()->qps = qps;
    nic->TraceConnectWithoutContext("Rx", MakeBoundCallback(&NotePacket, m_senders.back().get()));
}

void
WanReactionMonitor::AddEdge(Ptr<IngressEdgeController> controller)
{
    m_edges.push_back(std::make_unique<Node>());
    Node* added = m_edges.back().get();
    controller->TraceConnectWithoutContext("Rate", MakeBoundCallback(&NoteRate, added));
    controller->TraceConnectWithoutContext("Path", MakeBoundCallback(&NotePath, added));
}

void
WanReactionMonitor::AddEdge(Ptr<PathShareController> controller)
{
    m_edges.push_back(std::make_unique<Node>());
    controller->TraceConnectWithoutContext("Path",
                                           MakeBoundCallback(&NoteShare, m_edges.back().get()));
}

void
WanReactionMonitor::NoteOccupancy(Queue* queue, uint64_t, uint64_t after)
{
    if (queue->onset < 0 && after > queue->threshold)
    {
        queue->onset = Simulator::Now().GetNanoSeconds();
    }
}

void
WanReactionMonitor::NoteMark(Queue* queue, Ptr<const QueueDiscItem>, const char*)
{
    if (queue->firstMark < 0)
    {
        queue->firstMark = Simulator::Now().GetNanoSeconds();
    }
}

void
WanReactionMonitor::NotePacket(Node* sender, uint32_t qp, const RocePacket& packet)
{
    if (packet.opcode == RoceOpcode::CNP && (sender->qps.empty() || sender->qps.count(qp) > 0))
    {
        sender->reactions.push_back(Simulator::Now().GetNanoSeconds());
    }
}

void
WanReactionMonitor::NoteRate(Node* edge, const FlowKey&, uint64_t, uint64_t)
{
    edge->reactions.push_back(Simulator::Now().GetNanoSeconds());
}

void
WanReactionMonitor::NotePath(Node* edge, const FlowKey&, uint32_t, uint32_t)
{
    edge->reactions.push_back(Simulator::Now().GetNanoSeconds());
}

void
WanReactionMonitor::NoteShare(Node* edge, const FlowKey&, uint32_t, uint32_t, uint32_t)
{
    edge->reactions.push_back(Simulator::Now().GetNanoSeconds());
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
        const int64_t own = (*queue).*time;
        first = first < 0 || (own >= 0 && own < first) ? own : first;
    }
    return GetFirstOfProcesses(first);
}

double
WanReactionMonitor::GetReactionTime(const std::vector<std::unique_ptr<Node>>& nodes,
                                    int64_t since) const
{
    const int64_t onset = GetFirst(&Queue::onset);
    int64_t first = -1;
    for (const auto& node : nodes)
    {
        const auto found =
            std::find_if(node->reactions.begin(), node->reactions.end(), [since](int64_t time) {
                return since >= 0 && time >= since;
            });
        if (found != node->reactions.end() && (first < 0 || *found < first))
        {
            first = *found;
        }
    }
    first = GetFirstOfProcesses(first);
    return onset >= 0 && first >= 0 ? 1e-9 * static_cast<double>(first - onset) : std::nan("");
}

double
WanReactionMonitor::GetEdgeReactionTime() const
{
    return GetReactionTime(m_edges, GetFirst(&Queue::onset));
}

double
WanReactionMonitor::GetSenderReactionTime() const
{
    const int64_t firstMark = GetFirst(&Queue::firstMark);
    return GetReactionTime(m_senders, firstMark < 0 ? firstMark : firstMark + m_feedback);
}

} // namespace ns3::aidc
