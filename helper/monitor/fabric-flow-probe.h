// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_FLOW_PROBE_H
#define AIDC_FABRIC_FLOW_PROBE_H

#include "ns3/flow-classifier.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/flow-monitor.h"
#include "ns3/flow-probe.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv4-header.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/queue-item.h"

#include <cstdint>

namespace ns3::aidc
{

/// Tells ns-3's FlowMonitor of the packets that do not pass Ipv4L3Protocol.
///
/// FlowMonitor's own probes see the packets of ns-3's stack. This one sees, at one node, the
/// packets that a switch forwards on the fast path (SwitchDatapath), and the packets of RoCEv2 that
/// an adapter sends and receives (RoceNic), that a switch forwards, or that a queue disc drops.
/// RoCEv2's answers and notifications are packets of flows of their own, as TCP's acknowledgments
/// are. It is installed in addition to FlowMonitor's own probes:
///
///     FlowMonitorHelper flowMonitor;
///     Ptr<FlowMonitor> monitor = flowMonitor.InstallAll();
///     FabricFlowProbe::InstallAll(flowMonitor);
///
/// Switches, adapters and queue discs have to be installed before. Packets that a failed link loses
/// are lost for FlowMonitor when its MaxPerHopDelay is over. A packet inside a tunnel is not
/// counted where the tunnel's packets are forwarded. FlowMonitor follows packets within a process,
/// so there is one process (MpiProcesses).
class FabricFlowProbe : public FlowProbe
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Install a probe on each node.
    /// @param [in,out] helper the helper that has made, or makes, the monitor
    /// @param nodes the nodes
    static void Install(FlowMonitorHelper& helper, const NodeContainer& nodes);

    /// Install a probe on all nodes.
    /// @param [in,out] helper the helper that has made, or makes, the monitor
    static void InstallAll(FlowMonitorHelper& helper);

    /// Constructor.
    /// @param monitor the monitor
    /// @param classifier knows the flows of IPv4
    /// @param node the node
    FabricFlowProbe(Ptr<FlowMonitor> monitor, Ptr<Ipv4FlowClassifier> classifier, Ptr<Node> node);
    ~FabricFlowProbe() override;

  protected:
    void DoDispose() override;

  private:
    /// Whose packets count.
    enum TagsOf
    {
        ROCE, //!< packets of RoCEv2; FlowMonitor's own probe counts the stack's packets there
        ANY   //!< packets of ns-3's stack, too
    };

    /// How FlowMonitor is told of a packet: by ReportForwarding() or ReportLastRx().
    using Report = void (FlowMonitor::*)(Ptr<FlowProbe>, FlowId, FlowPacketId, uint32_t);

    /// A packet of RoCEv2 is sent.
    void NotifySent(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t device);

    /// A packet has arrived or is forwarded.
    void NotifySeen(TagsOf tagsOf, Report report, const Ipv4Header& header, const Packet& packet);

    /// A queue disc drops a packet. @param item the packet
    void NotifyDropped(Ptr<const QueueDiscItem> item);

    Ptr<Ipv4FlowClassifier> m_classifier; //!< knows the flows
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_FLOW_PROBE_H
