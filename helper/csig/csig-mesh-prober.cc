// SPDX-License-Identifier: GPL-2.0-only

#include "csig-mesh-prober.h"

#include "../../model/core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/process-gather.h"
#include "ns3/random-variable-stream.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

/// The first source port of a host.
constexpr uint32_t FIRST_PROBE_PORT = 20000;

} // namespace

CsigMeshProber::CsigMeshProber(Ptr<CsigDomain> domain, const CsigMeshProberSettings& settings)
    : m_domain(domain),
      m_settings(settings),
      m_rankings{
          {CsigSignal::ABW, {CsigBottlenecks(CsigAggregation::MIN, settings.speed), std::nan("")}},
          {CsigSignal::HOP_DELAY,
           {CsigBottlenecks(CsigAggregation::MAX,
                            static_cast<uint64_t>(settings.delay.GetNanoSeconds())),
            std::nan("")}}}
{
}

CsigMeshProber::~CsigMeshProber()
{
    m_event.Cancel();
}

void
CsigMeshProber::ChoosePairs(const std::vector<NodeIndex>& hosts, int64_t stream)
{
    AIDC_REFUSED_IF(hosts.size() < 2, "CsigMeshProber: expected at least two hosts");
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(stream);
    const auto nPeers = std::min<std::size_t>(m_settings.nPeers, hosts.size() - 1);
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        // The first steps of a Fisher-Yates shuffle of the others.
        auto others = hosts;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        for (std::size_t k = 0; k < nPeers; ++k)
        {
            const auto last = static_cast<uint32_t>(others.size() - 1);
            std::swap(others[k], others[uniform->GetInteger(static_cast<uint32_t>(k), last)]);
            m_pairs.emplace_back(hosts[i], others[k]);
        }
    }
}

int64_t
CsigMeshProber::Install(const FabricHelper& network, int64_t stream)
{
    AIDC_REFUSED_IF(!m_pairs.empty(), "CsigMeshProber: expected to be installed once");
    const std::string reason = "CsigMeshProber and its settings";
    RefuseUserDefaults("ns3::aidc::CsigUdpSink", {"Local", "Port"}, reason);
    RefuseUserDefaults(
        "ns3::aidc::CsigUdpSource",
        {"Local", "Remote", "RemotePort", "FirstPort", "Ports", "Rate", "PacketSize", "Rotate"},
        reason);
    const auto& hosts = network.GetFabric().GetHosts();
    ChoosePairs(hosts, stream);
    for (const NodeIndex host : hosts)
    {
        if (!network.IsLocal(host))
        {
            continue;
        }
        auto sink = CreateObject<CsigUdpSink>();
        sink->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(host)));
        sink->SetAttribute("Port", UintegerValue(m_settings.port));
        network.GetNode(host)->AddApplication(sink);
    }
    // Pairs begin one after the other, so that their probes do not come in bursts.
    const Time interval = m_settings.rate.CalculateBytesTxTime(m_settings.packetSize);
    std::map<NodeIndex, uint32_t> nOfHost;
    for (uint32_t pair = 0; pair < m_pairs.size(); ++pair)
    {
        const auto [from, to] = m_pairs[pair];
        const uint32_t first = FIRST_PROBE_PORT + m_settings.nPorts * nOfHost[from]++;
        AIDC_REFUSED_IF(first + m_settings.nPorts > 65536,
                        "CsigMeshProber: expected fewer peers or ports, as a host has 65536 ports");
        if (!network.IsLocal(from))
        {
            continue;
        }
        auto source = CreateObject<CsigUdpSource>();
        source->SetAttribute("Local", Ipv4AddressValue(network.GetAddress(from)));
        source->SetAttribute("Remote", Ipv4AddressValue(network.GetAddress(to)));
        source->SetAttribute("RemotePort", UintegerValue(m_settings.port));
        source->SetAttribute("FirstPort", UintegerValue(first));
        source->SetAttribute("Ports", UintegerValue(m_settings.nPorts));
        source->SetAttribute("Rate", DataRateValue(m_settings.rate));
        source->SetAttribute("PacketSize", UintegerValue(m_settings.packetSize));
        source->SetAttribute("Rotate", BooleanValue(true));
        source->SetStartTime(
            m_settings.start +
            TimeStep(static_cast<uint64_t>(interval.GetTimeStep()) * pair / m_pairs.size()));
        network.GetNode(from)->AddApplication(source);
        source->TraceConnectWithoutContext(
            "Signal",
            Callback<void, const FlowKey&, const CsigFields&>(
                [this, pair](const FlowKey&, const CsigFields& fields) {
                    NoteSignal(pair, fields);
                }));
        m_sources.push_back(source);
    }
    return 1;
}

