/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-flow-helper.h"

#include "ns3/address.h"
#include "ns3/boolean.h"
#include "ns3/bulk-send-application.h"
#include "ns3/callback.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/packet-sink.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTcpFlowHelper");

namespace
{

/// Bytes of the IPv4 and TCP headers, without options.
constexpr uint32_t TCP_IP_HEADERS = 40;

/// The first port that ns-3 takes for a socket that is bound to none.
constexpr uint32_t FIRST_EPHEMERAL_PORT = 49152;

/// Bytes of the header of ns-3's point-to-point devices.
constexpr uint32_t PPP_HEADER = 2;

} // namespace

DctcpOptions::DctcpOptions()
    : minRto(MilliSeconds(5)),
      connTimeout(MilliSeconds(10)),
      clockGranularity(MicroSeconds(1)),
      delAckTimeout(MicroSeconds(500))
{
}

void
ConfigureDctcp(const DctcpOptions& options)
{
    NS_LOG_FUNCTION(options.mtu << options.minRto);
    if (options.mtu <= TCP_IP_HEADERS)
    {
        throw InputError("MTU", 0, "more than 40 bytes", std::to_string(options.mtu));
    }
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TcpDctcp::GetTypeId()));
    Config::SetDefault("ns3::TcpDctcp::DctcpShiftG", DoubleValue(options.g));
    Config::SetDefault("ns3::TcpDctcp::DctcpAlphaOnInit", DoubleValue(options.initialAlpha));
    Config::SetDefault("ns3::TcpDctcp::UseEct0", BooleanValue(options.useEct0));

    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(options.minRto));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(options.clockGranularity));
    Config::SetDefault("ns3::RttEstimator::InitialEstimation", TimeValue(options.minRto));

    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(options.mtu - TCP_IP_HEADERS));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(options.initialCwnd));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(options.connTimeout));
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(options.dataRetries));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(options.delAckCount));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(options.delAckTimeout));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(options.bufferBytes));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(options.bufferBytes));
}

/**
 * @ingroup aidc
 * @brief The records, shared by the helper and the trace sinks.
 */
class TcpFlowHelper::FlowTable : public SimpleRefCount<TcpFlowHelper::FlowTable>
{
  public:
    /**
     * @brief Count data that arrived.
     * @param table the records
     * @param index the index of the flow
     * @param packet the data
     * @param from the address of the sender
     */
    static void Receive(Ptr<FlowTable> table,
                        uint32_t index,
                        Ptr<const Packet> packet,
                        const Address& from);

    std::vector<FlowRecord> records; //!< a record for each flow
    uint64_t deliveredBytes{0};      //!< payload delivered over all flows
    std::size_t unfinished{0};       //!< the number of flows with an end that are not done
    bool stopWhenDone{false};        //!< whether to stop the simulation then
};

void
TcpFlowHelper::FlowTable::Receive(Ptr<FlowTable> table,
                                  uint32_t index,
                                  Ptr<const Packet> packet,
                                  const Address&)
{
    FlowRecord& record = table->records[index];
    record.receivedBytes += packet->GetSize();
    table->deliveredBytes += packet->GetSize();
    if (record.isDone || record.spec.bytes == 0 || record.receivedBytes < record.spec.bytes)
    {
        return;
    }
    record.isDone = true;
    record.finish = Simulator::Now();
    record.fct = record.finish - record.spec.start;
    record.slowdown = record.fct.GetSeconds() / record.idealFct.GetSeconds();
    --table->unfinished;
    if (table->unfinished == 0 && table->stopWhenDone)
    {
        Simulator::Stop();
    }
}

TcpFlowHelper::TcpFlowHelper()
    : m_table(Create<FlowTable>())
{
}

TcpFlowHelper::~TcpFlowHelper() = default;

void
TcpFlowHelper::SetFirstPort(uint16_t port)
{
    if (port == 0 || port >= FIRST_EPHEMERAL_PORT)
    {
        throw InputError("first port", 0, "a port from 1 to 49151", std::to_string(port));
    }
    m_firstPort = port;
}

