/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-summary.h"

#include "experiment-json.h"
#include "experiment-names.h"
#include "experiment-table.h"
#include "findings-matrix.h"
#include "ns3-release.h"

#include "ns3/result-file.h"
#include "ns3/sample-statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace ns3::aidc
{

ExperimentSummary::ExperimentSummary(const std::string& experiment)
    : m_experiment(experiment)
{
    CheckKebabCase("experiment", experiment);
}

void
ExperimentSummary::SetRuns(uint32_t runs)
{
    for (const auto& scheme : m_schemes)
    {
        for (const auto& metric : scheme.metrics)
        {
            if (metric.values.size() > runs)
            {
                throw std::invalid_argument(scheme.fullName + " " + metric.name +
                                            ": more values than runs");
            }
        }
    }
    if (runs == 0)
    {
        throw std::invalid_argument("runs: expected at least 1");
    }
    m_runs = runs;
}

void
ExperimentSummary::SetParameter(const std::string& name, const std::string& value)
{
    SetParameterJson(name, ToJson(value));
}

void
ExperimentSummary::SetParameter(const std::string& name, double value)
{
    SetParameterJson(name, ToJson(value));
}

void
ExperimentSummary::SetParameter(const std::string& name, double value, const std::string& unit)
{
    CheckUnit(unit);
    SetParameterJson(name, "{\"value\": " + ToJson(value) + ", \"unit\": " + ToJson(unit) + "}");
}

void
ExperimentSummary::SetParameterJson(const std::string& name, const std::string& json)
{
    if (name.empty())
    {
        throw std::invalid_argument("parameter: expected a name");
    }
    for (auto& parameter : m_parameters)
    {
        if (parameter.first == name)
        {
            parameter.second = json;
            return;
        }
    }
    m_parameters.emplace_back(name, json);
}

void
ExperimentSummary::Add(const std::string& scheme,
                       const std::string& metric,
                       double value,
                       const std::string& unit)
{
    const auto at = scheme.find('@');
    const auto name = scheme.substr(0, at);
    const auto scenario = at == std::string::npos ? std::string() : scheme.substr(at + 1);
    CheckKebabCase("scheme", name);
    if (at != std::string::npos)
    {
        CheckKebabCase("scenario", scenario);
    }
    CheckSnakeCase("metric", metric);
    CheckUnit(unit);

    // The entry of a list that fits, which is added if there is none
    const auto get = [](auto& list, const auto& fits, const auto& added) {
        const auto found = std::find_if(list.begin(), list.end(), fits);
        return found == list.end() ? list.insert(found, added) : found;
    };
    const auto hasName = [&metric](const SchemeMetric& m) { return m.name == metric; };
    const SchemeMetric none{metric, unit, {}};
    const auto known = get(m_metrics, hasName, none);
    if (known->unit != unit)
    {
        throw std::invalid_argument("metric " + metric + ": unit " + unit + ", but was " +
                                    known->unit + " before");
    }
    const auto isScheme = [&scheme](const SchemeMetrics& s) { return s.fullName == scheme; };
    const auto entry = get(m_schemes, isScheme, SchemeMetrics{scheme, name, scenario, {}});
    const auto series = get(entry->metrics, hasName, none);
    if (series->values.size() >= m_runs)
    {
        throw std::invalid_argument(scheme + " " + metric + ": more values than runs");
    }
    series->values.push_back(value);
}

const std::vector<double>&
ExperimentSummary::GetValues(const std::string& scheme, const std::string& metric) const
{
    return Get(scheme, metric).values;
}

double
ExperimentSummary::GetMean(const std::string& scheme, const std::string& metric) const
{
    const auto mean = Mean(GetValues(scheme, metric));
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::quiet_NaN();
}

double
ExperimentSummary::GetHalfWidth95(const std::string& scheme, const std::string& metric) const
{
    return ConfidenceHalfWidth95(GetValues(scheme, metric));
}

bool
ExperimentSummary::Has(const std::string& scheme, const std::string& metric) const
{
    const auto entry = Find(scheme);
    return entry && entry->Find(metric);
}

const SchemeMetric&
ExperimentSummary::Get(const std::string& scheme, const std::string& metric) const
{
    const auto entry = Find(scheme);
    const auto series = entry ? entry->Find(metric) : nullptr;
    if (!series)
    {
        throw std::invalid_argument(scheme + " " + metric + ": was not added");
    }
    return *series;
}

void
ExperimentSummary::Copy(const std::string& from, const std::string& to)
{
    const auto entry = Find(from);
    if (!entry)
    {
        throw std::invalid_argument(from + ": was not added");
    }
    const auto metrics = entry->metrics; // a copy, as adding moves the schemes
    for (const auto& metric : metrics)
    {
        for (const double value : metric.values)
        {
            Add(to, metric.name, value, metric.unit);
        }
    }
}

void
ExperimentSummary::AddDifference(const std::string& scheme,
                                 const std::string& other,
                                 const std::string& metric)
{
    const SchemeMetric compared = Get(scheme, metric); // a copy, as adding moves the schemes
    for (const double difference : compared.Minus(Get(other, metric)))
    {
        Add(scheme, metric + "_difference", difference, compared.unit);
    }
}

void
ExperimentSummary::AddFinding(const ExperimentComparison& comparison,
                              const ExperimentFindings::MakeSentence& makeSentence)
{
    const auto end = comparison.scenario.empty() ? "" : "@" + comparison.scenario;
    const auto scheme = comparison.scheme + end;
    const auto baseline = comparison.baseline + end;
    if (Find(scheme) && Find(baseline))
    {
        m_findings.Add(comparison,
                       Get(scheme, comparison.metric),
                       Get(baseline, comparison.metric),
                       makeSentence);
    }
}

void
ExperimentSummary::FindOutliers(const std::string& metric,
                                const ExperimentOutliers::GetWait& getWait)
{
    m_outliers = ExperimentOutliers(m_schemes, metric, getWait);
}

void
ExperimentSummary::SetColumns(const std::vector<std::string>& metrics)
{
    for (const auto& metric : metrics)
    {
        CheckSnakeCase("metric", metric);
    }
    m_columns = metrics;
}

void
ExperimentSummary::WriteJson(std::ostream& os) const
{
    // Built apart, so that the format of the numbers is not the stream's
    std::string json = "{\n";
    json += "  \"experiment\": " + ToJson(m_experiment) + ",\n";
    json += "  \"ns3\": " + ToJson(GetNs3Release()) + ",\n";
    json += "  \"seed\": " + std::to_string(m_seed) + ",\n";
    json += "  \"runs\": " + std::to_string(m_runs) + ",\n";
    json += "  \"command\": " + ToJson(m_command) + ",\n";
    json += "  \"question\": " + ToJson(m_question) + ",\n";
    json += "  \"parameters\": {";
    auto separator = "\n";
    for (const auto& [name, value] : m_parameters)
    {
        json += separator;
        json += "    " + ToJson(name) + ": " + value;
        separator = ",\n";
    }
    json += m_parameters.empty() ? "},\n" : "\n  },\n";
    json += "  \"schemes\": {";
    separator = "\n";
    for (const auto& scheme : m_schemes)
    {
        json += separator;
        json += scheme.PrintJson();
        separator = ",\n";
    }
    json += m_schemes.empty() ? "},\n" : "\n  },\n";
    json += "  \"findings\": " + m_findings.PrintJson() + ",\n";
    json += "  \"outliers\": " + m_outliers.PrintJson() + "\n";
    os << json << "}\n";
}

void
ExperimentSummary::WriteJson(const std::string& path) const
{
    ResultFile file(path, "");
    WriteJson(file);
    file.Close();
}

void
ExperimentSummary::Print(std::ostream& os,
                         std::size_t width,
                         bool hasTable,
                         const SchemeColors& colors) const
{
    const auto& findings = m_findings.GetAll();
    os << m_experiment << ": ns-3 " << GetNs3Release() << ", seed " << std::to_string(m_seed)
       << ", " << std::to_string(m_runs) << (m_runs == 1 ? " run" : " runs");
    if (!findings.empty())
    {
        os << (m_runs == 1 ? "" : " (medians)") << "\n\n";
        PrintFindingsMatrix(os, findings, width);
        m_findings.Print(os, width);
    }
    if (findings.empty() || hasTable)
    {
        os << (findings.empty() ? "" : "\nAll metrics")
           << (m_runs == 1 ? "" : " (mean ± half-width of the 95 % CI)") << "\n\n";
        auto columns = m_columns;
        if (columns.empty())
        {
            for (const auto& metric : m_metrics)
            {
                columns.push_back(metric.name);
            }
        }
        PrintExperimentTable(os, columns, m_schemes, width, colors);
    }
    m_outliers.Print(os, width);
}

const SchemeMetrics*
ExperimentSummary::Find(const std::string& fullName) const
{
    const auto found =
        std::find_if(m_schemes.begin(), m_schemes.end(), [&fullName](const SchemeMetrics& s) {
            return s.fullName == fullName;
        });
    return found == m_schemes.end() ? nullptr : &*found;
}

} // namespace ns3::aidc
