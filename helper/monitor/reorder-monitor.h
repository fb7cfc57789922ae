// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_REORDER_MONITOR_H
#define AIDC_REORDER_MONITOR_H

#include "ns3/flow-key.h"
#include "ns3/ipv4-header.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/process-gather.h"

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace ns3::aidc
{

/// Counts packets that arrive out of order (RFC 4737: Type-P-Reordered).
///
/// A packet is reordered if a packet of the same flow that was sent after it has arrived before it.
/// The order of sending is the order of the identification in the IPv4 header, which ns-3 counts
/// for each pair of addresses and protocol. So a retransmission is a packet like any other. A pair
/// of hosts must have fewer than 32,768 packets under way at once. The monitor must outlive the
/// simulation. With several processes (MpiProcesses), each one adds its own hosts, and reads the
/// results of all at the same points.
class ReorderMonitor
{
  public:
    ReorderMonitor() = default;

    ReorderMonitor(const ReorderMonitor&) = delete;
    ReorderMonitor& operator=(const ReorderMonitor&) = delete;

    /// @param hosts the receiving hosts, which have IPv4
    void Add(const NodeContainer& hosts);

    /// @return the number of packets that were delivered, acknowledgments included
    uint64_t GetPackets() const
    {
        return SumOverProcesses(m_hosts, &Host::packets);
    }

    /// @return the number of packets that arrived out of order
    uint64_t GetReorderedPackets() const
    {
        return SumOverProcesses(m_hosts, &Host::reordered);
    }

  private:
    /// The state of a host: a packet for many reaches each at another time.
    struct Host
    {
        std::unordered_map<FlowKey, uint16_t, FlowKeyHash> latest; //!< the latest identification
        uint64_t packets{0};                                       //!< packets delivered
        uint64_t reordered{0};                                     //!< packets out of order
    };

    /// Note a packet that is delivered.
    static void Deliver(Host& host, const Ipv4Header& header, const Packet& packet);

    std::deque<Host> m_hosts; //!< the hosts; callbacks point at them
};

} // namespace ns3::aidc

#endif // AIDC_REORDER_MONITOR_H
