// SPDX-License-Identifier: GPL-2.0-only

#include "csig-truth-monitor.h"

#include "../../model/core/require-argument.h"
#include "../local-node.h"

#include "ns3/csig-fabric-ports.h"
#include "ns3/csig-host.h"
#include "ns3/csig-tag.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/process-gather.h"
#include "ns3/protocol-numbers.h"
#include "ns3/roce-nic.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// What a frame occupies in addition to its bytes without FCS: FCS, preamble, delimiter, gap.
constexpr uint64_t WIRE_OVERHEAD = 4 + 20;

/// Write the truth on a packet, as a packet tag: traces show these, and behavior does not change.
void
Write(Ptr<const Packet> packet, CsigTruthTag& tag)
{
    ConstCast<Packet>(packet)->ReplacePacketTag(tag);
}

/// The longest header of TCP, in bytes: a longer packet has data.
constexpr uint32_t TCP_HEADER = 60;

/// The longest acknowledgment of RoCEv2 with a reflection, in bytes: a longer packet has data.
constexpr uint32_t LONGEST_ACKNOWLEDGMENT = 86;

/// The shifts that are tried for the lag.
constexpr uint32_t N_SHIFTS = 50;

} // namespace

/// The true state of a switch's port: writes its values into the CsigTruthTag of each packet that
/// the port sends, and keeps them by bins of time.
class CsigTruthPort
{
  public:
    /// window: the time over which available bandwidth is measured, ns; bin: of a bin, ns.
    CsigTruthPort(Ptr<EthernetNetDevice> device,
                  const CsigTruthIdentity& identity,
                  int64_t window,
                  int64_t bin)
        : m_identity(identity),
          m_window(window),
          m_bin(bin)
    {
        // Not PhyRxEnd and PhyTxBegin, for which the headers of each frame would be written
        device->TraceConnectWithoutContext("FrameEnd",
                                           MakeCallback(&CsigTruthPort::NoteArrival, this));
        device->TraceConnectWithoutContext("FrameBegin",
                                           MakeCallback(&CsigTruthPort::NoteTransmission, this));
    }

    /// @return the number of the port
    uint16_t GetNumber() const
    {
        return m_identity.number;
    }

    /// @return the number of bins up to the last one with a frame
    std::size_t GetNBins() const
    {
        return m_bins.size();
    }

    /// Get the truth by bin, in the signal's unit. signal: min(ABW), min(ABW/C) or max(PD).
    std::vector<double> GetValues(CsigSignal signal, std::size_t nBins) const;

  private:
    /// A frame on the wire.
    struct Frame
    {
        int64_t end;    //!< when its last bit is sent, ns
        int64_t length; //!< how long it takes, ns
    };

    /// What was sent in a bin of time.
    struct Bin
    {
        double bits{0};      //!< bits
        double delay{0};     //!< the sum of the packets' delays, ns
        uint32_t nDelays{0}; //!< packets with a delay
    };

    void NoteArrival(Ptr<const Packet> packet, uint32_t nBytes);

    void NoteTransmission(Ptr<const Packet> packet, uint32_t nBytes);

    /// @return the unused share of the port's capacity in the window that ends now, from 0 to 1
    double GetFreeShare(int64_t now);

    CsigTruthIdentity m_identity; //!< identifies it
    int64_t m_window;             //!< time of bandwidth averages, ns
    int64_t m_bin;                //!< the width of a bin, ns
    std::deque<Frame> m_frames;   //!< the frames that end within it
    int64_t m_busy{0};            //!< the sum of their lengths, ns
    std::vector<Bin> m_bins;      //!< what was sent
};

void
CsigTruthPort::NoteArrival(Ptr<const Packet> packet, uint32_t)
{
    CsigTruthTag tag;
    packet->PeekPacketTag(tag);
    tag.values.arrival = Simulator::Now().GetNanoSeconds();
    Write(packet, tag);
}

