// SPDX-License-Identifier: GPL-2.0-only

#include "csig-udp-flow-helper.h"

#include "../../model/core/require-argument.h"

#include "ns3/process-gather.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"

#include <algorithm>

namespace ns3::aidc
{

CsigPathBalancer::CsigPathBalancer(Ptr<CsigUdpSource> source,
                                   Ptr<CsigDomain> domain,
                                   CsigSignal signal,
                                   const CsigPathPolicySettings& settings)
    : m_source(source),
      m_domain(domain),
      m_signal(signal),
      m_policy(settings)
{
    m_source->TraceConnectWithoutContext("Signal",
                                         MakeCallback(&CsigPathBalancer::NoteSignal, this));
}

CsigPathBalancer::~CsigPathBalancer()
{
    m_source->TraceDisconnectWithoutContext("Signal",
                                            MakeCallback(&CsigPathBalancer::NoteSignal, this));
}

void
CsigPathBalancer::NoteSignal(const FlowKey& flow, const CsigFields& fields)
{
    // Signals that are still reflected from a path that was left say nothing about the present one.
    const auto reading = m_domain->Read(fields);
    if (flow.sourcePort != m_source->GetFlow().sourcePort || !reading ||
        reading->signal != m_signal)
    {
        return;
    }
    const auto now = Simulator::Now().GetNanoSeconds();
    switch (m_policy.NoteSignal(now, reading->GetValue(), reading->locator))
    {
    case CsigPathAction::REHASH:
        m_source->Rehash();
        break;
    case CsigPathAction::LAST_HOP:
        ++m_nLastHop;
        break;
    case CsigPathAction::KEEP:
        break;
    }
}

namespace
{

/// The first port of sinks and sources.
constexpr uint16_t FIRST_PORT = 2000;

/// Compute the ideal completion time of a flow.
Time
GetIdealFct(const std::vector<FabricLink>& path,
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

} // namespace

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
        AIDC_REFUSED_IF(FIRST_PORT + used + n > 65536,
                        "CsigUdpFlowHelper: expected fewer flows, or ports of a flow, at host "
                            << host);
        used = static_cast<uint16_t>(used + n);
        return static_cast<uint16_t>(FIRST_PORT + used - n);
    };
    for (const auto& spec : flows)
    {
        AIDC_REFUSED_IF(spec.bytes == 0, "CsigUdpFlowHelper: expected flows of at least 1 byte");
        const auto path = network.GetRoutes().GetPath(spec.source, spec.destination);
        const uint32_t index = m_records->Add(spec, GetIdealFct(path, spec.bytes, settings));
        const uint16_t port = take(spec.destination, 1);
        const uint16_t firstPort = take(spec.source, settings.nPorts);
        if (network.IsLocal(spec.destination))
        {
            InstallSink(network, spec, port, settings.answerPeriod, index);
        }
        Flow& flow = m_flows.emplace_back();
        if (!network.IsLocal(spec.source))
        {
            continue;
        }
        flow.source = CreateObject<CsigUdpSource>();
        flow.source->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(spec.source)));
        flow.source->SetAttribute("Remote", Ipv4AddressValue(network.GetAddress(spec.destination)));
        flow.source->SetAttribute("RemotePort", UintegerValue(port));
        flow.source->SetAttribute("FirstPort", UintegerValue(firstPort));
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
    }
}

void
CsigUdpFlowHelper::InstallSink(const FabricHelper& network,
                               const FlowSpec& spec,
                               uint16_t port,
                               uint32_t answerPeriod,
                               uint32_t index)
{
    auto sink = CreateObject<CsigUdpSink>();
    sink->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(spec.destination)));
    sink->SetAttribute("Port", UintegerValue(port));
    sink->SetAttribute("Period", UintegerValue(answerPeriod));
    sink->SetAttribute("Size", UintegerValue(spec.bytes));
    network.GetNode(spec.destination)->AddApplication(sink);
    // The source sends more than the flow has, until it hears that all has arrived.
    sink->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>>([records = m_records, index](Ptr<const Packet> packet) {
            const auto& record = records->Get()[index];
            const uint64_t left = record.spec.bytes - record.receivedBytes;
            records->AddDelivered(index, std::min<uint64_t>(left, packet->GetSize()));
        }));
}

uint64_t
CsigUdpFlowHelper::Sum(uint64_t (*get)(const Flow&)) const
{
    uint64_t sum = 0;
    for (const auto& flow : m_flows)
    {
        sum += get(flow);
    }
    return SumOverProcesses(sum);
}

uint64_t
CsigUdpFlowHelper::GetNRehashes() const
{
    return Sum([](const Flow& flow) { return flow.source ? flow.source->GetNRehashes() : 0; });
}

uint64_t
CsigUdpFlowHelper::GetNRehashesOf(std::size_t flow) const
{
    const auto& source = m_flows.at(flow).source;
    return SumOverProcesses(source ? source->GetNRehashes() : 0);
}

uint64_t
CsigUdpFlowHelper::GetNLastHop() const
{
    return Sum([](const Flow& flow) { return flow.balancer ? flow.balancer->GetNLastHop() : 0; });
}

uint64_t
CsigUdpFlowHelper::GetSentBytes() const
{
    return Sum([](const Flow& flow) { return flow.source ? flow.source->GetSentBytes() : 0; });
}

} // namespace ns3::aidc
