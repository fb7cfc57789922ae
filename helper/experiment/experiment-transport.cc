// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-transport.h"

#include "../../model/core/transport/int-header.h"
#include "../local-node.h"

#include "ns3/double.h"
#include "ns3/ecn-queue-monitor.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/process-gather.h"
#include "ns3/queue-size.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-chip.h"
#include "ns3/user-default.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// The classes of a switch's port with RoCEv2.
constexpr uint32_t N_CLASSES = 8;

/// The MTU for packets of RoCEv2 with 4096 bytes of payload.
constexpr uint16_t ROCE_MTU = 4200;

/// The same for packets with in-band telemetry.
constexpr uint16_t TELEMETRY_MTU = 4300;

/// The first random stream of queues that mark at random.
constexpr int64_t MARKING_STREAM = 100000;

/// The size of messages of a flow without end. Only complete messages count as delivered.
constexpr uint64_t ENDLESS_MESSAGE = 262144;

/// @return the type of its congestion control; dcqcn's if it has none of its own
std::string
GetControlName(const std::string& transport)
{
    return transport == "swift"    ? "ns3::aidc::SwiftControl"
           : transport == "hpcc"   ? "ns3::aidc::HpccControl"
           : transport == "timely" ? "ns3::aidc::TimelyControl"
           : transport == "none"   ? "ns3::aidc::CongestionControl"
                                   : "ns3::aidc::DcqcnControl";
}

/// Add to a switch's memory the headroom of its ports.
void
AddHeadroom(Ptr<Node> node, const PriorityFlowControlHelper& pfc)
{
    const auto buffer = node->GetObject<SharedBuffer>();
    QueueSizeValue size;
    buffer->GetAttribute("Size", size);
    uint64_t bytes = size.Get().GetValue();
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (const auto device = DynamicCast<EthernetNetDevice>(node->GetDevice(i)))
        {
            bytes += pfc.GetHeadroom(device).GetSum();
        }
    }
    CheckOption(bytes <= std::numeric_limits<uint32_t>::max(),
                "shorter links for PFC: switch " + std::to_string(node->GetId()) + " needs " +
                    std::to_string(bytes) + " bytes of memory and headroom");
    buffer->SetAttribute(
        "Size",
        QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes))));
}

} // namespace

// ExperimentTransportOptions

void
ExperimentTransportOptions::AddTo(ExperimentParameters& parameters)
{
    const auto isRoce = [this] { return IsRoce(); };
    parameters
        .AddText("transport",
                 "what carries the flows: " + JoinWords(transports, ", ") +
                     "; all but dctcp are RoCEv2, none is priority flow control alone",
                 transport)
        .Sets({"ns3::aidc::RoceNic::CongestionControl", "ns3::TcpL4Protocol::SocketType"});
    parameters.AddText("recovery", "how RoCEv2 retransmits: go-back-n, selective-repeat", recovery)
        .Sets({"ns3::aidc::RoceNic::Recovery"})
        .UseIf(isRoce, GetRoceChoice());
    parameters
        .AddText("lossless",
                 "priority flow control for RoCEv2: on, off, auto (on except with swift); its "
                 "headroom is not part of --buffer",
                 lossless)
        .UseIf(isRoce, GetRoceChoice());
    parameters
        .AddNumber(
            "xoff-alpha",
            "factor of the dynamic XOFF threshold; with --chip, 1 is the chip's",
            xoffAlpha,
            [](double value) { return value >= 1.0 / 65536 && value <= 65536; },
            "from 1/65536 to 65536")
        .Sets({"ns3::aidc::IngressBuffer::XoffAlpha"})
        .UseIf([this] { return IsLossless(); }, "--lossless=on, or a --transport with it");
}

std::string
ExperimentTransportOptions::GetRoceChoice() const
{
    auto names = transports;
    names.erase(std::remove(names.begin(), names.end(), "dctcp"), names.end());
    return "--transport=" + JoinChoices(names);
}