double
CsigTruthPort::GetFreeShare(int64_t now)
{
    const int64_t begin = now - m_window;
    while (!m_frames.empty() && m_frames.front().end <= begin)
    {
        m_busy -= m_frames.front().length;
        m_frames.pop_front();
    }
    int64_t busy = m_busy;
    if (!m_frames.empty())
    {
        const auto& first = m_frames.front();
        busy -= std::max<int64_t>(0, begin - (first.end - first.length));
    }
    return std::max(0.0, 1 - static_cast<double>(busy) / static_cast<double>(m_window));
}

void
CsigTruthPort::NoteTransmission(Ptr<const Packet> packet, uint32_t nBytes)
{
    const auto& [number, capacity, locator] = m_identity;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const double share = GetFreeShare(now);
    const auto index = static_cast<std::size_t>(now / m_bin);
    m_bins.resize(std::max(m_bins.size(), index + 1));
    Bin& bin = m_bins[index];
    CsigTruthTag tag;
    if (packet->PeekPacketTag(tag))
    {
        const auto delay = static_cast<double>(now - tag.values.arrival);
        tag.Update(CsigSignal::ABW, share * static_cast<double>(capacity), number);
        tag.Update(CsigSignal::ABW_RATIO, share * 1e6, number);
        tag.Update(CsigSignal::HOP_DELAY, delay, number);
        Write(packet, tag);
        bin.delay += delay;
        ++bin.nDelays;
    }
    const uint64_t bits = 8 * (nBytes + WIRE_OVERHEAD);
    const auto length = static_cast<int64_t>(bits * 1'000'000'000 / capacity);
    m_frames.push_back({now + length, length});
    m_busy += length;
    bin.bits += static_cast<double>(bits);
}

std::vector<double>
CsigTruthPort::GetValues(CsigSignal signal, std::size_t nBins) const
{
    const auto capacity = static_cast<double>(m_identity.capacity);
    std::vector<double> values(nBins, 0);
    for (std::size_t i = 0; i < nBins; ++i)
    {
        const Bin bin = i < m_bins.size() ? m_bins[i] : Bin();
        const double free = capacity - bin.bits * 1e9 / static_cast<double>(m_bin);
        if (signal != CsigSignal::HOP_DELAY)
        {
            values[i] = signal == CsigSignal::ABW ? free : 1e6 * free / capacity;
        }
        else if (bin.nDelays > 0)
        {
            values[i] = bin.delay / bin.nDelays;
        }
    }
    return values;
}

CsigTruthMonitor::CsigTruthMonitor(Ptr<CsigDomain> domain, Time window, Time bin)
    : m_domain(domain),
      m_window(window.GetNanoSeconds()),
      m_bin(bin.GetNanoSeconds())
{
    CsigTruthTag::GetTypeId(); // ns-3 reads tags of types that it knows, from other processes, too
    AIDC_REFUSED_IF(m_window <= 0 || m_bin <= 0,
                    "CsigTruthMonitor: expected a window and a bin of at least 1 ns, not "
                        << window << " and " << bin);
}

CsigTruthMonitor::~CsigTruthMonitor() = default;

void
CsigTruthMonitor::AddPort(Ptr<NetDevice> device, uint64_t capacity, std::optional<uint16_t> locator)
{
    const bool isLocal = device && IsLocalNode(device->GetNode());
    const auto ethernet = DynamicCast<EthernetNetDevice>(device);
    AIDC_REFUSED_IF(isLocal && !ethernet,
                    "CsigTruthMonitor: expected a port that is an EthernetNetDevice");
    const auto number = static_cast<uint16_t>(m_identities.size());
    AIDC_REFUSED_IF(locator && !m_byLocator.emplace(*locator, number).second,
                    "CsigTruthMonitor: expected each port to have an LM of its own, but 0x"
                        << std::hex << *locator << " is there twice");
    m_identities.push_back({number, capacity, locator});
    if (isLocal)
    {
        m_ports.push_back(
            std::make_unique<CsigTruthPort>(ethernet, m_identities.back(), m_window, m_bin));
    }
}

void
CsigTruthMonitor::AddHost(Ptr<Node> host)
{
    Host* added = &m_hosts.emplace_back();
    added->name = std::to_string(host->GetId());
    added->nTags = m_hosts.size() - 1; // so that not all of them begin with one that is kept
    if (!IsLocalNode(host))
    {
        return;
    }
    const auto csig = host->GetObject<CsigHost>();
    const auto ipv4 = host->GetObject<Ipv4L3Protocol>();
    AIDC_REFUSED_IF(!csig || !ipv4,
                    "CsigTruthMonitor: expected node " << host->GetId()
                                                       << " to have IPv4 and a CsigHost");
    csig->TraceConnectWithoutContext("Signal",
                                     Callback<void, const FlowKey&, const CsigFields&>(
                                         [this, added](const FlowKey&, const CsigFields& fields) {
                                             NoteSignal(*added, fields);
                                         }));
    const Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t> compare(
        [this, added](const Ipv4Header& header, Ptr<const Packet> packet, uint32_t) {
            Compare(*added, header, *packet);
        });
    ipv4->TraceConnectWithoutContext("LocalDeliver", compare);
    if (const auto nic = host->GetObject<RoceNic>())
    {
        nic->TraceConnectWithoutContext("LocalDeliver", compare);
    }
}

void
CsigTruthMonitor::AddFabric(const FabricHelper& network)
{
    const FabricPlan& plan = network.GetFabric();
    std::map<std::pair<NodeIndex, PortIndex>, uint16_t> locators;
    for (const auto& [node, port, byFormat] : GatherCsigPortLocators(network))
    {
        locators[{node, port}] = byFormat[static_cast<std::size_t>(CsigFormat::EXPANDED)]
                                         [static_cast<std::size_t>(CsigSignal::ABW)];
    }
    for (const NodeIndex id : plan.GetSwitches())
    {
        for (PortIndex port; port < plan.GetPorts(id).GetEnd(); ++port)
        {
            const auto locator = locators.find({id, port});
            AddPort(network.GetPort(id, port),
                    plan.GetLinks()[plan.GetPorts(id)[port].link].rate,
                    locator == locators.end() ? std::nullopt : std::make_optional(locator->second));
        }
    }
    for (const NodeIndex host : plan.GetHosts())
    {
        AddHost(network.GetNode(host));
    }
}

void
CsigTruthMonitor::KeepSeries(uint32_t sampling)
{
    m_sampling = std::max(sampling, 1U);
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
CsigTruthMonitor::Compare(Host& host, const Ipv4Header& header, const Packet& packet)
{
    CsigTag csig;
    CsigTruthTag truth;
    if (!packet.PeekPacketTag(truth))
    {
        return;
    }
    const bool isUdp = header.GetProtocol() == PROTOCOL_UDP;
    const bool hasData = packet.GetSize() > (isUdp ? LONGEST_ACKNOWLEDGMENT : TCP_HEADER);
    host.nPackets += hasData ? 1 : 0;
    const auto reading =
        packet.PeekPacketTag(csig) ? Read(csig.GetFields()) : std::optional<CsigReading>();
    if (!reading)
    {
        return;
    }
    host.nReports += hasData ? 1 : 0;
    const auto signal = reading->signal;
    const auto value = static_cast<double>(reading->GetValue());
    const auto& worst = truth.values.worst[static_cast<std::size_t>(signal)];
    const auto& bottleneck = m_identities.at(worst.port);
    const double unit = signal == CsigSignal::ABW         ? static_cast<double>(bottleneck.capacity)
                        : signal == CsigSignal::ABW_RATIO ? 1e6
                                                          : 1e9;
    Comparisons& result = host.results[static_cast<std::size_t>(signal)];
    result.errors.push_back((value - worst.value) / unit);
    const uint16_t locator = csig.GetFields().locator;
    result.nRight += locator == bottleneck.locator ? 1 : 0;
    if (m_sampling > 0 && host.nTags % m_sampling == 0)
    {
        std::ostringstream row;
        row << Simulator::Now().GetSeconds() << ',' << GetCsigName(signal) << ',' << value << ','
            << worst.value << ',' << locator << ',';
        if (bottleneck.locator)
        {
            row << *bottleneck.locator;
        }
        m_rows.Add(host.name, row.str());
    }
    ++host.nTags;
}

void
CsigTruthMonitor::NoteSignal(Host& host, const CsigFields& fields) const
{
    const auto reading = Read(fields);
    const auto port = m_byLocator.find(fields.locator);
    if (reading && port != m_byLocator.end())
    {
        host.results[static_cast<std::size_t>(reading->signal)].samples.push_back(
            {Simulator::Now().GetNanoSeconds(),
             port->second,
             static_cast<double>(reading->GetValue())});
    }
}

CsigTruthMonitor::Comparisons
CsigTruthMonitor::GetComparisons(CsigSignal signal) const
{
    std::vector<PlacedItem<double>> errors;
    std::vector<PlacedItem<LagSample>> samples;
    Comparisons all;
    for (std::size_t host = 0; host < m_hosts.size(); ++host)
    {
        const auto& own = m_hosts[host].results.at(static_cast<std::size_t>(signal));
        for (const double error : own.errors)
        {
            errors.push_back({host, error});
        }
        for (const auto& sample : own.samples)
        {
            samples.push_back({host, sample});
        }
        all.nRight += own.nRight;
    }
    all.nRight = SumOverProcesses(all.nRight);
    all.errors = GatherInOrder(errors);
    all.samples = GatherInOrder(samples);
    return all;
}

CsigAccuracy
CsigTruthMonitor::GetAccuracy(CsigSignal signal) const
{
    const Comparisons result = GetComparisons(signal);
    const auto n = static_cast<double>(result.errors.size());
    CsigAccuracy accuracy;
    accuracy.nSignals = result.errors.size();
    accuracy.bias = Mean(result.errors);
    std::vector<double> sizes;
    for (const double error : result.errors)
    {
        sizes.push_back(std::abs(error));
        accuracy.falseBottlenecks += error <= -LIMIT ? 1 : 0;
        accuracy.missedBottlenecks += error >= LIMIT ? 1 : 0;
    }
    accuracy.falseBottlenecks /= n;
    accuracy.missedBottlenecks /= n;
    accuracy.errorMean = Mean(sizes);
    accuracy.errorP99 = Percentile(sizes, 0.99);
    accuracy.rightPort = static_cast<double>(result.nRight) / n;
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
        nPackets += host.nPackets;
        nReports += host.nReports;
    }
    return static_cast<double>(SumOverProcesses(nReports)) /
           static_cast<double>(SumOverProcesses(nPackets));
}

FullPortReports
CsigTruthMonitor::GetFullPortReports() const
{
    auto samples = GetComparisons(CsigSignal::ABW).samples;
    for (auto& sample : samples)
    {
        sample.value /= static_cast<double>(m_identities[sample.port].capacity);
    }
    auto free = GetTruth(CsigSignal::ABW);
    for (std::size_t port = 0; port < free.size(); ++port)
    {
        for (double& value : free[port])
        {
            value /= static_cast<double>(m_identities[port].capacity);
        }
    }
    const auto nBins = static_cast<uint32_t>(std::max<int64_t>(1, m_window / m_bin));
    return FindFullPortReports(free, samples, m_bin, nBins, LIMIT);
}

std::vector<std::vector<double>>
CsigTruthMonitor::GetTruth(CsigSignal signal) const
{
    std::size_t nOwn = 0;
    for (const auto& port : m_ports)
    {
        nOwn = std::max(nOwn, port->GetNBins());
    }
    const auto counts = GatherItems(std::vector<std::size_t>{nOwn});
    const std::size_t nBins = *std::max_element(counts.begin(), counts.end());
    std::vector<uint16_t> numbers;
    std::vector<double> values;
    for (const auto& port : m_ports)
    {
        const auto own = port->GetValues(signal, nBins);
        numbers.push_back(port->GetNumber());
        values.insert(values.end(), own.begin(), own.end());
    }
    // Both are in the order of processes, and of their ports.
    numbers = GatherItems(numbers);
    values = GatherItems(values);
    std::vector<std::vector<double>> truth(m_identities.size());
    auto next = values.begin();
    for (const uint16_t number : numbers)
    {
        const auto end = next + static_cast<std::ptrdiff_t>(nBins);
        truth[number].assign(next, end);
        next = end;
    }
    return truth;
}

} // namespace ns3::aidc
