// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-results.h"

#include "experiment-values.h"

#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// @return the text of whole ns; GetSeconds() makes 9.999999999999999e-05 s of 100 us
std::string
PrintSeconds(Time time)
{
    return PrintShortest(static_cast<double>(time.GetNanoSeconds()) / 1e9);
}

} // namespace

std::vector<ResultMetric>
GetFctMetrics(const std::vector<FlowRecord>& records)
{
    std::vector<double> fcts;
    std::vector<double> slowdowns;
    std::size_t unfinished = 0;
    for (const auto& record : records)
    {
        if (record.isDone)
        {
            fcts.push_back(record.fct.GetSeconds());
            slowdowns.push_back(record.slowdown);
        }
        else if (record.spec.bytes > 0)
        {
            ++unfinished;
        }
    }
    return {{"unfinished_flows", static_cast<double>(unfinished), "1"},
            {"fct_mean", Mean(fcts), "s"},
            {"fct_p50", Percentile(fcts, 0.5), "s"},
            {"fct_p99", Percentile(fcts, 0.99), "s"},
            {"fct_slowdown_mean", Mean(slowdowns), "1"},
            {"fct_slowdown_p50", Percentile(slowdowns, 0.5), "1"},
            {"fct_slowdown_p99", Percentile(slowdowns, 0.99), "1"}};
}

std::vector<ResultMetric>
GetPacketMetrics(const FabricPacketCounts& counts)
{
    return {{"dropped_packets", static_cast<double>(counts.dropped), "packet"},
            {"marked_packets", static_cast<double>(counts.marked), "packet"},
            {"packet_hops", static_cast<double>(counts.sent), "packet"}};
}

double
GetJainIndex(const std::vector<FlowRecord>& records)
{
    double sum = 0;
    double squares = 0;
    for (const auto& record : records)
    {
        if (!record.isDone)
        {
            return std::nan("");
        }
        const double rate = static_cast<double>(record.spec.bytes) / record.fct.GetSeconds();
        sum += rate;
        squares += rate * rate;
    }
    return sum * sum / (static_cast<double>(records.size()) * squares);
}

Time
GetEndOfFlows(const std::vector<FlowRecord>& records)
{
    Time end;
    for (const auto& record : records)
    {
        if (!record.isDone)
        {
            return Simulator::Now();
        }
        end = std::max(end, record.finish);
    }
    return records.empty() ? Simulator::Now() : end;
}

void
WriteFlowRecords(const std::string& path, uint32_t run, const std::vector<FlowRecord>& records)
{
    ResultFile file(path, "run,source,destination,size_byte,start_s,fct_s,slowdown");
    for (const auto& record : records)
    {
        file << run << ',' << record.spec.source << ',' << record.spec.destination << ','
             << record.spec.bytes << ',' << PrintSeconds(record.spec.start) << ','
             << (record.isDone ? PrintSeconds(record.fct) : "nan") << ','
             << (record.isDone ? PrintShortest(record.slowdown) : "nan") << '\n';
    }
    file.Close();
}

namespace
{

/// Refuse a unit that is not one of s, bit/s, byte, packet and 1.
void
CheckUnit(const std::string& unit)
{
    constexpr std::array<const char*, 5> UNITS{"s", "bit/s", "byte", "packet", "1"};
    if (std::find(UNITS.begin(), UNITS.end(), unit) == UNITS.end())
    {
        throw std::invalid_argument("unit '" + unit +
                                    "': expected one of s, bit/s, byte, packet, 1");
    }
}

/// Refuse a name that is not in snake_case and does not begin with a letter.
void
CheckSnakeCase(const std::string& name)
{
    if (!std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*")))
    {
        throw std::invalid_argument("metric '" + name + "': expected snake_case");
    }
}

} // namespace

void
ExperimentOutcome::Add(const std::string& name, double value, const std::string& unit)
{
    CheckSnakeCase(name);
    CheckUnit(unit);
    metrics.push_back({name, value, unit});
}

void
ExperimentOutcome::Add(const std::vector<ResultMetric>& some)
{
    for (const auto& metric : some)
    {
        Add(metric.name, metric.value, metric.unit);
    }
}

void
ExperimentOutcome::Print(std::ostream& os) const
{
    for (const auto& metric : metrics)
    {
        os << metric.name << " = " << PrintShortest(metric.value) << " " << metric.unit << "\n";
    }
}

std::string
ExperimentOutcome::PrintJson() const
{
    std::string json = "{\"metrics\": [";
    for (const auto& metric : metrics)
    {
        json += (&metric == &metrics.front() ? "[" : ", [") + ToJson(metric.name) + ", " +
                ToJson(metric.value) + ", " + ToJson(metric.unit) + "]";
    }
    json += "], \"waits\": ";
    if (!longestWait)
    {
        return json + "null}";
    }
    return json + "{\"queue_pair\": " + ToJson(longestWait->queuePair) +
           ", \"since\": " + ToJson(longestWait->since) +
           ", \"cause\": " + ToJson(longestWait->cause) +
           ", \"waited\": " + ToJson(longestWait->waited) +
           ", \"sentence\": " + ToJson(longestWait->Describe()) + "}}";
}

} // namespace ns3::aidc
