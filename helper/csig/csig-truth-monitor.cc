/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-truth-monitor.h"

#include "ns3/abort.h"
#include "ns3/csig-host.h"
#include "ns3/csig-tag.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"
#include "ns3/tag.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// What a frame occupies beside its bytes without FCS: FCS, preamble, delimiter, gap.
constexpr uint64_t WIRE_OVERHEAD = 4 + 20;

/// The longest header of TCP, in bytes: what is longer has data.
constexpr uint32_t TCP_HEADER = 60;

/// The shifts that are tried for the lag.
constexpr uint32_t N_SHIFTS = 50;

/// The worst on a packet's path so far.
class CsigTruthTag : public Tag
{
  public:
    /// The worst of a signal.
    struct Worst
    {
        double value;  //!< the value in the signal's unit
        uint16_t port; //!< the number of the port
    };

    /// Get the type ID.
    /// @return the type ID
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::CsigTruthTag")
                                .SetParent<Tag>()
                                .SetGroupName("Aidc")
                                .HideFromDocumentation()
                                .AddConstructor<CsigTruthTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 8 + 3 * (8 + 2);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU64(static_cast<uint64_t>(arrival));
        for (const auto& entry : worst)
        {
            buffer.WriteDouble(entry.value);
            buffer.WriteU16(entry.port);
        }
    }

    void Deserialize(TagBuffer buffer) override
    {
        arrival = static_cast<int64_t>(buffer.ReadU64());
        for (auto& entry : worst)
        {
            entry.value = buffer.ReadDouble();
            entry.port = buffer.ReadU16();
        }
    }

    void Print(std::ostream& os) const override
    {
        os << "arrival=" << arrival;
    }

    /// Put in the value of a port if it is worse.
    /// @param signal the signal
    /// @param value the value of the port
    /// @param port the number of the port
    void Update(CsigSignal signal, double value, uint16_t port)
    {
        Worst& entry = worst[static_cast<std::size_t>(signal)];
        const bool isMin = GetCsigAggregation(signal) == CsigAggregation::MIN;
        if (isMin ? value < entry.value : value > entry.value)
        {
            entry = {value, port};
        }
    }

    int64_t arrival{0}; //!< at this switch, ns
    /// By signal; no port yet.
    std::array<Worst, 3> worst{{{std::numeric_limits<double>::infinity(), 0xffff},
                                {std::numeric_limits<double>::infinity(), 0xffff},
                                {-1, 0xffff}}};
};

/// Write the truth on a frame. It is a packet tag, which changes no behavior, and traces are where
/// the frame can be seen.
/// @param frame the frame
/// @param tag the truth
void
Write(Ptr<const Packet> frame, CsigTruthTag& tag)
{
    ConstCast<Packet>(frame)->ReplacePacketTag(tag);
}

/**
 * @brief Get the bin of a series, which grows as needed.
 * @tparam T the values
 * @param series the series
 * @param index the number of the bin
 * @return the bin
 */
template <typename T>
T&
GetBin(std::vector<T>& series, int64_t index)
{
    const auto at = static_cast<std::size_t>(index);
    if (at >= series.size())
    {
        series.resize(at + 1);
    }
    return series[at];
}

} // namespace

CsigTruthMonitor::CsigTruthMonitor(Ptr<CsigDomain> domain, Time window, Time bin)
    : m_domain(domain),
      m_window(window.GetNanoSeconds()),
      m_bin(bin.GetNanoSeconds())
{
    NS_ABORT_MSG_IF(m_window <= 0 || m_bin <= 0,
                    "CsigTruthMonitor: expected a window and a bin of at least 1 ns, not "
                        << window << " and " << bin);
}

void
CsigTruthMonitor::AddPort(Ptr<NetDevice> device, uint64_t capacity, std::optional<uint16_t> locator)
{
    const auto ethernet = DynamicCast<EthernetNetDevice>(device);
    NS_ABORT_MSG_IF(!ethernet, "CsigTruthMonitor: expected a port that is an EthernetNetDevice");
    m_ports.push_back(std::make_unique<Port>());
    Port* port = m_ports.back().get();
    port->monitor = this;
    port->index = static_cast<uint16_t>(m_ports.size() - 1);
    port->locator = locator;
    port->capacity = capacity;
    NS_ABORT_MSG_IF(locator && !m_byLocator.emplace(*locator, port->index).second,
                    "CsigTruthMonitor: expected each port to have an LM of its own, but 0x"
                        << std::hex << *locator << " is there twice");
    ethernet->TraceConnectWithoutContext("PhyRxEnd",
                                         MakeBoundCallback(&CsigTruthMonitor::NoteArrival, port));
    ethernet->TraceConnectWithoutContext(
        "PhyTxBegin",
        MakeBoundCallback(&CsigTruthMonitor::NoteTransmission, port));
}

