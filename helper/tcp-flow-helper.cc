/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-flow-helper.h"

#include "ns3/address.h"
#include "ns3/aidc-input-error.h"
#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/floored-dctcp.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTcpFlowHelper");

namespace
{

/// Bytes of the IPv4 and TCP headers, without options.
constexpr uint32_t TCP_IP_HEADERS = 40;

/// The first port that ns-3 takes for a socket that is bound to none.
constexpr uint32_t FIRST_EPHEMERAL_PORT = 49152;

/// How often it is looked whether all flows are done.
const Time STOP_INTERVAL = MicroSeconds(10);

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
        throw AidcInputError("MTU", 0, "more than 40 bytes", std::to_string(options.mtu));
    }
    const bool hasFloor = options.minWindow > 0;
    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(hasFloor ? FlooredDctcp::GetTypeId() : TcpDctcp::GetTypeId()));
    if (hasFloor)
    {
        Config::SetDefault("ns3::aidc::FlooredDctcp::MinWindow", UintegerValue(options.minWindow));
    }
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(options.useSack ? TcpPrrRecovery::GetTypeId()
                                                   : TcpClassicRecovery::GetTypeId()));
    Config::SetDefault("ns3::TcpDctcp::DctcpShiftG", DoubleValue(options.g));
    Config::SetDefault("ns3::TcpDctcp::DctcpAlphaOnInit", DoubleValue(options.initialAlpha));
    Config::SetDefault("ns3::TcpDctcp::UseEct0", BooleanValue(options.useEct0));

    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(options.useSack));
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

    /**
     * @brief Stop the simulation if all flows that have an end are done, or look again later.
     * @param table the records
     */
    static void StopWhenDone(Ptr<FlowTable> table);

    /**
     * @brief Note that a flow is done.
     * @param record the flow
     * @param time when its last byte arrived
     */
    void Finish(FlowRecord& record, Time time);

    std::vector<FlowRecord> records; //!< a record for each flow
    uint64_t deliveredBytes{0};      //!< payload delivered over all flows
    std::size_t withEnd{0};          //!< the number of flows with an end
    std::size_t unfinished{0};       //!< the number of those that are not done, as this rank knows
    const MpiRanks* ranks{nullptr};  //!< the ranks, null if there is one
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
    table->Finish(record, Simulator::Now());
}

void
TcpFlowHelper::FlowTable::StopWhenDone(Ptr<FlowTable> table)
{
    // A node that stopped the simulation would find others a little ahead or behind.
    const auto total = static_cast<double>(table->withEnd);
    const auto done = static_cast<double>(table->withEnd - table->unfinished);
    if (total > 0 && (table->ranks ? table->ranks->Sum(done) : done) >= total)
    {
        Simulator::Stop();
    }
    else if (total > 0)
    {
        Simulator::Schedule(STOP_INTERVAL, &FlowTable::StopWhenDone, table);
    }
}

void
TcpFlowHelper::FlowTable::Finish(FlowRecord& record, Time time)
{
    record.isDone = true;
    record.finish = time;
    record.fct = record.finish - record.spec.start;
    record.slowdown = record.fct.GetSeconds() / record.idealFct.GetSeconds();
    --unfinished;
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
        throw AidcInputError("first port", 0, "a port from 1 to 49151", std::to_string(port));
    }
    m_firstPort = port;
}

void
TcpFlowHelper::StopWhenDone(const MpiRanks* ranks)
{
    m_table->ranks = ranks && ranks->GetN() > 1 ? ranks : nullptr;
    Simulator::Schedule(STOP_INTERVAL, &FlowTable::StopWhenDone, m_table);
}

