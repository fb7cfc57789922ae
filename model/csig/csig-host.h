// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_HOST_H
#define AIDC_CSIG_HOST_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-flow-rule.h"
#include "../core/csig/csig-requester.h"
#include "csig-domain.h"
#include "csig-host-flows.h"

#include "ns3/csig-signal.h"
#include "ns3/flow-key.h"
#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/packet.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
class Node;
} // namespace ns3

namespace ns3::aidc
{

class CsigL4Protocol;
class CsigTcpSegments;

/// CSIG on a host: tags the packets that it sends, reflects the tags that it receives, and
/// hands the reflections from other hosts to its users (sections 4.2 to 4.4 and 6.3 of
/// draft-ravi-ippm-csig-01).
///
/// It stands between IPv4 on one side, TCP and UDP on the other, which do not notice it, like a
/// network adapter with CSIG offload:
/// - TCP: SYN and SYN/ACK carry the option without data, and so agree on CSIG. From then on
///   segments with data are tagged, and each segment that leaves reflects new tags, if the option
///   fits into the header and the segment stays within the MTU; otherwise a later one does. On
///   arrival the option is removed.
/// - UDP: with TagUdp, datagrams are tagged; the application puts the reflection into its payload
///   (AddReflection, RemoveReflection).
///
/// A host is the sender of the packets that leave it and the receiver of the packets that arrive,
/// even of the same flow. The key of a flow is the key of the packets that this host sends: local
/// to remote. IPv6 passes unchanged.
///
/// Segments have to be small enough to leave room for the option; with data in both directions,
/// there would be none: see CsigHostHelper::GetSegmentSize. Changing the MSS option would be of no
/// use, because ns-3's TCP neither sends nor reads it.
class CsigHost : public Object
{
  public:
    /// Takes the signals of a flow.
    using SignalSink = CsigHostFlows::SignalSink;

    /// @return the TypeId
    static TypeId GetTypeId();

    CsigHost();
    ~CsigHost() override;

    /// Insert this between IPv4 and its transports, and aggregate it to the node.
    /// @param node the host; it has IPv4 with TCP or UDP, and no CsigHost yet
    void Install(Ptr<Node> node);

    /// Set the signals to ask for in turn.
    /// @param names their names (GetCsigName), separated by commas
    /// @return whether each is a signal; if not, nothing has changed
    bool SetSignals(const std::string& names);

    /// @return the names of the signals that are asked for, separated by commas
    std::string GetSignals() const;

    /// Set the domain. The default is a new CsigDomain.
    /// @param domain the domain, which must not change any more; an error in it is refused
    void SetDomain(Ptr<CsigDomain> domain);

    /// @return the domain, by which values are decoded
    Ptr<CsigDomain> GetDomain() const
    {
        return m_flows.domain;
    }

    /// Authorize flows to be tagged, in addition to the flows of earlier rules (section 9). Without
    /// the attribute AuthorizeAll, only flows that match a rule are tagged.
    /// @param rule the flows
    void Authorize(const CsigFlowRule& rule);

    /// Never tag packets that leave by a device: the other end drops tagged packets, or is outside
    /// the domain (sections 6.3.1 and 6.3.2).
    /// @param device the device
    void LeaveUntagged(Ptr<const NetDevice> device)
    {
        m_flows.untaggedDevices.push_back(device);
    }

    /// Hand the signals of a flow to a user from now on, and no longer to an earlier one.
    /// @param flow the flow, local to remote
    /// @param sink the user; a null callback ends it
    void SetSink(const FlowKey& flow, SignalSink sink);

    /// Get the newest signal of a flow.
    /// @param flow the flow, local to remote
    /// @param signal the signal
    /// @return fields and time; none if none has been reflected, or the flow is forgotten
    std::optional<CsigRequester::Signal> GetSignal(const FlowKey& flow, CsigSignal signal) const;

    /// Get the average of the reflections of a flow, over a longer time than the averages of
    /// devices: exponentially weighted, packet by packet (section 5.3.2).
    /// @param flow the flow, local to remote
    /// @param signal the signal
    /// @return the average of CsigReading::GetValue(), in the signal's unit, over the tags with a
    ///         value of some device; none if there is no such tag, or the flow is forgotten
    std::optional<double> GetAverage(const FlowKey& flow, CsigSignal signal) const;

    /// @return the flow of the TCP segment that has arrived last, local to remote. TCP gets the
    ///         segment at once, so this is the connection of the congestion control that calls
    const FlowKey& GetArrivingFlow() const;

    /// @param flow the flow, local to remote
    /// @return the capability of its path, as far as it is known
    CsigCapability GetCapability(const FlowKey& flow) const;

    /// Get the capability of a flow's path for one signal: devices may strip the tags of signals
    /// that they do not support (section 6.3.2).
    /// @param flow the flow, local to remote
    /// @param signal the signal
    /// @return whether tags of the signal arrive
    CsigCapability GetCapability(const FlowKey& flow, CsigSignal signal) const;

    /// @param flow a TCP connection, local to remote
    /// @return whether both ends have agreed to use CSIG
    bool IsAgreed(const FlowKey& flow) const;

    /// Put the reflection header before the payload of a datagram (section 4.2.2).
    /// @param payload the payload
    /// @param flow the flow that the datagram belongs to, local to remote
    void AddReflection(Ptr<Packet> payload, const FlowKey& flow);

    /// Remove the reflection header from the payload of a datagram, and take the reflection.
    /// @param payload the payload, which begins with the header
    /// @param flow the flow of this host's packets to the datagram's sender, local to remote
    /// @return whether there was one; if not, the payload is unchanged
    bool RemoveReflection(Ptr<Packet> payload, const FlowKey& flow);

    /// @return the statistics
    const CsigHostStatistics& GetStatistics() const
    {
        return m_flows.statistics;
    }

    /// @return the number of flows that are remembered
    uint32_t GetNFlows() const
    {
        return static_cast<uint32_t>(m_flows.table.GetSize());
    }

    /// @return the flows that are remembered, local to remote, in the order of their keys
    std::vector<FlowKey> GetFlows() const
    {
        return m_flows.table.GetKeys();
    }

    /// Signature of the trace sources Signal, Tag and TagSent.
    /// @param flow the flow, local to remote
    /// @param fields the data fields
    typedef void (*FieldsTracedCallback)(const FlowKey& flow, const CsigFields& fields);

    /// Signature of the trace source Capability.
    /// @param flow the flow, local to remote
    /// @param capability the present capability of its path
    typedef void (*CapabilityTracedCallback)(const FlowKey& flow, CsigCapability capability);

  protected:
    void DoDispose() override;

  private:
    /// Change a setting of requests. @throws std::invalid_argument once installed, if it is wrong
    template <typename T>
    void Change(T& setting, const T& value);

    /// Check that all signals can be asked for. @throws std::invalid_argument if one cannot
    void CheckRequests() const;

    /// List the type codes of the signals to ask for.
    void ListTypes();

    CsigHostSettings m_settings; //!< attributes
    CsigRequestPlan m_plan;      //!< requests for signals
    std::unique_ptr<CsigHostTraces> m_traces{
        std::make_unique<CsigHostTraces>()};              //!< the trace sources
    CsigHostFlows m_flows{m_settings, m_plan, *m_traces}; //!< the flows
    Ptr<CsigTcpSegments> m_segments;                      //!< CSIG in TCP segments
    std::vector<Ptr<CsigL4Protocol>> m_layers;            //!< below TCP and UDP
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HOST_H
