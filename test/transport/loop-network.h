// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LOOP_NETWORK_H
#define AIDC_LOOP_NETWORK_H

#include "roce-network.h"

#include "ns3/roce-helper.h"

// Hosts that send to one host by a congestion control, and what comes of it.

namespace aidctest
{

/// Hosts behind one switch that all send to the last one, which has a link as fast as theirs. The
/// queue of that link is sampled as often as a packet of 1250 bytes takes, and has no end.
class LoopNetwork : public RoceNetwork
{
  public:
    /// What was measured.
    struct Result
    {
        double throughput{0}; //!< of the link, payload, as a share of what it can carry
        double meanQueue{0};  //!< bytes
        double tailQueue{0};  //!< bytes, the 99th percentile
        double maxQueue{0};   //!< bytes
        double fairness{0};   //!< Jain's index of what hosts have sent
    };

    /// rate: the rate of links in bit/s. delay: the delay of a link in ns.
    LoopNetwork(uint32_t nSenders, uint64_t rate, int64_t delay)
        : RoceNetwork(MakeStar(nSenders + 1, rate, delay), 4300),
          m_nSenders(nSenders),
          m_rate(rate)
    {
        // A packet over two wires, and its acknowledgment, which has at most 128 bytes
        const double sent = 8e9 * 2 * (4236 + 128) / static_cast<double>(rate);
        path = RocePath(NanoSeconds(static_cast<int64_t>(sent) + 4 * delay));
        const uint32_t all = SharedBufferSwitchHelper::ALL_CLASSES;
        switches.SetQueueDisc(all, "ns3::FifoQueueDisc");
        switches.SetQueueDiscAttribute(all, "MaxSize", StringValue("1000MB"));
        constexpr uint8_t LONG_TIMEOUT = 14; // 67 ms: nothing is lost
        roce.SetAttribute("AckTimeout", UintegerValue(LONG_TIMEOUT));
        roce.SetAttribute("AckInterval", UintegerValue(4));
    }

    /// Send without end, and measure.
    Result Run(Time from, Time to, bool hasTelemetry)
    {
        Start();
        if (hasTelemetry)
        {
            IntHelper::Install(network.GetSwitches());
        }
        for (uint32_t i = 0; i < m_nSenders; ++i)
        {
            Write(i, m_nSenders, LONG_MESSAGE);
        }
        Simulator::Schedule(from, [this] {
            m_before = GetSent();
            m_received = GetNic(m_nSenders)->GetStatistics().receivedBytes;
            Sample();
        });
        RunFor(to);
        return Evaluate((to - from).GetSeconds());
    }

  private:
    /// More than a host sends in any test, in bytes.
    static constexpr uint64_t LONG_MESSAGE = 1000000000;

    /// Note the queue, now and from now on.
    void Sample()
    {
        m_queues.push_back(static_cast<double>(GetSwitchPort(m_nSenders)->GetQueuedBytes()));
        const auto interval = static_cast<int64_t>(10000000000000 / m_rate);
        Simulator::Schedule(NanoSeconds(interval), [this] { Sample(); });
    }

    /// Get what hosts have sent. Returns bytes of payload, by host.
    std::vector<double> GetSent() const
    {
        std::vector<double> sent;
        for (uint32_t i = 0; i < m_nSenders; ++i)
        {
            sent.push_back(static_cast<double>(GetNic(i)->GetStatistics().sentBytes));
        }
        return sent;
    }

    Result Evaluate(double seconds)
    {
        Result result;
        const double received =
            static_cast<double>(GetNic(m_nSenders)->GetStatistics().receivedBytes - m_received);
        result.throughput = received * 8 / seconds / static_cast<double>(m_rate);
        std::sort(m_queues.begin(), m_queues.end());
        for (const double queue : m_queues)
        {
            result.meanQueue += queue / static_cast<double>(m_queues.size());
        }
        result.tailQueue = m_queues[m_queues.size() * 99 / 100];
        result.maxQueue = m_queues.back();
        const auto after = GetSent();
        double sum = 0;
        double squares = 0;
        for (uint32_t i = 0; i < m_nSenders; ++i)
        {
            const double sent = after[i] - m_before[i];
            sum += sent;
            squares += sent * sent;
        }
        result.fairness = sum * sum / (m_nSenders * squares);
        return result;
    }

    uint32_t m_nSenders;          //!< hosts that send
    uint64_t m_rate;              //!< the rate of links, bit/s
    std::vector<double> m_before; //!< what hosts had sent at the beginning
    uint64_t m_received{0};       //!< what the last one had received
    std::vector<double> m_queues; //!< samples of the queue, bytes
};

} // namespace aidctest

#endif // AIDC_LOOP_NETWORK_H