void
TcpFlowHelper::Install(const FabricHelper& network,
                       const std::vector<FlowSpec>& flows,
                       const std::string& name)
{
    NS_LOG_FUNCTION(this << flows.size() << name);
    CheckFlows(flows, network.GetFabric(), name);
    const uint32_t maxPorts = FIRST_EPHEMERAL_PORT - m_firstPort;

    for (const auto& flow : flows)
    {
        uint32_t& nPorts = m_nPorts[flow.destination];
        if (nPorts >= maxPorts)
        {
            throw AidcInputError(name,
                                 flow.line,
                                 "at most " + std::to_string(maxPorts) + " flows to a host",
                                 "one more to host " + std::to_string(flow.destination.value));
        }
        const auto port = static_cast<uint16_t>(m_firstPort + nPorts);
        ++nPorts;

        FlowRecord record;
        record.spec = flow;
        if (flow.bytes > 0)
        {
            record.idealFct =
                GetIdealFct(network.GetRoutes().GetPath(flow.source, flow.destination),
                            flow.bytes,
                            network.GetMtu(),
                            network.GetFrameOverhead());
            ++m_table->withEnd;
            ++m_table->unfinished;
        }
        const auto index = static_cast<uint32_t>(m_table->records.size());
        m_table->records.push_back(record);

        if (network.IsLocal(flow.destination))
        {
            GetApplication(network, flow.destination)->AddIncoming(flow.start, port, index);
        }
        if (network.IsLocal(flow.source))
        {
            GetApplication(network, flow.source)
                ->AddOutgoing(flow.start, network.GetAddress(flow.destination), port, flow.bytes);
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
        application->SetAttribute("SendSize", UintegerValue(network.GetMtu() - TCP_IP_HEADERS));
        application->SetReceiveCallback(MakeBoundCallback(&FlowTable::Receive, m_table));
        network.GetNode(host)->AddApplication(application);
    }
    return application;
}

void
TcpFlowHelper::Gather(const MpiRanks& ranks)
{
    auto& records = m_table->records;
    std::ostringstream own;
    for (std::size_t i = 0; i < records.size(); ++i)
    {
        if (records[i].receivedBytes > 0)
        {
            own << i << ' ' << records[i].receivedBytes << ' ' << records[i].isDone << ' '
                << records[i].finish.GetTimeStep() << '\n';
        }
    }
    for (const auto& text : ranks.GatherOthers(own.str()))
    {
        std::istringstream others(text);
        std::size_t index = 0;
        uint64_t bytes = 0;
        bool isDone = false;
        int64_t finish = 0;
        while (others >> index >> bytes >> isDone >> finish)
        {
            records[index].receivedBytes += bytes;
            m_table->deliveredBytes += bytes;
            if (isDone)
            {
                m_table->Finish(records[index], TimeStep(finish));
            }
        }
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
TcpFlowHelper::GetIdealFct(const std::vector<FabricLink>& path,
                           uint64_t bytes,
                           uint16_t mtu,
                           uint32_t overhead)
{
    const uint64_t segment = mtu - TCP_IP_HEADERS;
    const uint64_t nSegments = (bytes + segment - 1) / segment;
    const uint64_t lastBytes = bytes - (nSegments - 1) * segment;
    const double headers = TCP_IP_HEADERS + overhead;
    const double full = 8 * (static_cast<double>(segment) + headers);
    const double last = 8 * (static_cast<double>(lastBytes) + headers);

    double delay = 0;   // of propagation, in s
    double first = 0;   // when the first full packet is behind the link
    double slowest = 0; // the longest time that a link so far needs for a full packet
    double end = 0;     // when the last packet is behind the link
    for (const FabricLink& link : path)
    {
        const auto rate = static_cast<double>(link.rate);
        delay += static_cast<double>(link.delay) / 1e9;
        first += full / rate;
        slowest = std::max(slowest, full / rate);
        const double others =
            nSegments > 1 ? first + static_cast<double>(nSegments - 2) * slowest : 0;
        end = std::max(end, others) + last / rate;
    }
    return Seconds(3 * delay + end);
}

} // namespace ns3::aidc
