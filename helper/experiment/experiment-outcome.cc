/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-outcome.h"

#include "experiment-json.h"

#include <algorithm>
#include <array>
#include <regex>
#include <stdexcept>

namespace ns3::aidc
{

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