void
CsigMeshProber::NoteSignal(uint32_t pair, const CsigFields& fields)
{
    const auto reading = m_domain->Read(fields);
    const auto ranking = reading ? m_rankings.find(reading->signal) : m_rankings.end();
    if (ranking == m_rankings.end() || !reading->hasBottleneck)
    {
        return;
    }
    AIDC_REFUSED_IF(fields.format != CsigFormat::EXPANDED,
                    "CsigMeshProber: expected hosts whose attribute Format is Expanded");
    ranking->second.bottlenecks.Add(pair, fields.locator, reading->GetValue());
    ++m_nSignals;
}

void
CsigMeshProber::Watch(const std::vector<uint16_t>& locators, Time interval)
{
    AIDC_REFUSED_IF(!interval.IsStrictlyPositive(),
                    "CsigMeshProber: expected an interval above 0, not " << interval);
    m_watched = locators;
    m_interval = interval;
    m_event.Cancel();
    m_event = Simulator::Schedule(m_settings.start + interval, &CsigMeshProber::Look, this);
}

void
CsigMeshProber::Look()
{
    NoteEndlessTimer();
    const Time elapsed = Simulator::Now() - m_settings.start;
    for (auto& [signal, ranking] : m_rankings)
    {
        if (GetRank(signal) != 1)
        {
            ranking.detection = std::nan("");
        }
        else if (std::isnan(ranking.detection))
        {
            ranking.detection = elapsed.GetSeconds();
        }
    }
    m_event = Simulator::Schedule(m_interval, &CsigMeshProber::Look, this);
}

bool
CsigMeshProber::IsWatched(uint16_t locator) const
{
    return std::find(m_watched.begin(), m_watched.end(), locator) != m_watched.end();
}

const CsigMeshProber::Ranking&
CsigMeshProber::Find(CsigSignal signal) const
{
    const auto found = m_rankings.find(signal);
    AIDC_REFUSED_IF(found == m_rankings.end(),
                    "CsigMeshProber: expected min(ABW) or max(PD), not " << GetCsigName(signal));
    return found->second;
}

double
CsigMeshProber::GetDetectionTime(CsigSignal signal) const
{
    return Find(signal).detection;
}

uint32_t
CsigMeshProber::GetRank(CsigSignal signal) const
{
    const auto ranking = GetBottlenecks(signal).GetRanking();
    const auto found = std::find_if(ranking.begin(), ranking.end(), [this](const auto& port) {
        return IsWatched(port.locator);
    });
    return found == ranking.end() ? 0 : static_cast<uint32_t>(found - ranking.begin()) + 1;
}

double
CsigMeshProber::GetMargin(CsigSignal signal) const
{
    double own = std::nan("");
    double other = std::nan("");
    for (const auto& port : GetBottlenecks(signal).GetRanking())
    {
        double& best = IsWatched(port.locator) ? own : other;
        best = std::fmax(best, port.score);
    }
    return own / other;
}

CsigBottlenecks
CsigMeshProber::GetBottlenecks(CsigSignal signal) const
{
    const auto& own = Find(signal).bottlenecks;
    if (MpiProcesses::Get().GetN() == 1)
    {
        return own;
    }
    CsigBottlenecks all(GetCsigAggregation(signal), own.GetReference());
    for (const auto& part : GatherItems(own.GetParts()))
    {
        all.Add(part);
    }
    return all;
}

uint64_t
CsigMeshProber::GetNSignals() const
{
    return SumOverProcesses(m_nSignals);
}

uint64_t
CsigMeshProber::GetSentBytes() const
{
    uint64_t sum = 0;
    for (const auto& source : m_sources)
    {
        sum += source->GetSentBytes();
    }
    return SumOverProcesses(sum);
}

void
CsigMeshProber::WriteRanking(const std::string& path,
                             const std::map<uint16_t, std::string>& names) const
{
    ResultFile file(path, "signal,rank,port,signals,pairs,worst,best,mean,score");
    for (const auto& [signal, own] : m_rankings)
    {
        uint32_t rank = 0;
        for (const auto& port : GetBottlenecks(signal).GetRanking())
        {
            const auto name = names.find(port.locator);
            file << GetCsigName(signal) << ',' << ++rank << ','
                 << (name == names.end() ? std::to_string(port.locator) : name->second) << ','
                 << port.nReports << ',' << port.nPairs << ',' << port.worst << ',' << port.best
                 << ',' << port.mean << ',' << port.score << '\n';
        }
    }
    file.Close();
}

} // namespace ns3::aidc
