/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-queue-monitor.h"

#include "sample-statistics.h"

#include "ns3/abort.h"
#include "ns3/endless-timer.h"
#include "ns3/find-marking-queues.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

#include <cmath>

namespace ns3::aidc
{

EcnQueueMonitor::EcnQueueMonitor(Time interval)
    : m_interval(interval)
{
    NS_ABORT_MSG_UNLESS(interval.IsStrictlyPositive(),
                        "EcnQueueMonitor: the interval must be positive, found " << interval);
}

EcnQueueMonitor::~EcnQueueMonitor()
{
    m_event.Cancel(); // Stop() may throw
}

void
EcnQueueMonitor::Add(Ptr<CoupledEcnQueue> queue)
{
    m_queues.push_back(std::make_unique<Queue>());
    auto counts = m_queues.back().get();
    counts->queue = queue;
    queue->TraceConnectWithoutContext("Mark",
                                      MakeBoundCallback(&EcnQueueMonitor::CountMark, counts));
    queue->TraceConnectWithoutContext("Drop",
                                      MakeBoundCallback(&EcnQueueMonitor::CountDrop, counts));
    if (queue->GetMode() != CoupledEcnQueue::COUPLED)
    {
        return;
    }
    queue->TraceConnectWithoutContext("RegionMark",
                                      MakeBoundCallback(&EcnQueueMonitor::CountRegionMark, counts));
    queue->TraceConnectWithoutContext("Region",
                                      MakeBoundCallback(&EcnQueueMonitor::NoteRegion, counts));
    queue->TraceConnectWithoutContext("Occupancy",
                                      MakeBoundCallback(&EcnQueueMonitor::NoteOccupancy, counts));
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
        {queue, ResultFile(path, "time_s,occupancy_byte,buf_thrd_byte,ecn_thrd_byte,region")});
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
        series.file.flush();
    }
}

uint64_t
EcnQueueMonitor::GetMarkedPackets() const
{
    return Sum(&Queue::marked);
}

uint64_t
EcnQueueMonitor::GetDroppedPackets() const
{
    return Sum(&Queue::dropped);
}

uint64_t
EcnQueueMonitor::GetDropsBeforeFirstMark() const
{
    return Sum(&Queue::droppedBeforeMark);
}

uint64_t
EcnQueueMonitor::GetMarkedPackets(EcnRegion region) const
{
    uint64_t sum = 0;
    for (const auto& queue : m_queues)
    {
        sum += queue->markedIn[static_cast<std::size_t>(region)];
    }
    return sum;
}

Time
EcnQueueMonitor::GetTimeInRegion(EcnRegion region) const
{
    Time sum;
    for (const auto& queue : m_queues)
    {
        queue->CountTime();
        sum += queue->timeIn[static_cast<std::size_t>(region)];
    }
    return sum;
}

double
EcnQueueMonitor::GetHeadroomAtFirstMark() const
{
    double sum = 0;
    uint32_t n = 0;
    for (const auto& queue : m_queues)
    {
        if (queue->marked > 0)
        {
            sum += queue->headroomAtFirstMark;
            ++n;
        }
    }
    return n > 0 ? sum / n : std::nan("");
}

uint64_t
EcnQueueMonitor::Sum(uint64_t Queue::* counter) const
{
    uint64_t sum = 0;
    for (const auto& queue : m_queues)
    {
        sum += (*queue).*counter;
    }
    return sum;
}

double
EcnQueueMonitor::GetOccupancyPercentile(double q) const
{
    return Percentile(m_samples, q);
}

double
EcnQueueMonitor::GetMaxOccupancy() const
{
    return Percentile(m_samples, 1);
}

void
EcnQueueMonitor::CountMark(Queue* queue, Ptr<const QueueDiscItem> /* item */, const char* /* why */)
{
    if (queue->marked++ == 0)
    {
        const auto share = queue->queue;
        queue->headroomAtFirstMark =
            static_cast<double>(share->GetThreshold()) - static_cast<double>(share->GetOccupancy());
    }
}

void
EcnQueueMonitor::CountRegionMark(Queue* queue,
                                 Ptr<const QueueDiscItem> /* item */,
                                 EcnRegion region)
{
    ++queue->markedIn[static_cast<std::size_t>(region)];
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
EcnQueueMonitor::NoteRegion(Queue* queue, EcnRegion /* before */, EcnRegion after)
{
    queue->CountTime();
    queue->region = after;
}

void
EcnQueueMonitor::NoteOccupancy(Queue* queue, uint64_t /* before */, uint64_t after)
{
    if (after == 0)
    {
        queue->CountTime();
        queue->holdsPackets = false;
    }
    else if (!queue->holdsPackets)
    {
        // The trace tells changes only, and the first region is that of an empty buffer.
        queue->region = queue->queue->GetRegion();
        queue->since = Simulator::Now();
        queue->holdsPackets = true;
    }
}

void
EcnQueueMonitor::CountDrop(Queue* queue, Ptr<const QueueDiscItem> /* item */, const char* /* why */)
{
    ++queue->dropped;
    queue->droppedBeforeMark += queue->marked == 0;
}

void
EcnQueueMonitor::Sample()
{
    NoteEndlessTimer();
    for (const auto& queue : m_queues)
    {
        m_samples.push_back(static_cast<double>(queue->queue->GetOccupancy()));
    }
    for (auto& series : m_series)
    {
        const auto& disc = series.queue;
        const auto share = disc;
        series.file << Simulator::Now().GetSeconds() << ',' << share->GetOccupancy() << ','
                    << share->GetThreshold() << ',' << disc->GetEcnThreshold() << ','
                    << (disc->GetMode() == CoupledEcnQueue::COUPLED ? ToChar(disc->GetRegion())
                                                                    : '-')
                    << '\n';
    }
    m_event = Simulator::Schedule(m_interval, &EcnQueueMonitor::Sample, this);
}

} // namespace ns3::aidc