void
CsigTruthMonitor::AddHost(Ptr<Node> host)
{
    const auto csig = host->GetObject<CsigHost>();
    const auto ipv4 = host->GetObject<Ipv4L3Protocol>();
    NS_ABORT_MSG_IF(!csig || !ipv4,
                    "CsigTruthMonitor: expected node " << host->GetId()
                                                       << " to have IPv4 and a CsigHost");
    m_hosts.push_back(std::make_unique<Host>());
    Host* added = m_hosts.back().get();
    added->monitor = this;
    added->name = std::to_string(host->GetId());
    added->nTags = m_hosts.size() - 1; // so that not all of them begin with one that is kept
    csig->TraceConnectWithoutContext("Signal",
                                     MakeBoundCallback(&CsigTruthMonitor::NoteSignal, added));
    ipv4->TraceConnectWithoutContext("LocalDeliver",
                                     MakeBoundCallback(&CsigTruthMonitor::Compare, added));
}

void
CsigTruthMonitor::KeepSeries(uint32_t sampling)
{
    m_sampling = std::max(sampling, 1U);
}

void
CsigTruthMonitor::WriteSeries(const std::string& path) const
{
    m_rows.Write(path, "time_s,signal,reported,truth,reported_lm,true_lm");
}

void
CsigTruthMonitor::NoteArrival(Port*, Ptr<const Packet> frame)
{
    CsigTruthTag tag;
    frame->PeekPacketTag(tag);
    tag.arrival = Simulator::Now().GetNanoSeconds();
    Write(frame, tag);
}

double
CsigTruthMonitor::GetFreeShare(Port& port, int64_t now) const
{
    const int64_t begin = now - m_window;
    while (!port.frames.empty() && port.frames.front().end <= begin)
    {
        port.busy -= port.frames.front().length;
        port.frames.pop_front();
    }
    int64_t busy = port.busy;
    if (!port.frames.empty())
    {
        const auto& first = port.frames.front();
        busy -= std::max<int64_t>(0, begin - (first.end - first.length));
    }
    return std::max(0.0, 1 - static_cast<double>(busy) / static_cast<double>(m_window));
}

