/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_BOTTLENECK_H
#define AIDC_PRE_ECN_BOTTLENECK_H

#include "ns3/domain-message.h"
#include "ns3/marking-queue.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// A queue at a bottleneck of PreEcnExperiment: how long it is, and what it marks.
class PreEcnBottleneck
{
  public:
    /// Watch a queue. @param queue the queue
    explicit PreEcnBottleneck(Ptr<MarkingQueue> queue);

    PreEcnBottleneck(const PreEcnBottleneck&) = delete;
    PreEcnBottleneck& operator=(const PreEcnBottleneck&) = delete;

    /// Find out what was sampled. Of several processes (MpiProcesses), each one calls it after the
    /// simulation.
    void Gather();

    /// Take a sample of the queue now.
    void Sample();

    /// Get the part of the time that the link was busy from the first packet on.
    /// @param interval the time between two samples
    /// @param end until when
    /// @return from 0 to 1; 0 if there was no packet
    double GetUtilization(Time interval, Time end) const;

    /// Write the samples, with the marks since the one before.
    /// @param path the file
    /// @param interval the time between two samples
    void Write(const std::string& path, Time interval) const;

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
    /// Take note of the queue. @param before bytes @param after bytes
    void NotifyOccupancy(uint64_t before, uint64_t after);

    /// Take note of a mark: LIGHT for ECT(1), SEVERE for CE. The average queue is in bytes.
    void NotifyCongestionMark(Ptr<const QueueDiscItem> item,
                              CongestionSeverity severity,
                              double average);

    /// Take note of a packet that leaves by the link. @param item the packet
    void NotifyDequeue(Ptr<const QueueDiscItem> item);

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
