/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_UDP_FLOW_HELPER_H
#define AIDC_CSIG_UDP_FLOW_HELPER_H

#include "../../model/core/csig/csig-path-policy.h"
#include "csig-path-balancer.h"

#include "ns3/csig-domain.h"
#include "ns3/csig-signal.h"
#include "ns3/csig-udp-sink.h"
#include "ns3/csig-udp-source.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-spec-file.h"
#include "ns3/tcp-flow-helper.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// How the flows of a CsigUdpFlowHelper send.
struct CsigUdpFlowSettings
{
    DataRate rate{"40Gbps"};            //!< payload of a flow
    uint32_t packetSize{8000};          //!< payload of a datagram in bytes
    uint16_t nPorts{16};                //!< source ports, of which a flow uses one at a time
    uint32_t answerPeriod{4};           //!< every how many datagrams there is an answer
    bool balances{false};               //!< whether flows take other paths when signals say so
    CsigPathPolicySettings policy;      //!< when they do
    CsigSignal signal{CsigSignal::ABW}; //!< by which signal
};

/**
 * @ingroup aidc
 * @brief Sends flows at a constant rate over UDP between the hosts of a FabricHelper, and records
 *        them. Each is a CsigUdpSource and a CsigUdpSink, and may have a CsigPathBalancer.
 *
 * The ideal completion time is that of the flow alone: the time until its last datagram is sent at
 * its rate, and the time that this one takes through the links and the store-and-forward switches
 * between them.
 */
class CsigUdpFlowHelper
{
  public:
    CsigUdpFlowHelper() = default;
    ~CsigUdpFlowHelper();

    CsigUdpFlowHelper(const CsigUdpFlowHelper&) = delete;
    CsigUdpFlowHelper& operator=(const CsigUdpFlowHelper&) = delete;

    /// Install flows, before the simulation begins.
    /// @param network the network, with its addresses assigned
    /// @param domain what the network has in common
    /// @param flows the flows, each of a size above 0
    /// @param settings how they send
    void Install(const FabricHelper& network,
                 Ptr<CsigDomain> domain,
                 const std::vector<FlowSpec>& flows,
                 const CsigUdpFlowSettings& settings);

    /**
     * @brief Stop the simulation when all flows are done.
     *
     * Whether they are is looked up every 10 us from now on, by events without a node, so that all
     * nodes stop at the same time, which no node chooses. It is called before the simulation
     * begins.
     */
    void StopWhenDone();

    /// @return what became of the flows, in the order in which the flows were installed
    std::vector<FlowRecord> GetRecords() const;

    /// Get how much of the flows is done.
    /// @return the share of their bytes that was received, 0 to 1
    double GetShareDone() const;

    /// @return how often flows took another path
    uint64_t GetNRehashes() const;

    /// Get how often a flow took another path.
    /// @param flow the flow, in the order in which flows were installed
    /// @return that
    uint64_t GetNRehashesOf(std::size_t flow) const
    {
        return m_flows.at(flow).source->GetNRehashes();
    }

    /// @return whether all flows are done
    bool IsDone() const;

    /// @return how many signals of congestion at the last hop changed nothing
    uint64_t GetNLastHop() const;

    /// @return what was sent: bytes of payload
    uint64_t GetSentBytes() const;

  private:
    /// A flow.
    struct Flow
    {
        FlowSpec spec;                              //!< what it is
        Time idealFct;                              //!< its completion time alone
        Ptr<CsigUdpSource> source;                  //!< sends
        Ptr<CsigUdpSink> sink;                      //!< receives
        std::unique_ptr<CsigPathBalancer> balancer; //!< changes the path, or null
    };

    /// Compute the ideal completion time of a flow.
    /// @param path the links
    /// @param bytes the size
    /// @param settings how it sends
    /// @return the time
    static Time GetIdealFct(const std::vector<FabricLink>& path,
                            uint64_t bytes,
                            const CsigUdpFlowSettings& settings);

    /// Stop if all flows are done; look again later if not.
    void Look();

    std::vector<Flow> m_flows;             //!< the flows
    std::map<NodeIndex, uint16_t> m_ports; //!< by host, how many ports are taken
    EventId m_event;                       //!< the next look whether all are done
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_UDP_FLOW_HELPER_H
