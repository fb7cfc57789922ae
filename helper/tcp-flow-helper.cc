// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-flow-helper.h"

#include "user-default.h"

#include "ns3/address.h"
#include "ns3/aidc-input-error.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/floored-dctcp.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/tcp-socket.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTcpFlowHelper");

namespace
{

/// Bytes of the IPv4 and TCP headers, without options.
constexpr uint32_t TCP_IP_HEADERS = 40;

/// The MTU of a FabricHelper that was not given another one.
constexpr uint32_t FABRIC_MTU = 9000;

/// The first destination port of flows to a host.
constexpr uint32_t FIRST_PORT = 1024;

/// Flows to a host. From port 49152 on, ns-3 takes ports for the sending ends.
constexpr uint32_t MAX_FLOWS = 49152 - FIRST_PORT;

/// @throws AidcInputError if a network would send the segments of ns-3's sockets in fragments
void
CheckSegments(const FabricHelper& network)
{
    TypeId::AttributeInformation own;
    TypeId::AttributeInformation size;
    TcpFlowApplication::GetTypeId().LookupAttributeByName("OwnSegments", &own);
    TcpSocket::GetTypeId().LookupAttributeByName("SegmentSize", &size);
    const bool follows = DynamicCast<const BooleanValue>(own.initialValue)->Get();
    const uint64_t segment = DynamicCast<const UintegerValue>(size.initialValue)->Get();
    if (!follows && segment + TCP_IP_HEADERS > network.GetMtu())
    {
        throw AidcInputError(
            "TcpFlowHelper",
            0,
            "segments of at most " + std::to_string(network.GetMtu() - TCP_IP_HEADERS) +
                " bytes for the network's MTU of " + std::to_string(network.GetMtu()) +
                " (leave DctcpSettings::mtu at 0 to follow it)",
            std::to_string(segment));
    }
}

} // namespace

