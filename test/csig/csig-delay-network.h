// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_DELAY_NETWORK_H
#define AIDC_CSIG_DELAY_NETWORK_H

#include "csig-roce-network.h"

// A network of two leaves that measures what packets wait, for the test suites.

namespace aidctest
{

/// Bytes of a frame that only data reaches.
constexpr uint32_t DATA = 1000;

/// Hosts at one leaf that send to as many at another one, through a link as fast as theirs.
class DelayNetwork : public CsigRoceNetwork
{
  public:
    /// delay: the delay of a link in ns.
    DelayNetwork(uint32_t nHosts, int64_t delay)
        : CsigRoceNetwork(MakeTwoLeaves(nHosts, HOST_RATE, delay)),
          m_nHosts(nHosts)
    {
        // A packet over three wires, and its acknowledgment
        constexpr double SENT = 8 * 3 * (4178 + 86) / 100.0;
        m_baseRtt = NanoSeconds(static_cast<int64_t>(SENT) + 6 * delay);
    }

    /// Install what has been set, and note what packets wait at the first leaf.
    void StartDelays(Time from)
    {
        switches.SetQueueDisc(SharedBufferSwitchHelper::ALL_CLASSES, "ns3::FifoQueueDisc");
        switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                       "MaxSize",
                                       StringValue("100MB"));
        StartCsig();
        const auto& fabric = network.GetFabric();
        for (PortIndex port(1); port < fabric.GetPorts(NodeIndex(0)).GetEnd(); ++port)
        {
            ConnectTrace(network.GetPort(NodeIndex(0), port),
                         "PhyRxEnd",
                         [this](Ptr<const Packet> frame) {
                             if (frame->GetSize() > DATA)
                             {
                                 m_arrivals.push_back(Simulator::Now());
                             }
                         });
        }
        ConnectTrace(GetBottleneck(), "PhyTxBegin", [this, from](Ptr<const Packet> frame) {
            if (frame->GetSize() > DATA)
            {
                const double delay = (Simulator::Now() - m_arrivals.front()).ToDouble(Time::NS);
                m_arrivals.pop_front();
                if (Simulator::Now() >= from)
                {
                    sum += delay;
                    ++count;
                    longest = std::max(longest, delay);
                }
            }
        });
    }

    /// Get the port from one leaf to the other.
    Ptr<EthernetNetDevice> GetBottleneck() const
    {
        return DynamicCast<EthernetNetDevice>(network.GetPort(NodeIndex(0), PortIndex(0)));
    }

    /// Send a message by a queue pair of its own.
    void Send(uint32_t host, uint64_t nBytes, Time time = Time())
    {
        const auto nic = GetNic(host);
        const auto [first, second] = RoceHelper::Connect(nic, GetNic(m_nHosts + host), m_baseRtt);
        Watch(host, first);
        Watch(m_nHosts + host, second);
        RoceWork work;
        work.id = nBytes;
        work.nBytes = nBytes;
        const uint32_t qp = first;
        Simulator::Schedule(time, [nic, qp, work] { nic->Post(qp, work); });
    }

    double sum{0};     //!< of what packets have waited, in ns
    uint64_t count{0}; //!< packets
    double longest{0}; //!< the longest wait, in ns

  private:
    uint32_t m_nHosts;           //!< hosts that send
    Time m_baseRtt;              //!< the round trip of the idle path
    std::deque<Time> m_arrivals; //!< of packets that are not sent yet
};

} // namespace aidctest

#endif // AIDC_CSIG_DELAY_NETWORK_H