void
ExperimentTransportOptions::Prepare(const ExperimentOptions& common) const
{
    CheckOption(std::find(transports.begin(), transports.end(), transport) != transports.end(),
                "--transport to be " + JoinChoices(transports) + ", found \"" + transport + "\"");
    CheckOption(recovery == "go-back-n" || recovery == "selective-repeat",
                "--recovery to be go-back-n or selective-repeat, found \"" + recovery + "\"");
    CheckOption(lossless == "on" || lossless == "off" || lossless == "auto",
                "--lossless to be on, off or auto, found \"" + lossless + "\"");
    CheckOption(IsRoce() || lossless != "on", GetRoceChoice() + " with --lossless=on");
    CheckOption(!IsRoce() || common.devices == "ethernet",
                "--devices=ethernet with --transport=" + transport);
}

void
ExperimentTransportOptions::CheckLinks(const FabricPlan& fabric) const
{
    for (const auto& link : fabric.GetLinks())
    {
        CheckOption(!HasTelemetry() || FindIntRateCode(link.rate).has_value(),
                    "links of 25, 50, 100, 200, 400 or 800 Gbit/s with --transport=hpcc, found "
                    "one of " +
                        std::to_string(link.rate) + " bit/s");
    }
}

void
ExperimentTransportOptions::CheckLinks(
    const ExperimentPlan& plan,
    const std::function<FabricPlan(const std::string& scenario)>& make) const
{
    if (HasTelemetry())
    {
        for (const auto& scenario : plan.scenarios)
        {
            CheckLinks(make(scenario));
        }
    }
}

// ExperimentTransport

ExperimentTransport::ExperimentTransport(const ExperimentTransportOptions& options)
    : m_options(options),
      m_control(GetControlName(options.transport))
{
}

void
ExperimentTransport::Configure(FabricHelper& network, const DctcpSettings& dctcp) const
{
    if (!m_options.IsRoce())
    {
        auto settings = dctcp;
        settings.mtu = network.GetMtu();
        ConfigureDctcp(settings);
    }
    else if (!HasUserDefault("ns3::aidc::EthernetNetDevice::Mtu"))
    {
        network.SetMtu(m_options.HasTelemetry() ? TELEMETRY_MTU : ROCE_MTU);
    }
}

void
ExperimentTransport::InstallSwitches(SharedBufferSwitchHelper switches, const FabricHelper& network)
{
    if (m_options.IsRoce())
    {
        switches.SetNClasses(N_CLASSES);
    }
    const auto nodes = network.GetSwitches();
    SharedBufferSwitchHelper::AssignStreams(switches.Install(nodes), MARKING_STREAM);
    if (m_options.HasTelemetry())
    {
        m_options.CheckLinks(network.GetFabric());
        IntHelper::Install(nodes);
    }
    if (!m_options.IsLossless())
    {
        return;
    }
    PriorityFlowControlHelper pfc;
    pfc.SetPriorities({DATA_CLASS});
    const bool hasChip = nodes.GetN() > 0 && nodes.Get(0)->GetObject<SwitchChip>();
    if (!hasChip || m_options.xoffAlpha != ExperimentTransportOptions().xoffAlpha)
    {
        pfc.SetIngressAttribute("XoffAlpha", DoubleValue(m_options.xoffAlpha));
    }
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        AddHeadroom(*node, pfc);
    }
    pfc.InstallSwitches(nodes);
    pfc.InstallHosts(network.GetHosts());
    m_pauses = std::make_unique<PauseMonitor>(DATA_CLASS);
    m_pauses->Add(nodes);
    m_pauses->Add(network.GetHosts());
}

void
ExperimentTransport::InstallHosts(const FabricHelper& network) const
{
    if (!m_options.IsRoce())
    {
        return;
    }
    RoceHelper roce;
    roce.SetAttribute("CongestionControl", ObjectFactoryValue(m_control));
    roce.SetAttribute(
        "Recovery",
        StringValue(m_options.recovery == "go-back-n" ? "GoBackN" : "SelectiveRepeat"));
    roce.Install(network.GetHosts());
}