void
ConfigureDctcp(const DctcpSettings& settings)
{
    NS_LOG_FUNCTION(settings.mtu << settings.minRto);
    if (settings.mtu != 0 && settings.mtu <= TCP_IP_HEADERS)
    {
        throw AidcInputError("MTU", 0, "more than 40 bytes", std::to_string(settings.mtu));
    }
    const uint32_t mtu = settings.mtu != 0 ? settings.mtu : FABRIC_MTU;
    const bool hasFloor = settings.minWindow > 0;
    SetPreset("ns3::TcpL4Protocol::SocketType",
              TypeIdValue(hasFloor ? FlooredDctcp::GetTypeId() : TcpDctcp::GetTypeId()));
    if (hasFloor)
    {
        SetPreset("ns3::aidc::FlooredDctcp::MinWindow", UintegerValue(settings.minWindow));
    }
    SetPreset("ns3::TcpL4Protocol::RecoveryType",
              TypeIdValue(settings.useSack ? TcpPrrRecovery::GetTypeId()
                                           : TcpClassicRecovery::GetTypeId()));
    SetPreset("ns3::TcpDctcp::DctcpShiftG", DoubleValue(settings.g));
    SetPreset("ns3::TcpDctcp::DctcpAlphaOnInit", DoubleValue(settings.initialAlpha));
    SetPreset("ns3::TcpDctcp::UseEct0", BooleanValue(settings.useEct0));

    SetPreset("ns3::TcpSocketBase::UseEcn", EnumValue(TcpSocketState::On));
    SetPreset("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    SetPreset("ns3::TcpSocketBase::Sack", BooleanValue(settings.useSack));
    SetPreset("ns3::TcpSocketBase::MinRto", TimeValue(settings.minRto));
    SetPreset("ns3::TcpSocketBase::ClockGranularity", TimeValue(settings.clockGranularity));
    SetPreset("ns3::RttEstimator::InitialEstimation", TimeValue(settings.minRto));

    SetPreset("ns3::TcpSocket::SegmentSize", UintegerValue(mtu - TCP_IP_HEADERS));
    SetPreset("ns3::aidc::TcpFlowApplication::OwnSegments",
              BooleanValue(settings.mtu == 0 && !HasUserDefault("ns3::TcpSocket::SegmentSize")));
    SetPreset("ns3::TcpSocket::InitialCwnd", UintegerValue(settings.initialCwnd));
    SetPreset("ns3::TcpSocket::ConnTimeout", TimeValue(settings.connTimeout));
    SetPreset("ns3::TcpSocket::DataRetries", UintegerValue(settings.dataRetries));
    SetPreset("ns3::TcpSocket::DelAckCount", UintegerValue(settings.delAckCount));
    SetPreset("ns3::TcpSocket::DelAckTimeout", TimeValue(settings.delAckTimeout));
    SetPreset("ns3::TcpSocket::SndBufSize", UintegerValue(settings.bufferBytes));
    SetPreset("ns3::TcpSocket::RcvBufSize", UintegerValue(settings.bufferBytes));
}

void
TcpFlowHelper::Install(const FabricHelper& network,
                       const std::vector<FlowSpec>& flows,
                       const std::string& name)
{
    NS_LOG_FUNCTION(this << flows.size() << name);
    CheckFlows(flows, network.GetFabric(), name);
    CheckSegments(network);
    for (const auto& flow : flows)
    {
        uint32_t& nPorts = m_nPorts[flow.destination];
        if (nPorts >= MAX_FLOWS)
        {
            throw AidcInputError(name,
                                 flow.line,
                                 "at most " + std::to_string(MAX_FLOWS) + " flows to a host",
                                 "one more to host " + std::to_string(flow.destination.value));
        }
        const auto port = static_cast<uint16_t>(FIRST_PORT + nPorts);
        ++nPorts;

        const Time ideal =
            flow.bytes == 0
                ? Time()
                : GetIdealFct(network.GetRoutes().GetPath(flow.source, flow.destination),
                              flow.bytes,
                              network.GetMtu(),
                              network.GetFrameOverhead(),
                              true);
        const uint32_t index = m_records->Add(flow, ideal);

        if (network.IsLocal(flow.destination))
        {
            GetApplication(network, flow.destination)->AddIncoming(flow.start, port, index);
        }
        if (network.IsLocal(flow.source))
        {
            GetApplication(network, flow.source)
                ->AddOutgoing(flow.start,
                              network.GetAddress(flow.destination),
                              port,
                              flow.bytes,
                              index);
        }
    }
}

Ptr<TcpFlowApplication>
TcpFlowHelper::GetApplication(const FabricHelper& network, NodeIndex host)
{
    auto& application = m_applications[host];
    if (!application)
    {
        application = CreateObject<TcpFlowApplication>();
        SetDerived(*application, "SendSize", UintegerValue(network.GetMtu() - TCP_IP_HEADERS));
        application->SetReceiveCallback(TcpFlowApplication::ReceiveCallback(
            [records = m_records](uint32_t index, Ptr<const Packet> packet, const Address&) {
                records->AddDelivered(index, packet->GetSize());
            }));
        application->SetFailureCallback(TcpFlowApplication::FailureCallback(
            [records = m_records](uint32_t index, const std::string& cause) {
                records->NoteFailure(index, cause);
            }));
        network.GetNode(host)->AddApplication(application);
    }
    return application;
}

Time
TcpFlowHelper::GetIdealFct(const std::vector<FabricLink>& path,
                           uint64_t bytes,
                           uint16_t mtu,
                           FrameOverhead overhead,
                           bool isSpread)
{
    const uint64_t segment = mtu - TCP_IP_HEADERS;
    const uint64_t nSegments = (bytes + segment - 1) / segment;
    const uint64_t lastBytes = bytes - (nSegments - 1) * segment;
    const double headers = TCP_IP_HEADERS + overhead.bytes;
    const auto getSeconds =
        isSpread ? &FlowRecords::GetSpreadSeconds : &FlowRecords::GetPipelineSeconds;
    return Seconds(3 * FlowRecords::GetDelaySeconds(path) +
                   getSeconds(path,
                              nSegments,
                              static_cast<double>(segment) + headers,
                              static_cast<double>(lastBytes) + headers,
                              overhead.gap));
}

} // namespace ns3::aidc
