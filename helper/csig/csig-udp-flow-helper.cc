/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-udp-flow-helper.h"

#include "../../model/endless-timer.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// The first port of sinks and sources.
constexpr uint16_t FIRST_PORT = 2000;

} // namespace

CsigUdpFlowHelper::~CsigUdpFlowHelper()
{
    m_event.Cancel();
}

void
CsigUdpFlowHelper::Install(const FabricHelper& network,
                           Ptr<CsigDomain> domain,
                           const std::vector<FlowSpec>& flows,
                           const CsigUdpFlowSettings& settings)
{
    const std::string reason = "CsigUdpFlowHelper, its flows and its settings";
    RefuseUserDefaults("ns3::aidc::CsigUdpSink", {"Local", "Port", "Period", "Size"}, reason);
    RefuseUserDefaults(
        "ns3::aidc::CsigUdpSource",
        {"Local", "Remote", "RemotePort", "FirstPort", "Ports", "Rate", "PacketSize", "Size"},
        reason);
    // Takes ports of a host that nobody has yet.
    const auto take = [this](NodeIndex host, uint16_t n) {
        uint16_t& used = m_ports[host];
        NS_ABORT_MSG_IF(FIRST_PORT + used + n > 65536,
                        "CsigUdpFlowHelper: expected fewer flows, or ports of a flow, at host "
                            << host);
        used = static_cast<uint16_t>(used + n);
        return static_cast<uint16_t>(FIRST_PORT + used - n);
    };
    for (const auto& spec : flows)
    {
        NS_ABORT_MSG_IF(spec.bytes == 0, "CsigUdpFlowHelper: expected flows of at least 1 byte");
        Flow flow;
        flow.spec = spec;
        flow.idealFct = GetIdealFct(network.GetRoutes().GetPath(spec.source, spec.destination),
                                    spec.bytes,
                                    settings);
        const uint16_t port = take(spec.destination, 1);
        flow.sink = CreateObject<CsigUdpSink>();
        flow.sink->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(spec.destination)));
        flow.sink->SetAttribute("Port", UintegerValue(port));
        flow.sink->SetAttribute("Period", UintegerValue(settings.answerPeriod));
        flow.sink->SetAttribute("Size", UintegerValue(spec.bytes));
        network.GetNode(spec.destination)->AddApplication(flow.sink);

        flow.source = CreateObject<CsigUdpSource>();
        flow.source->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(spec.source)));
        flow.source->SetAttribute("Remote", Ipv4AddressValue(network.GetAddress(spec.destination)));
        flow.source->SetAttribute("RemotePort", UintegerValue(port));
        flow.source->SetAttribute("FirstPort", UintegerValue(take(spec.source, settings.nPorts)));
        flow.source->SetAttribute("Ports", UintegerValue(settings.nPorts));
        flow.source->SetAttribute("Rate", DataRateValue(settings.rate));
        flow.source->SetAttribute("PacketSize", UintegerValue(settings.packetSize));
        flow.source->SetAttribute("Size", UintegerValue(spec.bytes));
        flow.source->SetStartTime(spec.start);
        network.GetNode(spec.source)->AddApplication(flow.source);
        if (settings.balances)
        {
            flow.balancer = std::make_unique<CsigPathBalancer>(flow.source,
                                                               domain,
                                                               settings.signal,
                                                               settings.policy);
        }
        m_flows.push_back(std::move(flow));
    }
}

void
CsigUdpFlowHelper::StopWhenDone()
{
    m_event.Cancel();
    m_event = Simulator::Schedule(MicroSeconds(10), &CsigUdpFlowHelper::Look, this);
}

std::vector<FlowRecord>
CsigUdpFlowHelper::GetRecords() const
{
    std::vector<FlowRecord> records;
    for (const auto& flow : m_flows)
    {
        FlowRecord record;
        record.spec = flow.spec;
        record.receivedBytes = std::min(flow.sink->GetReceivedBytes(), flow.spec.bytes);
        record.idealFct = flow.idealFct;
        record.isDone = flow.sink->IsDone();
        if (record.isDone)
        {
            record.finish = flow.sink->GetFinish();
            record.fct = record.finish - flow.spec.start;
            record.slowdown = record.fct.GetSeconds() / record.idealFct.GetSeconds();
        }
        records.push_back(record);
    }
    return records;
}

double
CsigUdpFlowHelper::GetShareDone() const
{
    return FlowRecords::GetShareOfBytes(GetRecords());
}

uint64_t
CsigUdpFlowHelper::GetNRehashes() const
{
    uint64_t sum = 0;
    for (const auto& flow : m_flows)
    {
        sum += flow.source->GetNRehashes();
    }
    return sum;
}

bool
CsigUdpFlowHelper::IsDone() const
{
    return std::all_of(m_flows.begin(), m_flows.end(), [](const auto& flow) {
        return flow.sink->IsDone();
    });
}

uint64_t
CsigUdpFlowHelper::GetNLastHop() const
{
    uint64_t sum = 0;
    for (const auto& flow : m_flows)
    {
        sum += flow.balancer ? flow.balancer->GetNLastHop() : 0;
    }
    return sum;
}

uint64_t
CsigUdpFlowHelper::GetSentBytes() const
{
    uint64_t sum = 0;
    for (const auto& flow : m_flows)
    {
        sum += flow.source->GetSentBytes();
    }
    return sum;
}

Time
CsigUdpFlowHelper::GetIdealFct(const std::vector<FabricLink>& path,
                               uint64_t bytes,
                               const CsigUdpFlowSettings& settings)
{
    constexpr uint32_t HEADERS = 20 + 8; // IPv4 and UDP
    const uint64_t nPackets = (bytes + settings.packetSize - 1) / settings.packetSize;
    Time time = (nPackets - 1) * settings.rate.CalculateBytesTxTime(settings.packetSize);
    for (const auto& link : path)
    {
        time += NanoSeconds(link.delay) +
                DataRate(link.rate).CalculateBytesTxTime(settings.packetSize + HEADERS);
    }
    return time;
}

void
CsigUdpFlowHelper::Look()
{
    NoteEndlessTimer();
    if (!IsDone())
    {
        m_event = Simulator::Schedule(MicroSeconds(10), &CsigUdpFlowHelper::Look, this);
    }
    else if (!m_flows.empty())
    {
        Simulator::Stop();
    }
}

} // namespace ns3::aidc
