// SPDX-License-Identifier: GPL-2.0-only

#include "flow-records.h"

#include "ns3/mpi-processes.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// How often to check whether all flows are done.
const Time STOP_INTERVAL = MicroSeconds(10);

/// What the links of a path may round off in all.
const Time ROUNDING = NanoSeconds(10);

} // namespace

uint32_t
FlowRecords::Add(const FlowSpec& flow, Time idealFct)
{
    FlowRecord record;
    record.spec = flow;
    record.idealFct = idealFct;
    m_nWithEnd += flow.bytes > 0 ? 1 : 0;
    m_records.push_back(record);
    return static_cast<uint32_t>(m_records.size() - 1);
}

void
FlowRecords::AddDelivered(uint32_t index, uint64_t nBytes)
{
    FlowRecord& record = m_records[index];
    record.receivedBytes += nBytes;
    if (!record.isDone && record.spec.bytes > 0 && record.receivedBytes >= record.spec.bytes)
    {
        Finish(record, Simulator::Now());
    }
}

void
FlowRecords::Finish(FlowRecord& record, Time time)
{
    ++m_nDone;
    record.isDone = true;
    record.finish = time;
    record.fct = record.finish - record.spec.start;
    // Links round the time of a packet to the simulator's resolution, which is no better network.
    const bool isRounded = record.fct + ROUNDING >= record.idealFct;
    const double slowdown = record.fct.GetSeconds() / record.idealFct.GetSeconds();
    record.slowdown = isRounded ? std::max(1.0, slowdown) : slowdown;
}

void
FlowRecords::NoteFailure(uint32_t index, const std::string& cause)
{
    if (m_records[index].spec.bytes > 0)
    {
        m_failures.emplace(index, cause);
    }
}

double
FlowRecords::GetShareOfBytes(const std::vector<FlowRecord>& records)
{
    double delivered = 0;
    double sum = 0;
    for (const auto& record : records)
    {
        const auto bytes = static_cast<double>(record.spec.bytes);
        sum += bytes;
        delivered += std::min(bytes, static_cast<double>(record.receivedBytes));
    }
    return sum > 0 ? delivered / sum : 0;
}

void
FlowRecords::StopWhenDone()
{
    Simulator::Schedule(STOP_INTERVAL, &FlowRecords::LookWhetherDone, Ptr<FlowRecords>(this));
}

void
FlowRecords::LookWhetherDone()
{
    NoteEndlessTimer();
    // A node that stopped the simulation would find others a little ahead or behind.
    if (m_nWithEnd == 0)
    {
        return;
    }
    const auto& processes = MpiProcesses::Get();
    const auto total = static_cast<double>(m_nWithEnd);
    const double done = processes.Sum(static_cast<double>(m_nDone));
    if (done >= total)
    {
        Simulator::Stop();
        return;
    }
    const auto failed = static_cast<double>(CountFailed());
    const bool isFinished = processes.Sum(Simulator::IsFinished() ? 0 : 1) == 0;
    if (done + failed >= total || isFinished)
    {
        Gather();
        if (processes.IsFirst())
        {
            TellUser("the simulation stops at ",
                     Simulator::Now().As(Time::MS),
                     ": ",
                     DescribeUnfinished("nothing is scheduled any more"));
        }
        Simulator::Stop();
        return;
    }
    Simulator::Schedule(STOP_INTERVAL, &FlowRecords::LookWhetherDone, Ptr<FlowRecords>(this));
}

std::size_t
FlowRecords::CountFailed()
{
    const auto& processes = MpiProcesses::Get();
    if (processes.Sum(static_cast<double>(m_failures.size())) == 0)
    {
        return 0;
    }
    // The source's process knows that the source has given up, the sink's whether the flow is done.
    if (processes.GetN() > 1)
    {
        for (const auto& text : processes.Gather(WriteFailures()))
        {
            std::istringstream failures(text);
            ReadFailures(failures);
        }
    }
    const auto nDone =
        std::count_if(m_failures.begin(), m_failures.end(), [this](const auto& failure) {
            return m_records[failure.first].isDone;
        });
    return m_failures.size() - SumOverProcesses(static_cast<std::size_t>(nDone));
}

std::string
FlowRecords::WriteFailures() const
{
    std::ostringstream text;
    for (const auto& [index, cause] : m_failures)
    {
        text << index << ' ' << cause << '\n';
    }
    return text.str();
}

void
FlowRecords::ReadFailures(std::istream& text)
{
    uint32_t index = 0;
    std::string cause;
    while (text >> index && text.get() && std::getline(text, cause))
    {
        m_failures.emplace(index, cause);
    }
}

std::string
FlowRecords::DescribeUnfinished(const std::string& cause) const
{
    constexpr std::size_t SHOWN = 3;
    std::ostringstream text;
    text << m_nWithEnd - m_nDone << " of " << m_nWithEnd << " flows are not done:";
    std::size_t n = 0;
    for (uint32_t i = 0; i < m_records.size(); ++i)
    {
        const FlowRecord& record = m_records[i];
        if (record.isDone || record.spec.bytes == 0 || ++n > SHOWN)
        {
            continue;
        }
        const auto failure = m_failures.find(i);
        text << (n == 1 ? " " : "; ") << "flow " << i << " from " << record.spec.source << " to "
             << record.spec.destination << ", " << record.receivedBytes << " of "
             << record.spec.bytes << " bytes, "
             << (failure == m_failures.end() ? cause : failure->second);
    }
    if (n > SHOWN)
    {
        text << "; and " << n - SHOWN << " more";
    }
    return text.str();
}

