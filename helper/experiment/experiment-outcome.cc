/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-outcome.h"

#include "experiment-json.h"
#include "experiment-names.h"
#include "experiment-number.h"

namespace ns3::aidc
{

void
ExperimentOutcome::Add(const std::string& name, double value, const std::string& unit)
{
    CheckSnakeCase("metric", name);
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
