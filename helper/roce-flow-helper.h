// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_FLOW_HELPER_H
#define AIDC_ROCE_FLOW_HELPER_H

#include "fabric-helper.h"
#include "fabric-network.h"
#include "flow-records.h"
#include "network-path.h"

#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-work.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Sends flows over RoCEv2 between the hosts of a FabricHelper, and records them.
///
/// A flow is one message that is written to the destination's memory. It is complete when its last
/// byte has arrived. A flow that exceeds the largest message is several messages. A flow of 0
/// bytes, which never ends for TcpFlowHelper, is refused.
///
/// The ideal completion time is the time that the flow takes alone on an idle network, without
/// delays of the adapters: all packets back to back over a shortest path and paths equal to it,
/// store and forward (FlowRecords::GetSpreadSeconds()). A slowdown is never below 1.
///
/// The hosts have RoceNics (RoceHelper). As with TcpFlowHelper, flows are installed before the
/// simulation begins, and records outlive it. With several processes (MpiProcesses), each one
/// installs all flows.
class RoceFlowHelper : public FlowRecordsHelper
{
  public:
    /// Set whether flows from a host to another one share a queue pair, in which they follow one
    /// another.
    /// @param isShared whether they do; false by default, so that each flow has its own
    void SetSharedQueuePairs(bool isShared)
    {
        m_isShared = isShared;
    }

    /// Set the largest message of the flows that are installed later. Bytes count as delivered
    /// message by message.
    /// @param bytes the size, from 1 to 2^30, which is the default
    void SetMaxMessage(uint64_t bytes);

    /// Install flows. It may be called more than once, before the simulation begins.
    /// @param network the network, with its addresses assigned
    /// @param flows the flows
    /// @param name the name of the flow file, for errors
    /// @throws AidcInputError if an end of a flow is no host, or a flow has no bytes
    void Install(const FabricHelper& network,
                 const std::vector<FlowSpec>& flows,
                 const std::string& name = "flows");

    /// Record the messages of a queue pair.
    /// @param sender the host of the queue pair
    /// @param qp its number
    /// @param receiver the host of its peer
    /// @param receiverQp the number of its peer
    /// @param records the records; the id of a message and its immediate data are the index of its
    ///        flow there
    static void Record(const Ptr<Node>& sender,
                       uint32_t qp,
                       const Ptr<Node>& receiver,
                       uint32_t receiverQp,
                       const Ptr<FlowRecords>& records);

    /// Have a queue pair that Record() watches send a flow, from its start on.
    /// @param records the records, to which the flow is added
    /// @param flow the flow; its start is a time from now
    /// @param idealFct its completion time alone, 0 if that is not known
    /// @param host the host of the queue pair
    /// @param qp its number
    static void Post(const Ptr<FlowRecords>& records,
                     const FlowSpec& flow,
                     Time idealFct,
                     const Ptr<Node>& host,
                     uint32_t qp);

    /// Compute the ideal completion time of a flow.
    /// @param path the links, from the source to the destination
    /// @param bytes the size of the flow, at least 1
    /// @param pathMtu the payload of a full packet in bytes
    /// @param overhead the bytes that an IPv4 packet takes on a link in addition to its own
    /// @param isSpread whether packets may take other paths equal to it
    /// @return the time
    static Time GetIdealFct(const std::vector<FabricLink>& path,
                            uint64_t bytes,
                            uint32_t pathMtu,
                            FrameOverhead overhead,
                            bool isSpread = false);

    /// Get the delays from which the retransmission timeouts of a queue pair are derived.
    /// @param path its path, the same in both directions
    /// @param pathMtu the payload of a full packet in bytes
    /// @param overhead the bytes that an IPv4 packet takes on a link in addition to its own
    /// @return the idle round-trip time, and the longest wait with one congested link
    static RocePath GetPath(const NetworkPath& path, uint32_t pathMtu, FrameOverhead overhead)
    {
        return GetPath(path, path.GetWait(), pathMtu, overhead);
    }

    /// Get the same for a path within a network, with the longest pause that comes from outside.
    /// With several processes (MpiProcesses), each one calls it at the same point.
    /// @param network has the hosts
    /// @param source one host
    /// @param destination the other one
    /// @param pathMtu the payload of a full packet in bytes
    /// @return the idle round-trip time, and the longest waits
    static RocePath GetPath(const FabricHelper& network,
                            NodeIndex source,
                            NodeIndex destination,
                            uint32_t pathMtu);

    /// Compute the round-trip time of a full packet and its acknowledgment on an idle path.
    /// @param path the links, the same in both directions
    /// @param pathMtu the payload of a full packet in bytes
    /// @param overhead the bytes that an IPv4 packet takes on a link in addition to its own
    /// @return the time
    static Time GetBaseRtt(const std::vector<FabricLink>& path,
                           uint32_t pathMtu,
                           FrameOverhead overhead);

  private:
    /// Get the same as above, if the longest wait is known.
    static RocePath GetPath(const NetworkPath& path,
                            const PathWait& wait,
                            uint32_t pathMtu,
                            FrameOverhead overhead);

    /// pause: the longest pause that comes from outside of the network.
    void Install(const FabricHelper& network,
                 const FlowSpec& flow,
                 const NetworkPath& path,
                 const PathWait& wait,
                 Time pause);

    /// Connect the hosts of a flow. @return the number of the queue pair at the source
    uint32_t Connect(const FabricHelper& network, const FlowSpec& flow, const RocePath& path);

    bool m_isShared{false};                      //!< SetSharedQueuePairs()
    uint64_t m_maxMessage{ROCE_MAX_MESSAGE / 2}; //!< SetMaxMessage()
    /// The queue pairs at sources that flows share.
    std::map<std::pair<NodeIndex, NodeIndex>, uint32_t> m_shared;
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_FLOW_HELPER_H