void
FlowRecords::Gather()
{
    const auto& processes = MpiProcesses::Get();
    if (processes.GetN() == 1)
    {
        return;
    }
    // A flow is received by one process, may be given up by another one, and its ideal time is
    // known to either, or to all.
    std::ostringstream own;
    for (std::size_t i = 0; i < m_records.size(); ++i)
    {
        if (m_records[i].receivedBytes > 0 || m_records[i].idealFct.IsStrictlyPositive())
        {
            own << i << ' ' << m_records[i].receivedBytes << ' ' << m_records[i].isDone << ' '
                << m_records[i].finish.GetTimeStep() << ' ' << m_records[i].idealFct.GetTimeStep()
                << '\n';
        }
    }
    own << m_records.size() << '\n' << WriteFailures();
    const auto texts = processes.Gather(own.str());
    for (uint32_t process = 0; process < texts.size(); ++process)
    {
        if (process != processes.GetIndex())
        {
            Merge(texts[process]);
        }
    }
}

void
FlowRecords::Merge(const std::string& text)
{
    std::istringstream others(text);
    std::size_t index = 0;
    uint64_t bytes = 0;
    bool isDone = false;
    int64_t finish = 0;
    int64_t ideal = 0;
    while (others >> index && index < m_records.size() &&
           others >> bytes >> isDone >> finish >> ideal)
    {
        FlowRecord& record = m_records[index];
        record.receivedBytes = std::max(record.receivedBytes, bytes);
        record.idealFct = std::max(record.idealFct, Time(TimeStep(static_cast<uint64_t>(ideal))));
        if (isDone && !record.isDone)
        {
            Finish(record, TimeStep(finish));
        }
    }
    ReadFailures(others);
}

bool
FlowRecords::AreAllDone() const
{
    return SumOverProcesses(m_nDone) == m_nWithEnd;
}

uint64_t
FlowRecords::GetDeliveredBytes() const
{
    uint64_t sum = 0;
    for (const auto& record : m_records)
    {
        sum += record.receivedBytes;
    }
    return sum;
}

double
FlowRecords::GetDelaySeconds(const std::vector<FabricLink>& path)
{
    double delay = 0;
    for (const FabricLink& link : path)
    {
        delay += static_cast<double>(link.delay) / 1e9;
    }
    return delay;
}

double
FlowRecords::GetPipelineSeconds(const std::vector<FabricLink>& path,
                                uint64_t nPackets,
                                double fullBytes,
                                double lastBytes,
                                double gap)
{
    double gaps = 0;    // the time of the gaps of the links
    double first = 0;   // when the first full packet has passed the link
    double slowest = 0; // the longest time that a link so far needs for a full packet
    double end = 0;     // when the last packet has passed the link
    for (const FabricLink& link : path)
    {
        const auto rate = static_cast<double>(link.rate);
        gaps += 8 * gap / rate;
        first += 8 * fullBytes / rate;
        slowest = std::max(slowest, 8 * fullBytes / rate);
        const double others =
            nPackets > 1 ? first + static_cast<double>(nPackets - 2) * slowest : 0;
        end = std::max(end, others) + 8 * lastBytes / rate;
    }
    return end - gaps;
}

double
FlowRecords::GetSpreadSeconds(const std::vector<FabricLink>& path,
                              uint64_t nPackets,
                              double fullBytes,
                              double lastBytes,
                              double gap)
{
    if (nPackets == 1 || path.size() < 3)
    {
        return GetPipelineSeconds(path, nPackets, fullBytes, lastBytes, gap);
    }
    const auto firstRate = static_cast<double>(path.front().rate);
    const auto lastRate = static_cast<double>(path.back().rate);
    double between = 0; // sum of 8 / r of the links between the first and the last one
    for (std::size_t i = 1; i + 1 < path.size(); ++i)
    {
        between += 8 / static_cast<double>(path[i].rate);
    }
    const auto nFull = static_cast<double>(nPackets - 1);
    const double sent = 8 * nFull * fullBytes / firstRate;
    const double full = sent + fullBytes * between; // arrival of the last full packet
    const double last = sent + 8 * lastBytes / firstRate + lastBytes * between;
    const double step = std::max(8 * fullBytes / firstRate, 8 * fullBytes / lastRate);
    const double others = 8 * fullBytes / firstRate + fullBytes * between + (nFull - 1) * step +
                          8 * fullBytes / lastRate;
    const double service = 8 * lastBytes / lastRate;
    const double gaps = 8 * gap / firstRate + gap * between + 8 * gap / lastRate;
    const double end =
        last < full ? std::max(others, last + service) : std::max(last, others) + service;
    return end - gaps;
}

} // namespace ns3::aidc
