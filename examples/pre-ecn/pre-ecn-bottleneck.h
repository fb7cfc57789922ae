/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_BOTTLENECK_H
#define AIDC_PRE_ECN_BOTTLENECK_H

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/domain-message.h"
#include "ns3/marking-queue.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/pre-ecn-queue-disc.h"
#include "ns3/process-gather.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// What a packet takes on a link of Ethernet besides its own bytes: header, check sequence,
/// preamble and gap.
constexpr uint64_t FRAME_OVERHEAD = 38;

} // namespace

/// @ingroup aidc
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

    /// Find out what was sampled. Of several processes (MpiProcesses), each one calls it after the
    /// simulation.
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
        // Of the packet under way, only what has left: the link cannot be busier than always.
        const Time rest = Max(m_linkFree - Simulator::Now(), Time());
        m_linkBytes.push_back(
            begun - static_cast<uint64_t>(rest.GetSeconds() * static_cast<double>(m_rate) / 8));
    }

    /// Get the part of the time that the link was busy from the first packet on.
    /// @param interval the time between two samples
    /// @param end until when
    /// @return from 0 to 1; 0 if there was no packet
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

    /// Write the samples, with the marks since the one before.
    /// @param path the file
    /// @param interval the time between two samples
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
    /// Take note of the queue. @param after bytes
    void NotifyOccupancy(uint64_t, uint64_t after)
    {
        m_longest = std::max(m_longest, after);
    }

    /// Take note of a mark: LIGHT for ECT(1), SEVERE for CE. The average queue is in bytes.
    void NotifyCongestionMark(Ptr<const QueueDiscItem>, CongestionSeverity severity, double)
    {
        m_nLight += severity == CongestionSeverity::LIGHT ? 1 : 0;
    }

    /// Take note of a packet that leaves by the link. @param item the packet
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

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_BOTTLENECK_H
