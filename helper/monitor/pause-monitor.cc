// SPDX-License-Identifier: GPL-2.0-only

#include "pause-monitor.h"

#include "ecn-queue-monitor.h"

#include "ns3/callback.h"
#include "ns3/priority-flow-control.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>

namespace ns3::aidc
{

void
PauseMonitor::Add(const NodeContainer& nodes)
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto buffer = (*node)->GetObject<SharedBuffer>();
        Switch* own = nullptr;
        if (buffer)
        {
            own = &m_switches.emplace_back();
            own->id = (*node)->GetId();
        }
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            const auto device = (*node)->GetDevice(i);
            const auto control = device->GetObject<PriorityFlowControl>();
            if (!control)
            {
                continue;
            }
            Port* port = &m_ports.emplace_back();
            control->TraceConnectWithoutContext(
                "Paused",
                Callback<void, uint32_t, bool>(
                    [port, priority = m_priority](uint32_t of, bool isPaused) {
                        if (of == priority)
                        {
                            NotePause(*port, isPaused);
                        }
                    }));
            if (!own)
            {
                continue;
            }
            const auto queues = EcnQueueMonitor::FindQueues(device);
            if (m_priority < queues.size())
            {
                own->queues.push_back(queues[m_priority]);
            }
            const auto ingress = buffer->GetIngress(i, m_priority);
            ingress->TraceConnectWithoutContext(
                "Xoff",
                Callback<void, bool>([own, account = PeekPointer(ingress)](bool isPaused) {
                    if (isPaused && !own->queues.empty())
                    {
                        NoteXoff(*own, *account);
                    }
                }));
        }
    }
}

void
PauseMonitor::NotePause(Port& port, bool isPaused)
{
    if (port.isPaused == isPaused)
    {
        return;
    }
    port.isPaused = isPaused;
    if (isPaused)
    {
        port.since = Simulator::Now();
        ++port.pauses;
    }
    else
    {
        port.paused += Simulator::Now() - port.since;
    }
}

void
PauseMonitor::NoteXoff(Switch& node, const IngressBuffer& ingress)
{
    const auto fullest =
        *std::max_element(node.queues.begin(), node.queues.end(), [](const auto& a, const auto& b) {
            return a->GetOccupancy() < b->GetOccupancy();
        });
    const auto depth = static_cast<double>(fullest->GetOccupancy());
    const auto threshold = static_cast<double>(fullest->GetEcnThreshold());
    ++node.xoffs;
    node.unmarked += depth < threshold ? 1 : 0;
    node.ratios += threshold / std::max(1.0, static_cast<double>(ingress.GetXoffThreshold()));
}

Time
PauseMonitor::GetPausedTime() const
{
    Time sum;
    for (const auto& port : m_ports)
    {
        sum += port.paused;
        if (port.isPaused)
        {
            sum += Simulator::Now() - port.since;
        }
    }
    return TimeStep(SumOverProcesses(static_cast<uint64_t>(sum.GetTimeStep())));
}

double
PauseMonitor::GetEcnOverXoff() const
{
    std::map<uint32_t, double> ratios;
    for (const auto& node : m_switches)
    {
        ratios[node.id] = node.ratios;
    }
    const double sum = SumByNode(ratios);
    const uint64_t n = GetXoffs();
    return n > 0 ? sum / static_cast<double>(n) : std::nan("");
}

} // namespace ns3::aidc
