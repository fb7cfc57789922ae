// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-recording.h"

#include "../../model/core/multiply-divide.h"

#include "ns3/mpi-processes.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <iomanip>
#include <iterator>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// Numbers of a series of all ports, at most.
constexpr std::size_t MAX_NUMBERS = 100'000;
/// The most intervals.
constexpr std::size_t MOST_INTERVALS = 200;
/// The most intervals in the largest networks.
constexpr std::size_t FEWEST_INTERVALS = 20;

/// Write an optional number as JSON. @return the number, or null
std::string
PrintOptional(const std::optional<uint32_t>& value)
{
    return value ? std::to_string(*value) : "null";
}

/// Write numbers as a JSON array.
template <typename T>
void
WriteArray(std::ostream& os, const std::vector<T>& values)
{
    const char* separator = "[";
    for (const T value : values)
    {
        os << separator << value;
        separator = ",";
    }
    os << (values.empty() ? "[]" : "]");
}

} // namespace

void
FabricRecording::AddPortSeries(uint32_t link,
                               uint32_t end,
                               const std::string& name,
                               const Source& source)
{
    m_ports[2 * link + end][name] = MakeSeries(source);
}

void
FabricRecording::AddNodeSeries(uint32_t node, const std::string& name, const Source& source)
{
    m_nodeSeries[node][name] = MakeSeries(source);
}

void
FabricRecording::AddEvent(int64_t time, const std::string& name, uint32_t link)
{
    // By time, whatever the order in which a simulator runs nodes
    m_events.emplace(time, link, name);
    if (m_events.size() > MAX_EVENTS)
    {
        m_events.erase(std::prev(m_events.end()));
    }
}

std::size_t
FabricRecording::GetMaxIntervals() const
{
    const std::size_t nPorts = std::max<std::size_t>(1, 2 * m_links.size());
    return std::clamp(MAX_NUMBERS / nPorts / 2 * 2, FEWEST_INTERVALS, MOST_INTERVALS);
}

FabricRecording::Series
FabricRecording::MakeSeries(const Source& source) const
{
    return {source, std::vector<uint64_t>(m_times.size())};
}

bool
FabricRecording::Sample(int64_t time)
{
    m_times.push_back(time);
    const bool isFull = m_times.size() > GetMaxIntervals();
    for (auto* all : {&m_ports, &m_nodeSeries})
    {
        for (auto& [place, ofPlace] : *all)
        {
            for (auto& [name, series] : ofPlace)
            {
                series.values.push_back(series.source.read());
                if (isFull)
                {
                    Halve(series);
                }
            }
        }
    }
    if (isFull)
    {
        for (std::size_t i = 0; 2 * i < m_times.size(); ++i)
        {
            m_times[i] = m_times[2 * i];
        }
        m_times.resize((m_times.size() + 1) / 2);
    }
    return isFull;
}

void
FabricRecording::Halve(Series& series)
{
    auto& values = series.values;
    for (std::size_t i = 1; 2 * i < values.size(); ++i)
    {
        const bool isLevel = series.source.kind == LEVEL;
        values[i] = isLevel ? std::max(values[2 * i - 1], values[2 * i]) : values[2 * i];
    }
    values.resize((values.size() + 1) / 2);
}

std::vector<uint64_t>
FabricRecording::GetIntervals(const Series& series) const
{
    std::vector<uint64_t> numbers;
    for (std::size_t i = 1; i < m_times.size(); ++i)
    {
        uint64_t number = series.values[i];
        if (series.source.kind != LEVEL)
        {
            number -= series.values[i - 1];
        }
        if (series.source.kind == SHARE)
        {
            // A frame counts when its transmission begins, so that there may be more than fits.
            const auto duration = static_cast<uint64_t>(m_times[i] - m_times[i - 1]);
            const uint64_t whole = MultiplyDivide(series.source.perSecond, duration, 1'000'000);
            number =
                std::min<uint64_t>(1000,
                                   MultiplyDivide(number, 1'000'000, std::max<uint64_t>(1, whole)));
        }
        numbers.push_back(number);
    }
    return numbers;
}

std::string
FabricRecording::ToText(const SeriesByName& all) const
{
    std::ostringstream os;
    for (const auto& [name, series] : all)
    {
        const auto numbers = GetIntervals(series);
        if (std::any_of(numbers.begin(), numbers.end(), [](uint64_t n) { return n != 0; }))
        {
            os << ",\"" << name << "\":";
            WriteArray(os, numbers);
        }
    }
    return os.str();
}

std::map<uint32_t, std::string>
FabricRecording::JoinSeries(const std::map<uint32_t, SeriesByName>& series) const
{
    std::ostringstream own;
    for (const auto& [place, ofPlace] : series)
    {
        const auto text = ToText(ofPlace);
        if (!text.empty())
        {
            own << place << ' ' << text << '\n';
        }
    }
    std::map<uint32_t, std::string> all;
    for (const auto& text : MpiProcesses::Get().Gather(own.str()))
    {
        std::istringstream lines(text);
        uint32_t place = 0;
        while (lines >> place && lines.get())
        {
            std::getline(lines, all[place]);
        }
    }
    return all;
}

FabricRecording::Events
FabricRecording::JoinEvents() const
{
    std::ostringstream own;
    for (const auto& [time, link, name] : m_events)
    {
        own << time << ' ' << link << ' ' << name << '\n';
    }
    FabricRecording all;
    for (const auto& text : MpiProcesses::Get().Gather(own.str()))
    {
        std::istringstream lines(text);
        int64_t time = 0;
        uint32_t link = 0;
        std::string name;
        while (lines >> time >> link >> name)
        {
            all.AddEvent(time, name, link);
        }
    }
    return all.m_events;
}

void
FabricRecording::Write(const std::string& path) const
{
    ResultFile file(path, "");
    file << "{\"format\":1,\n\"times_ns\":";
    WriteArray(file, m_times);
    file << ",\n\"nodes\":[";
    const char* separator = "\n";
    for (const auto& node : m_nodes)
    {
        file << separator << "{\"name\":" << std::quoted(node.name) << ",\"tier\":\"" << node.tier
             << "\",\"site\":" << PrintOptional(node.site) << ",\"pod\":" << PrintOptional(node.pod)
             << ",\"index\":" << node.index << '}';
        separator = ",\n";
    }
    file << "],\n\"links\":[";
    separator = "\n";
    for (const auto& link : m_links)
    {
        file << separator << "{\"a\":" << link.a << ",\"b\":" << link.b
             << ",\"rate_bps\":" << link.rate << ",\"delay_ns\":" << link.delay << '}';
        separator = ",\n";
    }
    file << "],\n\"ports\":[";
    separator = "\n";
    for (const auto& [port, series] : JoinSeries(m_ports))
    {
        file << separator << "{\"link\":" << port / 2 << ",\"end\":" << port % 2 << series << '}';
        separator = ",\n";
    }
    file << "],\n\"node_series\":[";
    separator = "\n";
    for (const auto& [node, series] : JoinSeries(m_nodeSeries))
    {
        file << separator << "{\"node\":" << node << series << '}';
        separator = ",\n";
    }
    file << "],\n\"events\":[";
    separator = "\n";
    for (const auto& [time, link, name] : JoinEvents())
    {
        file << separator << "{\"time_ns\":" << time << ",\"event\":\"" << name
             << "\",\"link\":" << link << '}';
        separator = ",\n";
    }
    file << "]}\n";
    file.Close();
}

} // namespace ns3::aidc