void
CsigTruthMonitor::NoteTransmission(Port* port, Ptr<const Packet> frame)
{
    const CsigTruthMonitor& monitor = *port->monitor;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const double share = monitor.GetFreeShare(*port, now);
    CsigTruthTag tag;
    if (frame->PeekPacketTag(tag))
    {
        const auto delay = static_cast<double>(now - tag.arrival);
        tag.Update(CsigSignal::ABW, share * static_cast<double>(port->capacity), port->index);
        tag.Update(CsigSignal::ABW_RATIO, share * 1e6, port->index);
        tag.Update(CsigSignal::HOP_DELAY, delay, port->index);
        Write(frame, tag);
        auto& delays = GetBin(port->delays, now / monitor.m_bin);
        delays.first += delay;
        ++delays.second;
    }
    const uint64_t bits = 8 * (frame->GetSize() + WIRE_OVERHEAD);
    const auto length = static_cast<int64_t>(bits * 1'000'000'000 / port->capacity);
    port->frames.push_back({now + length, length});
    port->busy += length;
    GetBin(port->bits, now / monitor.m_bin) += static_cast<double>(bits);
}

std::optional<CsigReading>
CsigTruthMonitor::Read(const CsigFields& fields) const
{
    const auto reading = m_domain->Read(fields);
    const bool isCompared = reading && reading->hasBottleneck &&
                            reading->signal != CsigSignal::QUEUE_DEPTH &&
                            fields.format == CsigFormat::EXPANDED;
    return isCompared ? reading : std::nullopt;
}

void
CsigTruthMonitor::Compare(Host* host, const Ipv4Header&, Ptr<const Packet> packet, uint32_t)
{
    CsigTruthMonitor& monitor = *host->monitor;
    CsigTag csig;
    CsigTruthTag truth;
    if (!packet->PeekPacketTag(truth))
    {
        return;
    }
    const bool hasData = packet->GetSize() > TCP_HEADER;
    host->nPackets += hasData ? 1 : 0;
    const auto reading =
        packet->PeekPacketTag(csig) ? monitor.Read(csig.GetFields()) : std::nullopt;
    if (!reading)
    {
        return;
    }
    host->nReports += hasData ? 1 : 0;
    const auto signal = reading->signal;
    const auto value = static_cast<double>(reading->GetValue());
    const auto& worst = truth.worst[static_cast<std::size_t>(signal)];
    const Port& bottleneck = *monitor.m_ports.at(worst.port);
    const double unit = signal == CsigSignal::ABW         ? static_cast<double>(bottleneck.capacity)
                        : signal == CsigSignal::ABW_RATIO ? 1e6
                                                          : 1e9;
    Result& result = host->results[static_cast<std::size_t>(signal)];
    result.errors.push_back((value - worst.value) / unit);
    const uint16_t locator = csig.GetFields().locator;
    result.nRight += locator == bottleneck.locator ? 1 : 0;
    if (monitor.m_sampling > 0 && host->nTags % monitor.m_sampling == 0)
    {
        std::ostringstream row;
        row << Simulator::Now().GetSeconds() << ',' << GetCsigName(signal) << ',' << value << ','
            << worst.value << ',' << locator << ',';
        if (bottleneck.locator)
        {
            row << *bottleneck.locator;
        }
        monitor.m_rows.Add(host->name, row.str());
    }
    ++host->nTags;
}

void
CsigTruthMonitor::NoteSignal(Host* host, const FlowKey&, const CsigFields& fields)
{
    const CsigTruthMonitor& monitor = *host->monitor;
    const auto reading = monitor.Read(fields);
    const auto port = monitor.m_byLocator.find(fields.locator);
    if (reading && port != monitor.m_byLocator.end())
    {
        host->results[static_cast<std::size_t>(reading->signal)].samples.push_back(
            {Simulator::Now().GetNanoSeconds(),
             port->second,
             static_cast<double>(reading->GetValue())});
    }
}

CsigAccuracy
CsigTruthMonitor::GetAccuracy(CsigSignal signal) const
{
    Result result;
    for (const auto& host : m_hosts)
    {
        const auto& own = host->results.at(static_cast<std::size_t>(signal));
        result.errors.insert(result.errors.end(), own.errors.begin(), own.errors.end());
        result.samples.insert(result.samples.end(), own.samples.begin(), own.samples.end());
        result.nRight += own.nRight;
    }
    CsigAccuracy accuracy;
    accuracy.nSignals = result.errors.size();
    accuracy.bias = Mean(result.errors);
    std::vector<double> sizes;
    sizes.reserve(result.errors.size());
    for (const double error : result.errors)
    {
        sizes.push_back(std::abs(error));
        accuracy.falseBottlenecks += error <= -LIMIT ? 1 : 0;
        accuracy.missedBottlenecks += error >= LIMIT ? 1 : 0;
    }
    accuracy.falseBottlenecks /= static_cast<double>(sizes.size());
    accuracy.missedBottlenecks /= static_cast<double>(sizes.size());
    accuracy.errorMean = Mean(sizes);
    accuracy.errorP99 = Percentile(sizes, 0.99);
    accuracy.rightPort = static_cast<double>(result.nRight) / static_cast<double>(sizes.size());
    const int64_t lag = FindSignalLag(GetTruth(signal), result.samples, m_bin, N_SHIFTS);
    accuracy.lag = lag < 0 ? std::nan("") : static_cast<double>(lag) / 1e9;
    return accuracy;
}

double
CsigTruthMonitor::GetReportedShare() const
{
    uint64_t nPackets = 0;
    uint64_t nReports = 0;
    for (const auto& host : m_hosts)
    {
        nPackets += host->nPackets;
        nReports += host->nReports;
    }
    return static_cast<double>(nReports) / static_cast<double>(nPackets);
}

FullPortReports
CsigTruthMonitor::GetFullPortReports() const
{
    std::vector<LagSample> samples;
    for (const auto& host : m_hosts)
    {
        for (auto sample : host->results.at(static_cast<std::size_t>(CsigSignal::ABW)).samples)
        {
            sample.value /= static_cast<double>(m_ports[sample.port]->capacity);
            samples.push_back(sample);
        }
    }
    auto free = GetTruth(CsigSignal::ABW);
    for (std::size_t port = 0; port < free.size(); ++port)
    {
        for (double& value : free[port])
        {
            value /= static_cast<double>(m_ports[port]->capacity);
        }
    }
    const auto nBins = static_cast<uint32_t>(std::max<int64_t>(1, m_window / m_bin));
    return FindFullPortReports(free, samples, m_bin, nBins, LIMIT);
}

std::vector<std::vector<double>>
CsigTruthMonitor::GetTruth(CsigSignal signal) const
{
    std::size_t nBins = 0;
    for (const auto& port : m_ports)
    {
        nBins = std::max({nBins, port->bits.size(), port->delays.size()});
    }
    std::vector<std::vector<double>> truth;
    for (const auto& port : m_ports)
    {
        truth.emplace_back(nBins, 0);
        for (std::size_t bin = 0; bin < nBins; ++bin)
        {
            const double sent = bin < port->bits.size() ? port->bits[bin] : 0;
            const double rate = sent * 1e9 / static_cast<double>(m_bin);
            const double free = static_cast<double>(port->capacity) - rate;
            if (signal == CsigSignal::ABW)
            {
                truth.back()[bin] = free;
            }
            else if (signal == CsigSignal::ABW_RATIO)
            {
                truth.back()[bin] = 1e6 * free / static_cast<double>(port->capacity);
            }
            else if (bin < port->delays.size() && port->delays[bin].second > 0)
            {
                truth.back()[bin] = port->delays[bin].first / port->delays[bin].second;
            }
        }
    }
    return truth;
}

} // namespace ns3::aidc
