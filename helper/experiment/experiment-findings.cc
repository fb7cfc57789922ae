/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-findings.h"

#include "experiment-json.h"
#include "experiment-names.h"

#include "ns3/sample-statistics.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// @param finding the finding, with its numbers
/// @param nRuns the number of runs
/// @return the verdict
ExperimentVerdict
GetVerdict(const ExperimentFinding& finding, std::size_t nRuns)
{
    if (!std::isfinite(finding.difference))
    {
        return ExperimentVerdict::NO_VALUE;
    }
    if (nRuns == 1)
    {
        return ExperimentVerdict::ONE_RUN;
    }
    if (std::abs(finding.difference) <= finding.halfWidth95)
    {
        return ExperimentVerdict::NO_DIFFERENCE;
    }
    const bool isLess = finding.difference < 0;
    return isLess == finding.comparison.isLessBetter ? ExperimentVerdict::GAINS
                                                     : ExperimentVerdict::LOSES;
}

/// @param values the values of the runs
/// @return their mean; NaN if one does not exist
double
GetMean(const std::vector<double>& values)
{
    const double mean = Mean(values);
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::quiet_NaN();
}

/// @param value a number of a sentence
/// @param unit its unit
/// @return the number for people
std::string
PrintNumber(double value, const std::string& unit)
{
    return PrintQuantity(value, unit) + (unit == "packet" ? " packets" : "");
}

} // namespace

std::string
PrintVerdict(ExperimentVerdict verdict)
{
    switch (verdict)
    {
    case ExperimentVerdict::GAINS:
        return "gains";
    case ExperimentVerdict::NO_DIFFERENCE:
        return "no difference within the interval";
    case ExperimentVerdict::LOSES:
        return "loses";
    case ExperimentVerdict::ONE_RUN:
        return "one run";
    case ExperimentVerdict::NO_VALUE:
        break;
    }
    return "no value";
}

std::string
MakeComparisonSentence(const ExperimentFinding& finding,
                       const std::string& subject,
                       const std::string& what,
                       const std::string& otherwise)
{
    const auto& unit = finding.unit;
    std::string text = "With " + subject + ", " + what + " " + PrintNumber(finding.value, unit) +
                       "; " + otherwise + ", " + PrintNumber(finding.baselineValue, unit);
    if (std::isfinite(finding.halfWidth95))
    {
        text += " (difference " + PrintQuantity(finding.difference, unit) + " +- " +
                PrintQuantity(finding.halfWidth95, unit) + ")";
    }
    return text + ".";
}

void
ExperimentFindings::Add(const ExperimentComparison& comparison,
                        const SchemeMetric& scheme,
                        const SchemeMetric& baseline,
                        const MakeSentence& makeSentence)
{
    if (comparison.subject.empty())
    {
        throw std::invalid_argument("finding of " + comparison.metric + ": expected a subject");
    }
    CheckKebabCase("chapter", comparison.chapter);
    const auto differences = scheme.Minus(baseline);
    ExperimentFinding finding;
    finding.comparison = comparison;
    finding.unit = scheme.unit;
    finding.value = GetMean(scheme.values);
    finding.baselineValue = GetMean(baseline.values);
    finding.difference = GetMean(differences);
    finding.halfWidth95 = ConfidenceHalfWidth95(differences);
    finding.verdict = GetVerdict(finding, differences.size());
    finding.sentence = finding.verdict == ExperimentVerdict::NO_VALUE
                           ? comparison.metric + " of " + comparison.scheme + " or of " +
                                 comparison.baseline + " does not exist in some run."
                           : makeSentence(finding);
    if (finding.sentence.empty())
    {
        throw std::invalid_argument(comparison.subject + ", " + comparison.metric +
                                    ": expected a sentence");
    }
    m_findings.push_back(std::move(finding));
}

std::string
ExperimentFindings::PrintJson() const
{
    std::string json = "[";
    auto separator = "\n";
    for (const auto& finding : m_findings)
    {
        const auto& comparison = finding.comparison;
        json += separator;
        json += "    {\"subject\": " + ToJson(comparison.subject) +
                ", \"scenario\": " + ToJson(comparison.scenario) +
                ", \"scheme\": " + ToJson(comparison.scheme) +
                ", \"baseline\": " + ToJson(comparison.baseline) +
                ", \"metric\": " + ToJson(comparison.metric) +
                ", \"verdict\": " + ToJson(PrintVerdict(finding.verdict)) +
                ", \"sentence\": " + ToJson(finding.sentence) +
                ", \"chapter\": " + ToJson(comparison.chapter) +
                ", \"value\": " + ToJson(finding.value) +
                ", \"baseline_value\": " + ToJson(finding.baselineValue) +
                ", \"difference\": " + ToJson(finding.difference) +
                ", \"ci95\": " + ToJson(finding.halfWidth95) +
                ", \"unit\": " + ToJson(finding.unit) + "}";
        separator = ",\n";
    }
    return json + (m_findings.empty() ? "]" : "\n  ]");
}

void
ExperimentFindings::Print(std::ostream& os) const
{
    for (const auto& finding : m_findings)
    {
        os << "\n"
           << finding.sentence << "\n  " << finding.comparison.subject << ": "
           << PrintVerdict(finding.verdict) << "; see doc/" << finding.comparison.chapter
           << ".rst\n";
    }
}

} // namespace ns3::aidc