void
ExperimentTransport::Build(FabricHelper& network,
                           const FabricPlan& fabric,
                           const SharedBufferSwitchHelper& switches)
{
    constexpr int64_t STREAM = 100;
    network.Build(fabric);
    InstallSwitches(switches, network);
    network.AssignAddresses();
    network.AssignStreams(STREAM);
    InstallHosts(network);
}

void
ExperimentTransport::InstallFlows(const FabricHelper& network,
                                  const std::vector<FlowSpec>& flows,
                                  const std::string& name,
                                  Time limit)
{
    GetFlows().StopWhenDone();
    m_begin = limit;
    for (const auto& flow : flows)
    {
        m_begin = std::min(m_begin, flow.start);
    }
    if (!m_options.IsRoce())
    {
        m_tcp.Install(network, flows, name);
        return;
    }
    auto finite = flows;
    for (auto& flow : finite)
    {
        if (flow.bytes == 0 && network.GetFabric().IsHost(flow.source))
        {
            const auto path = network.GetRoutes().GetPath(flow.source, flow.destination);
            const double bytes = static_cast<double>(path.front().rate) / 8 * limit.GetSeconds();
            flow.bytes = static_cast<uint64_t>(std::ceil(bytes));
            m_roce.SetMaxMessage(ENDLESS_MESSAGE);
        }
    }
    m_roce.Install(network, finite, name);
}

void
ExperimentTransport::Simulate(const ExperimentRun& run,
                              FabricRecorder& recorder,
                              Time limit,
                              Time delay)
{
    run.Start(recorder, delay);
    run.Follow(limit, [this] { return GetFlows().GetShareDone(); });
    Simulator::Stop(limit);
    Simulator::Run();
    run.Write(recorder);
    GetFlows().Gather();
}

std::vector<Ptr<CoupledEcnQueue>>
ExperimentTransport::GetDataQueues(Ptr<NetDevice> device) const
{
    if (!device || !IsLocalNode(device->GetNode()))
    {
        return {};
    }
    const auto queues = EcnQueueMonitor::FindQueues(device);
    if (m_options.IsRoce())
    {
        return {queues.at(DATA_CLASS)};
    }
    return queues;
}

std::vector<ResultMetric>
ExperimentTransport::GetMetrics(const FabricHelper& network) const
{
    std::vector<ResultMetric> metrics;
    if (!m_options.IsRoce())
    {
        return metrics;
    }
    const auto hosts = network.GetHosts();
    const auto add = [&](const std::string& name,
                         uint64_t RoceNicStatistics::* counter,
                         const std::string& unit) {
        metrics.push_back({name, SumOverHosts(hosts, counter), unit});
    };
    add("retransmitted_packets", &RoceNicStatistics::retransmittedPackets, "packet");
    add("naks", &RoceNicStatistics::sentNaks, "packet");
    add("timeouts", &RoceNicStatistics::timeouts, "1");
    add("cnps", &RoceNicStatistics::sentCnps, "packet");
    add("failed_queue_pairs", &RoceNicStatistics::errors, "1");
    if (m_pauses)
    {
        const double paused = m_pauses->GetPausedTime().GetSeconds();
        const auto nPorts = static_cast<double>(m_pauses->GetNPorts());
        metrics.push_back({"pauses", static_cast<double>(m_pauses->GetPauses()), "1"});
        metrics.push_back({"paused_time", paused, "s"});
        metrics.push_back(
            {"paused_share", paused / nPorts / (Simulator::Now() - m_begin).GetSeconds(), "1"});
        metrics.push_back({"xoffs", static_cast<double>(m_pauses->GetXoffs()), "1"});
        const auto unmarked = static_cast<double>(m_pauses->GetUnmarkedXoffs());
        metrics.push_back({"unmarked_xoffs", unmarked, "1"});
        metrics.push_back({"ecn_over_xoff", m_pauses->GetEcnOverXoff(), "1"});
    }
    return metrics;
}

double
SumOverHosts(const NodeContainer& hosts, uint64_t RoceNicStatistics::* counter)
{
    uint64_t sum = 0;
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        sum += RoceHelper::GetNic(*host)->GetStatistics().*counter;
    }
    return static_cast<double>(SumOverProcesses(sum));
}

} // namespace ns3::aidc
