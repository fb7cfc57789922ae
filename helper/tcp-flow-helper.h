// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TCP_FLOW_HELPER_H
#define AIDC_TCP_FLOW_HELPER_H

#include "fabric-helper.h"
#include "fabric-network.h"
#include "flow-records.h"

#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/tcp-flow-application.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The options of ConfigureDctcp(). Defaults are from RFC 8257 where it has some.
struct DctcpSettings
{
    /// MTU in bytes, which a full segment with headers fills. 0 is the network's MTU for flows of a
    /// TcpFlowHelper, and 9000 for other sockets.
    uint16_t mtu{0};
    double g{0.0625};             //!< estimation gain (RFC 8257: 1/16)
    double initialAlpha{1};       //!< initial congestion estimate (RFC 8257: 1)
    bool useEct0{true};           //!< ECT(0) if true, as in RFC 8257, ECT(1) if false
    bool useSack{true};           //!< selective acknowledgments (RFC 2018); see ConfigureDctcp()
    uint32_t minWindow{0};        //!< least window after a mark in segments; 0 for none, see below
    Time minRto{MilliSeconds(5)}; //!< least retransmission timeout
    Time connTimeout{MilliSeconds(10)};     //!< timeout of a SYN
    Time clockGranularity{MicroSeconds(1)}; //!< granularity of the retransmission timer
    uint32_t initialCwnd{10};               //!< initial window in segments (RFC 6928)
    uint32_t delAckCount{2};                //!< segments to an acknowledgment (RFC 1122)
    Time delAckTimeout{MicroSeconds(500)};  //!< delay of an acknowledgment at most, below minRto
    uint32_t dataRetries{15};               //!< timeouts in a row before a connection is given up
    uint32_t bufferBytes{1U << 26};         //!< send and receive buffer of a socket; 64 MiB
};

/// Make ns-3's TCP a DCTCP (RFC 8257) with the timers of a data center.
///
/// This sets ns-3's **global defaults** of the TCP attributes, for all nodes whose stack is
/// installed afterwards, so it comes before FabricHelper::Build(). A default that the user has set,
/// on the command line or by Config::SetDefault(), stays as it is.
///
/// - Timestamps are off: ns-3's count milliseconds, which is coarser than a round trip of a data
///   center. Round trips are measured by segment instead, in simulated time. Without that option a
///   segment carries mtu - 40 bytes.
/// - The initial estimate of the round trip is minRto, too: ns-3's default, one second, would
/// become
///   the retransmission timeout of each connection whose SYN was lost.
/// - In ns-3 all packets of a DCTCP connection are ECN-capable. RFC 8257, section 3.6, asks for
///   this in SYN, SYN-ACK and RST in addition to data; ns-3 also has it in acknowledgments without
///   data, FIN and retransmissions. So a switch marks these packets where it would have to drop
///   others.
/// - RFC 8257, section 3.5, asks for the reaction of RFC 5681 to a loss. In ns-3 up to
/// release 3.48,
///   a loss that is repaired by fast retransmission reduces the window only by alpha / 2, like a
///   mark. A timeout sets it to one segment in each release. So a scheme that drops where it could
///   mark is punished less than in real networks.
/// - In ns-3 up to release 3.48, a selective acknowledgment that was overtaken by another one can
///   end the program in TcpTxBuffer::Update, which reads the first segment even if all have been
///   acknowledged (seen with 3.44). If packets of a flow may take different paths, useSack has to
///   be false. Then recovery follows RFC 6582 (ns3::TcpClassicRecovery): ns-3's default, PRR,
///   relies on selective acknowledgments, and without them can end with a window of 0.
/// - In ns-3, marks may leave a window below one segment, with which ns-3 sends nothing: the sender
///   waits for its retransmission timer although nothing was lost. minWindow sets a floor
///   (FlooredDctcp); Linux has 2.
/// @param settings the settings
void ConfigureDctcp(const DctcpSettings& settings = DctcpSettings());

/// Sends flows over TCP between the hosts of a FabricHelper, and records them.
///
/// Each host has a TcpFlowApplication for all of its flows. Each flow to a host gets a different
/// destination port, from 1024 on, whatever the port of the flow is, so that flows to the same port
/// of a host are distinguished. Priorities are ignored. A flow of 0 bytes never ends.
///
/// The ideal completion time is the time that the flow takes alone on an idle network with an
/// unlimited window and no processing: from the SYN to the delivery of the last byte,
///
///     2 * d  +  d  +  pipeline
///
/// with the sum d of the propagation delays on the path (the first term is the handshake, whose
/// packets are taken as infinitely short), and the time that the segments need through the links
/// and the store-and-forward switches between them (FlowRecords::GetPipelineSeconds()). A segment
/// carries mtu - 40 bytes and has 40 bytes of IPv4 and TCP headers, and on links the overhead of
/// FabricHelper::GetFrameOverhead(). The path comes from FabricRoutes::GetPath(): one with the
/// fastest links among the shortest paths. If switches may spread packets over equal paths, the
/// time is FlowRecords::GetSpreadSeconds(). A slowdown is never below 1.
///
/// Flows must be installed before the simulation begins. Records outlive the helper. In a parallel
/// simulation, each process is given all flows, runs its own ends, and records the bytes that its
/// hosts receive. Gather() joins the records.
class TcpFlowHelper : public FlowRecordsHelper
{
  public:
    /// Install flows. It may be called more than once, before the simulation begins.
    /// @param network the network, with its addresses assigned
    /// @param flows the flows
    /// @param name the name of the flow file, for errors
    /// @throws AidcInputError if an end of a flow is no host, a destination has too many flows, or
    ///         segments do not fit into the network's MTU
    void Install(const FabricHelper& network,
                 const std::vector<FlowSpec>& flows,
                 const std::string& name = "flows");

    /// Compute the ideal completion time of a flow.
    /// @param path the links, from the source to the destination
    /// @param bytes the size of the flow, at least 1
    /// @param mtu the MTU in bytes
    /// @param overhead the bytes that a packet takes on a link in addition to its own
    /// @param isSpread whether packets may take other paths equal to it
    /// @return the time
    static Time GetIdealFct(const std::vector<FabricLink>& path,
                            uint64_t bytes,
                            uint16_t mtu,
                            FrameOverhead overhead,
                            bool isSpread = false);

  private:
    /// Get the application of a host of this process, or make it.
    Ptr<TcpFlowApplication> GetApplication(const FabricHelper& network, NodeIndex host);

    std::map<NodeIndex, uint32_t> m_nPorts; //!< the number of ports in use at each destination
    std::map<NodeIndex, Ptr<TcpFlowApplication>> m_applications; //!< by the host's id
};

} // namespace ns3::aidc

#endif // AIDC_TCP_FLOW_HELPER_H