void
TcpFlowHelper::SetStopWhenDone(bool stop)
{
    m_table->stopWhenDone = stop;
}

void
TcpFlowHelper::Install(const TopologyFileHelper& topology,
                       const std::vector<FlowSpec>& flows,
                       const std::string& name)
{
    NS_LOG_FUNCTION(this << flows.size() << name);
    CheckFlows(flows, topology.GetTopology(), name);
    const uint32_t maxPorts = FIRST_EPHEMERAL_PORT - m_firstPort;
    const uint32_t segment = topology.GetMtu() - TCP_IP_HEADERS;
    const TypeIdValue protocol(TcpSocketFactory::GetTypeId());

    for (const auto& flow : flows)
    {
        uint32_t& nPorts = m_nPorts[flow.destination];
        if (nPorts >= maxPorts)
        {
            throw InputError(name,
                             flow.line,
                             "at most " + std::to_string(maxPorts) + " flows to a host",
                             "one more to host " + std::to_string(flow.destination));
        }
        const auto port = static_cast<uint16_t>(m_firstPort + nPorts);
        ++nPorts;

        FlowRecord record;
        record.spec = flow;
        if (flow.bytes > 0)
        {
            record.idealFct = GetIdealFct(topology.GetHostLink(flow.source),
                                          topology.GetHostLink(flow.destination),
                                          flow.bytes,
                                          topology.GetMtu());
            ++m_table->unfinished;
        }
        const auto index = static_cast<uint32_t>(m_table->records.size());
        m_table->records.push_back(record);

        auto sink = CreateObject<PacketSink>();
        sink->SetAttribute("Protocol", protocol);
        sink->SetAttribute("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), port)));
        topology.GetNode(flow.destination)->AddApplication(sink);
        sink->TraceConnectWithoutContext("Rx",
                                         MakeBoundCallback(&FlowTable::Receive, m_table, index));

        auto sender = CreateObject<BulkSendApplication>();
        sender->SetAttribute("Protocol", protocol);
        sender->SetAttribute(
            "Remote",
            AddressValue(InetSocketAddress(topology.GetAddress(flow.destination), port)));
        sender->SetAttribute("MaxBytes", UintegerValue(flow.bytes));
        // Whole segments, so that the socket need neither split nor join what it is given
        sender->SetAttribute("SendSize", UintegerValue(segment));
        sender->SetStartTime(flow.start);
        topology.GetNode(flow.source)->AddApplication(sender);
    }
}

bool
TcpFlowHelper::IsDone() const
{
    return m_table->unfinished == 0;
}

const std::vector<FlowRecord>&
TcpFlowHelper::GetRecords() const
{
    return m_table->records;
}

uint64_t
TcpFlowHelper::GetDeliveredBytes() const
{
    return m_table->deliveredBytes;
}

Time
TcpFlowHelper::GetIdealFct(const TopologyLink& source,
                           const TopologyLink& destination,
                           uint64_t bytes,
                           uint16_t mtu)
{
    const uint64_t segment = mtu - TCP_IP_HEADERS;
    const uint64_t nSegments = (bytes + segment - 1) / segment;
    const uint64_t lastBytes = bytes - (nSegments - 1) * segment;
    static constexpr double HEADERS = TCP_IP_HEADERS + PPP_HEADER;
    const double all = 8 * (static_cast<double>(bytes) + HEADERS * static_cast<double>(nSegments));
    const double full = 8 * (static_cast<double>(segment) + HEADERS);
    const double last = 8 * (static_cast<double>(lastBytes) + HEADERS);
    const auto r1 = static_cast<double>(source.rate.GetBitRate());
    const auto r2 = static_cast<double>(destination.rate.GetBitRate());

    double pipeline = all / r1 + all / r2;
    if (nSegments > 1)
    {
        pipeline = std::max(
            {full / r1 + all / r2, all / r1 + last / r2, (all - last) / r1 + (full + last) / r2});
    }
    const double propagation = (source.delay + destination.delay).GetSeconds();
    return Seconds(3 * propagation + pipeline);
}

} // namespace ns3::aidc
