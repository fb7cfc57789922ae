// SPDX-License-Identifier: GPL-2.0-only

#include "ecn-queue-monitor.h"

#include "../../model/core/require-argument.h"
#include "sample-statistics.h"

#include "ns3/mpi-processes.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/warning.h"

#include <algorithm>
#include <sstream>

namespace ns3::aidc
{

EcnQueueMonitor::EcnQueueMonitor(Time interval)
    : m_interval(interval)
{
    AIDC_REFUSED_UNLESS(interval.IsStrictlyPositive(),
                        "EcnQueueMonitor: the interval must be positive, found " << interval);
}

EcnQueueMonitor::~EcnQueueMonitor()
{
    m_event.Cancel(); // Stop() may throw
}

void
EcnQueueMonitor::Add(Ptr<CoupledEcnQueue> queue)
{
    AIDC_REFUSED_UNLESS(queue || MpiProcesses::Get().GetN() > 1,
                        "EcnQueueMonitor: expected a queue, found null");
    if (!queue)
    {
        return;
    }
    Queue* counts = &m_queues.emplace_back();
    counts->queue = queue;
    using Item = Ptr<const QueueDiscItem>;
    queue->TraceConnectWithoutContext(
        "Mark",
        Callback<void, Item, const char*>([counts](Item, const char*) { counts->NotifyMark(); }));
    queue->TraceConnectWithoutContext(
        "Drop",
        Callback<void, Item, const char*>([counts](Item, const char*) {
            ++counts->dropped;
            counts->droppedBeforeMark += counts->marked == 0;
        }));
    if (queue->GetMode() != CoupledEcnQueue::COUPLED)
    {
        return;
    }
    queue->TraceConnectWithoutContext(
        "RegionMark",
        Callback<void, Item, EcnRegion>([counts](Item, EcnRegion region) {
            ++counts->markedIn[static_cast<std::size_t>(region)];
        }));
    queue->TraceConnectWithoutContext(
        "Region",
        Callback<void, EcnRegion, EcnRegion>(
            [counts](EcnRegion, EcnRegion after) { counts->NotifyRegion(after); }));
    queue->TraceConnectWithoutContext(
        "Occupancy",
        Callback<void, uint64_t, uint64_t>(
            [counts](uint64_t, uint64_t after) { counts->NotifyOccupancy(after); }));
}

void
EcnQueueMonitor::AddPort(Ptr<NetDevice> device)
{
    for (const auto& queue : FindQueues(device))
    {
        Add(queue);
    }
}

std::vector<Ptr<CoupledEcnQueue>>
EcnQueueMonitor::FindQueues(Ptr<NetDevice> device)
{
    std::vector<Ptr<CoupledEcnQueue>> queues;
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    const auto root = layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr;
    for (const auto& placed : FindMarkingQueues(root))
    {
        if (const auto queue = DynamicCast<CoupledEcnQueue>(placed.queue))
        {
            queues.push_back(queue);
        }
    }
    return queues;
}

void
EcnQueueMonitor::WriteSeries(Ptr<CoupledEcnQueue> queue, const std::string& path)
{
    m_series.push_back(
        {queue, ResultFile(path, "time_s,occupancy_byte,buf_thrd_byte,ecn_thrd_byte,region"), ""});
}

void
EcnQueueMonitor::Start(Time delay)
{
    m_event = Simulator::Schedule(delay, &EcnQueueMonitor::Sample, this);
}

void
EcnQueueMonitor::Stop()
{
    m_event.Cancel();
    for (auto& series : m_series)
    {
        for (const auto& rows : MpiProcesses::Get().Gather(series.rows))
        {
            series.file << rows;
        }
        series.rows.clear();
        series.file.flush();
    }
}

uint64_t
EcnQueueMonitor::GetMarkedPackets(EcnRegion region) const
{
    uint64_t sum = 0;
    for (const auto& queue : m_queues)
    {
        sum += queue.markedIn[static_cast<std::size_t>(region)];
    }
    return SumOverProcesses(sum);
}

Time
EcnQueueMonitor::GetTimeInRegion(EcnRegion region) const
{
    Time sum;
    for (const auto& queue : m_queues)
    {
        sum += queue.timeIn[static_cast<std::size_t>(region)];
        sum +=
            queue.holdsPackets && queue.region == region ? Simulator::Now() - queue.since : Time();
    }
    return TimeStep(SumOverProcesses(static_cast<uint64_t>(sum.GetTimeStep())));
}

double
EcnQueueMonitor::GetHeadroomAtFirstMark() const
{
    double sum = 0; // whole numbers, whose order does not matter
    uint64_t n = 0;
    for (const auto& queue : m_queues)
    {
        if (queue.marked > 0)
        {
            sum += queue.headroomAtFirstMark;
            ++n;
        }
    }
    sum = MpiProcesses::Get().Sum(sum);
    n = SumOverProcesses(n);
    return n > 0 ? sum / static_cast<double>(n) : std::nan("");
}

double
EcnQueueMonitor::GetOccupancyPercentile(double q) const
{
    return Percentile(GatherItems(m_samples), q);
}

double
EcnQueueMonitor::GetMaxOccupancy() const
{
    std::vector<double> largest;
    if (!m_samples.empty())
    {
        largest.push_back(*std::max_element(m_samples.begin(), m_samples.end()));
    }
    return Percentile(GatherItems(largest), 1);
}

void
EcnQueueMonitor::Queue::NotifyMark()
{
    if (marked++ == 0)
    {
        headroomAtFirstMark =
            static_cast<double>(queue->GetThreshold()) - static_cast<double>(queue->GetOccupancy());
    }
}

void
EcnQueueMonitor::Queue::CountTime()
{
    if (holdsPackets)
    {
        timeIn[static_cast<std::size_t>(region)] += Simulator::Now() - since;
    }
    since = Simulator::Now();
}

void
EcnQueueMonitor::Queue::NotifyOccupancy(uint64_t occupancy)
{
    if (occupancy == 0)
    {
        CountTime();
        holdsPackets = false;
    }
    else if (!holdsPackets)
    {
        // The trace tells changes only, and the first region is an empty buffer's.
        region = queue->GetRegion();
        since = Simulator::Now();
        holdsPackets = true;
    }
}

void
EcnQueueMonitor::Sample()
{
    NoteEndlessTimer();
    for (const auto& queue : m_queues)
    {
        m_samples.push_back(static_cast<double>(queue.queue->GetOccupancy()));
    }
    for (auto& series : m_series)
    {
        const auto& queue = series.queue;
        if (!queue)
        {
            continue;
        }
        const bool isCoupled = queue->GetMode() == CoupledEcnQueue::COUPLED;
        std::ostringstream row;
        row << Simulator::Now().GetSeconds() << ',' << queue->GetOccupancy() << ','
            << queue->GetThreshold() << ',' << queue->GetEcnThreshold() << ','
            << (isCoupled ? ToChar(queue->GetRegion()) : '-') << '\n';
        if (MpiProcesses::Get().GetN() == 1)
        {
            series.file << row.str();
        }
        else
        {
            series.rows += row.str();
        }
    }
    m_event = Simulator::Schedule(m_interval, &EcnQueueMonitor::Sample, this);
}

} // namespace ns3::aidc
