// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_UDP_FLOW_HELPER_H
#define AIDC_CSIG_UDP_FLOW_HELPER_H

#include "../../model/core/csig/csig-fields.h"

#include "ns3/csig-bottlenecks.h"
#include "ns3/csig-domain.h"
#include "ns3/csig-signal.h"
#include "ns3/csig-udp-applications.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-key.h"
#include "ns3/flow-records.h"
#include "ns3/flow-spec-file.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// Lets a flow take another path when signals report congestion that it can avoid (section
/// 8.2.1 of draft-ravi-ippm-csig-01).
///
/// It is for flows of a CsigUdpSource. A TCP connection cannot change the fields that switches hash
/// without breaking.
class CsigPathBalancer
{
  public:
    /// Constructor.
    /// @param source the flow; it must not be disposed of before the balancer
    /// @param domain the domain; if its layout lacks stage or orientation, the program ends, unless
    ///        the policy treats the last hop like others
    /// @param signal the signal that decides
    /// @param settings when to take another path
    CsigPathBalancer(Ptr<CsigUdpSource> source,
                     Ptr<CsigDomain> domain,
                     CsigSignal signal,
                     const CsigPathPolicySettings& settings);
    ~CsigPathBalancer();

    CsigPathBalancer(const CsigPathBalancer&) = delete;
    CsigPathBalancer& operator=(const CsigPathBalancer&) = delete;

    /// @return the number of signals of congestion at the last hop, which were ignored
    uint64_t GetNLastHop() const
    {
        return m_nLastHop;
    }

  private:
    /// Handle the signal of a flow.
    void NoteSignal(const FlowKey& flow, const CsigFields& fields);

    Ptr<CsigUdpSource> m_source; //!< the flow
    Ptr<CsigDomain> m_domain;    //!< the domain
    CsigSignal m_signal;         //!< the signal that decides
    CsigPathPolicy m_policy;     //!< decides on other paths
    uint64_t m_nLastHop{0};      //!< signals of congestion at the last hop
};

/// How the flows of a CsigUdpFlowHelper send.
struct CsigUdpFlowSettings
{
    DataRate rate{"40Gbps"};            //!< payload of a flow
    uint32_t packetSize{8000};          //!< payload of a datagram in bytes
    uint16_t nPorts{16};                //!< source ports, of which a flow uses one at a time
    uint32_t answerPeriod{4};           //!< number of datagrams for each answer
    bool balances{false};               //!< whether flows take other paths when signals say so
    CsigPathPolicySettings policy;      //!< when they take other paths
    CsigSignal signal{CsigSignal::ABW}; //!< the signal that decides
};

/// Sends flows at a constant rate over UDP between the hosts of a FabricHelper, and records
/// them. Each is a CsigUdpSource and a CsigUdpSink, and may have a CsigPathBalancer.
///
/// The ideal completion time is the time that the flow takes alone: the time until its last
/// datagram is sent at its rate, plus the time of this datagram through the links and the
/// store-and-forward switches between them.
///
/// With several processes (MpiProcesses), each one installs all flows, and asks for results at the
/// same point.
class CsigUdpFlowHelper : public FlowRecordsHelper
{
  public:
    /// Install flows, before the simulation begins.
    /// @param network the network, with its addresses assigned
    /// @param domain the domain
    /// @param flows the flows, each of a size above 0
    /// @param settings how they send
    void Install(const FabricHelper& network,
                 Ptr<CsigDomain> domain,
                 const std::vector<FlowSpec>& flows,
                 const CsigUdpFlowSettings& settings);

    /// @return how often flows took another path
    uint64_t GetNRehashes() const;

    /// @param flow the flow, in the order in which flows were installed
    /// @return how often the flow took another path
    uint64_t GetNRehashesOf(std::size_t flow) const;

    /// @return the number of signals of congestion at the last hop, which were ignored
    uint64_t GetNLastHop() const;

    /// @return the bytes of payload that were sent
    uint64_t GetSentBytes() const;

  private:
    /// A flow.
    struct Flow
    {
        Ptr<CsigUdpSource> source;                  //!< sends; null in another process
        std::unique_ptr<CsigPathBalancer> balancer; //!< changes the path, or null
    };

    /// Have a host of this process receive a flow, and record it.
    void InstallSink(const FabricHelper& network,
                     const FlowSpec& spec,
                     uint16_t port,
                     uint32_t answerPeriod,
                     uint32_t index);

    /// @return the sum of a number of each flow, over all processes
    uint64_t Sum(uint64_t (*get)(const Flow&)) const;

    std::vector<Flow> m_flows;             //!< the flows
    std::map<NodeIndex, uint16_t> m_ports; //!< by host, the number of ports in use
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_UDP_FLOW_HELPER_H
