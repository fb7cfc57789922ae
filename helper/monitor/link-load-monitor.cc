// SPDX-License-Identifier: GPL-2.0-only

#include "link-load-monitor.h"

#include "../../model/core/require-argument.h"

#include "ns3/node.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/warning.h"

#include <algorithm>

namespace ns3::aidc
{

LinkLoadMonitor::LinkLoadMonitor(Time interval)
    : m_interval(interval)
{
    AIDC_REFUSED_UNLESS(interval.IsStrictlyPositive(),
                        "LinkLoadMonitor: expected an interval above 0, found " << interval);
}

LinkLoadMonitor::~LinkLoadMonitor()
{
    m_event.Cancel();
}

void
LinkLoadMonitor::AddGroup(const std::vector<Ptr<NetDevice>>& ports)
{
    std::vector<Port> group;
    for (const auto& device : ports)
    {
        const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
        Port port;
        port.queueDisc = layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr;
        AIDC_REFUSED_IF(!port.queueDisc,
                        "LinkLoadMonitor: device " << device->GetIfIndex() << " of node "
                                                   << device->GetNode()->GetId()
                                                   << " has no root queue disc");
        group.push_back(port);
    }
    m_groups.push_back(group);
}

void
LinkLoadMonitor::Start()
{
    for (auto& group : m_groups)
    {
        for (auto& port : group)
        {
            port.sentBytes = port.queueDisc->GetStats().nTotalSentBytes;
        }
    }
    m_event = Simulator::Schedule(m_interval, &LinkLoadMonitor::Sample, this);
}

void
LinkLoadMonitor::Sample()
{
    NoteEndlessTimer();
    Take();
    m_event = Simulator::Schedule(m_interval, &LinkLoadMonitor::Sample, this);
}

void
LinkLoadMonitor::Take()
{
    for (auto& group : m_groups)
    {
        uint64_t least = UINT64_MAX;
        uint64_t most = 0;
        uint64_t all = 0;
        for (auto& port : group)
        {
            const uint64_t sentBytes = port.queueDisc->GetStats().nTotalSentBytes;
            const uint64_t bytes = sentBytes - port.sentBytes;
            port.sentBytes = sentBytes;
            least = std::min(least, bytes);
            most = std::max(most, bytes);
            all += bytes;
        }
        m_spread += most - least;
        m_bytes[group.size()] += all;
    }
}

double
LinkLoadMonitor::GetSpread() const
{
    return static_cast<double>(SumOverProcesses(m_spread));
}

double
LinkLoadMonitor::GetMean() const
{
    // Whole numbers first, so that the last digits do not depend on the number of processes
    std::vector<PlacedItem<uint64_t>> own; // by the size of a group
    for (const auto& [size, sum] : m_bytes)
    {
        own.push_back({size, sum});
    }
    std::map<std::size_t, uint64_t> bytes;
    for (const auto& [size, sum] : GatherItems(own))
    {
        bytes[size] += sum;
    }
    double mean = 0;
    for (const auto& [size, sum] : bytes)
    {
        mean += static_cast<double>(sum) / static_cast<double>(size);
    }
    return mean;
}

} // namespace ns3::aidc
