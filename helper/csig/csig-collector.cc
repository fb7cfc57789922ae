// SPDX-License-Identifier: GPL-2.0-only

#include "csig-collector.h"

#include "../../model/core/require-argument.h"
#include "../local-node.h"

#include "ns3/csig-host.h"
#include "ns3/process-gather.h"
#include "ns3/result-file.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

CsigCollector::CsigCollector(Ptr<CsigDomain> domain, Time bin)
    : m_domain(domain),
      m_bin(bin.GetNanoSeconds())
{
    AIDC_REFUSED_IF(m_bin <= 0, "CsigCollector: expected a bin of at least 1 ns, not " << bin);
}

void
CsigCollector::AddHost(Ptr<Node> host)
{
    if (!IsLocalNode(host))
    {
        return;
    }
    const auto csig = host->GetObject<CsigHost>();
    AIDC_REFUSED_IF(!csig,
                    "CsigCollector: expected node " << host->GetId() << " to have a CsigHost");
    csig->TraceConnectWithoutContext("Signal", MakeCallback(&CsigCollector::NoteSignal, this));
}

void
CsigCollector::SetGroup(uint32_t address, const std::string& group)
{
    const auto [found, isNew] = m_numbers.emplace(group, static_cast<uint32_t>(m_groups.size()));
    if (isNew)
    {
        m_groups.push_back(group);
    }
    m_groupOf[address] = found->second;
}

void
CsigCollector::NoteSignal(const FlowKey& flow, const CsigFields& fields)
{
    const auto reading = m_domain->Read(fields);
    const auto source = m_groupOf.find(flow.source);
    const auto destination = m_groupOf.find(flow.destination);
    if (!reading || !reading->hasBottleneck || source == m_groupOf.end() ||
        destination == m_groupOf.end())
    {
        return;
    }
    const uint64_t value = reading->GetValue();
    const int64_t bin = Simulator::Now().GetNanoSeconds() / m_bin;
    m_pairs[{bin, source->second, destination->second, reading->signal}].push_back(
        static_cast<double>(value));
    auto& port = m_named[{bin, {fields.format, fields.locator}, reading->signal}];
    port.first += value;
    ++port.second;
}

void
CsigCollector::WriteSummaries(const std::string& path) const
{
    /// A value and its key.
    struct Item
    {
        int64_t bin;
        uint32_t source;
        uint32_t destination;
        CsigSignal signal;
        double value;
    };

    std::vector<Item> items;
    for (const auto& [key, values] : m_pairs)
    {
        const auto& [bin, source, destination, signal] = key;
        for (const double value : values)
        {
            items.push_back({bin, source, destination, signal, value});
        }
    }
    Pairs all;
    for (const auto& item : GatherItems(items))
    {
        all[{item.bin, item.source, item.destination, item.signal}].push_back(item.value);
    }
    ResultFile file(path, "time_s,source,destination,signal,signals,min,mean,p50,p99,max");
    for (auto& [key, values] : all)
    {
        const auto& [bin, source, destination, signal] = key;
        std::sort(values.begin(), values.end());
        file << static_cast<double>(bin * m_bin) / 1e9 << ',' << m_groups[source] << ','
             << m_groups[destination] << ',' << GetCsigName(signal) << ',' << values.size() << ','
             << values.front() << ',' << Mean(values) << ',' << Percentile(values, 0.5) << ','
             << Percentile(values, 0.99) << ',' << values.back() << '\n';
    }
    file.Close();
}

void
CsigCollector::WriteHeatMap(const std::string& path) const
{
    /// The sum of a port.
    struct Item
    {
        int64_t bin;
        CsigFormat format;
        uint16_t locator;
        CsigSignal signal;
        uint64_t sum;
        uint64_t n;
    };

    std::vector<Item> items;
    for (const auto& [key, port] : m_named)
    {
        const auto& [bin, locator, signal] = key;
        items.push_back({bin, locator.first, locator.second, signal, port.first, port.second});
    }
    Named all;
    for (const auto& item : GatherItems(items))
    {
        auto& port = all[{item.bin, {item.format, item.locator}, item.signal}];
        port.first += item.sum;
        port.second += item.n;
    }
    ResultFile file(path, "time_s,port,signal,signals,mean");
    for (const auto& [key, port] : all)
    {
        const auto& [bin, locator, signal] = key;
        const auto name = m_ports.find(locator);
        file << static_cast<double>(bin * m_bin) / 1e9 << ','
             << (name == m_ports.end() ? std::to_string(locator.second) : name->second) << ','
             << GetCsigName(signal) << ',' << port.second << ','
             << static_cast<double>(port.first) / static_cast<double>(port.second) << '\n';
    }
    file.Close();
}

} // namespace ns3::aidc
