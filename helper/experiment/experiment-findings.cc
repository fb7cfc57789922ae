/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-findings.h"

#include "experiment-json.h"
#include "experiment-names.h"
#include "experiment-number.h"
#include "terminal-text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
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
    if (finding.pairs.sign == 0)
    {
        return ExperimentVerdict::INCONCLUSIVE;
    }
    const bool isLess = finding.pairs.sign < 0;
    return isLess == finding.comparison.isLessBetter ? ExperimentVerdict::BETTER
                                                     : ExperimentVerdict::WORSE;
}

/// @param values the values of the runs
/// @return their mean; NaN if one does not exist
double
GetMean(const std::vector<double>& values)
{
    const double mean = Mean(values);
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::quiet_NaN();
}

/// @param metric the name of a metric, in snake_case
/// @return its words
std::string
GetWords(std::string metric)
{
    std::replace(metric.begin(), metric.end(), '_', ' ');
    return metric;
}

/// @param ratio a ratio, above 0
/// @return the ratio with two digits behind the point, or more for two digits that are not 0
std::string
PrintRatio(double ratio)
{
    constexpr int LEAST = 2;
    constexpr int MOST = 9;
    const int needed = 1 - static_cast<int>(std::floor(std::log10(ratio)));
    return PrintNumber(ratio, std::clamp(needed, LEAST, MOST), true);
}

/// @param pairs a comparison
/// @return its ratio with the interval, as JSON
std::string
PrintRatioJson(const PairedComparison& pairs)
{
    const std::string interval =
        std::isfinite(pairs.ratioLow)
            ? "[" + ToJson(pairs.ratioLow) + ", " + ToJson(pairs.ratioHigh) + "]"
            : "null";
    return "\"ratio\": " + ToJson(pairs.ratio) + ", \"ratio_ci95\": " + interval;
}

/// @param fields the fields of a line of a CSV file
/// @return the line; fields with commas or quotes are quoted (RFC 4180)
std::string
PrintCsvLine(const std::vector<std::string>& fields)
{
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i)
    {
        line += i == 0 ? "" : ",";
        if (fields[i].find_first_of(",\"") == std::string::npos)
        {
            line += fields[i];
            continue;
        }
        line += '"';
        for (const char c : fields[i])
        {
            line += c == '"' ? "\"\"" : std::string(1, c);
        }
        line += '"';
    }
    return line + "\n";
}

} // namespace

std::string
PrintVerdict(ExperimentVerdict verdict)
{
    switch (verdict)
    {
    case ExperimentVerdict::BETTER:
        return "better";
    case ExperimentVerdict::WORSE:
        return "worse";
    case ExperimentVerdict::INCONCLUSIVE:
        return "inconclusive";
    case ExperimentVerdict::ONE_RUN:
        return "one run";
    case ExperimentVerdict::NO_VALUE:
        break;
    }
    return "no value";
}

std::string
ExperimentFinding::Print(double number) const
{
    constexpr double PERCENT = 100;
    return comparison.isShare && std::isfinite(number)
               ? PrintNumber(PERCENT * number, 1, true) + " %"
               : PrintQuantity(number, unit);
}

std::string
MakeComparisonSentence(const ExperimentFinding& finding,
                       const std::string& text,
                       const std::string& baseline)
{
    const auto place = text.find("{}");
    if (place == std::string::npos)
    {
        throw std::invalid_argument("sentence \"" + text + "\": expected {} for the value");
    }
    const auto& pairs = finding.pairs;
    const auto nRuns = pairs.nSmaller + pairs.nLarger + pairs.nEqual;
    std::string numbers = baseline + ": " + finding.Print(finding.baselineMedian);
    if (std::isfinite(pairs.ratioLow))
    {
        numbers += "; ratio " + PrintRatio(pairs.ratio) + ", 95 % CI " +
                   PrintRatio(pairs.ratioLow) + " to " + PrintRatio(pairs.ratioHigh);
    }
    else if (nRuns > 1)
    {
        const auto nBetter = finding.comparison.isLessBetter ? pairs.nSmaller : pairs.nLarger;
        numbers +=
            "; better in " + std::to_string(nBetter) + " of " + std::to_string(nRuns) + " runs";
    }
    return text.substr(0, place) + finding.Print(finding.median) + text.substr(place + 2) + " (" +
           numbers + ").";
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
    if (comparison.label.empty())
    {
        finding.comparison.label = GetWords(comparison.metric);
    }
    finding.unit = scheme.unit;
    finding.value = GetMean(scheme.values);
    finding.baselineValue = GetMean(baseline.values);
    finding.median = Median(scheme.values);
    finding.baselineMedian = Median(baseline.values);
    finding.pairs = ComparePairs(scheme.values, baseline.values);
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
                ", \"label\": " + ToJson(comparison.label) +
                ", \"goal\": " + (comparison.isGoal ? "true" : "false") +
                ", \"share\": " + (comparison.isShare ? "true" : "false") +
                ", \"verdict\": " + ToJson(PrintVerdict(finding.verdict)) +
                ", \"sentence\": " + ToJson(finding.sentence) +
                ", \"chapter\": " + ToJson(comparison.chapter) +
                ", \"value\": " + ToJson(finding.value) +
                ", \"baseline_value\": " + ToJson(finding.baselineValue) +
                ", \"median\": " + ToJson(finding.median) +
                ", \"baseline_median\": " + ToJson(finding.baselineMedian) +
                ", \"difference\": " + ToJson(finding.difference) +
                ", \"ci95\": " + ToJson(finding.halfWidth95) + ", " +
                PrintRatioJson(finding.pairs) + ", \"unit\": " + ToJson(finding.unit) + "}";
        separator = ",\n";
    }
    return json + (m_findings.empty() ? "]" : "\n  ]");
}

std::string
ExperimentFindings::PrintCsv() const
{
    const bool hasScenarios =
        std::any_of(m_findings.begin(), m_findings.end(), [this](const auto& finding) {
            return finding.comparison.scenario != m_findings.front().comparison.scenario;
        });
    std::vector<std::string> header{"subject",
                                    "label",
                                    "goal",
                                    "scheme",
                                    "baseline",
                                    "baseline median",
                                    "median",
                                    "ratio",
                                    "95 % CI of the ratio",
                                    "unit",
                                    "verdict"};
    if (hasScenarios)
    {
        header.insert(header.begin(), "scenario");
    }
    std::string csv = PrintCsvLine(header);
    for (const auto& finding : m_findings)
    {
        const auto& comparison = finding.comparison;
        const auto& pairs = finding.pairs;
        std::vector<std::string> fields{
            comparison.subject,
            comparison.label,
            comparison.isGoal ? "yes" : "no",
            comparison.scheme,
            comparison.baseline,
            finding.Print(finding.baselineMedian),
            finding.Print(finding.median),
            std::isfinite(pairs.ratio) ? PrintRatio(pairs.ratio) : "",
            std::isfinite(pairs.ratioLow)
                ? PrintRatio(pairs.ratioLow) + " to " + PrintRatio(pairs.ratioHigh)
                : "",
            finding.unit == "packet" ? "packets" : "", // all others stand behind their numbers
            PrintVerdict(finding.verdict)};
        if (hasScenarios)
        {
            fields.insert(fields.begin(), comparison.scenario);
        }
        csv += PrintCsvLine(fields);
    }
    return csv;
}

void
ExperimentFindings::Print(std::ostream& os, std::size_t width) const
{
    for (std::size_t next = 0; next < m_findings.size();)
    {
        const auto& subject = m_findings[next].comparison.subject;
        std::set<std::string> chapters;
        std::string sentences;
        for (; next < m_findings.size() && m_findings[next].comparison.subject == subject; ++next)
        {
            const auto& finding = m_findings[next];
            chapters.insert("doc/" + finding.comparison.chapter + ".rst");
            const auto text = "- " + PrintVerdict(finding.verdict) + ": " + finding.sentence;
            sentences += WrapText(text, width, 2);
        }
        std::string heading = subject + " (";
        for (const auto& chapter : chapters)
        {
            heading += (chapter == *chapters.begin() ? "" : ", ") + chapter;
        }
        os << "\n" << WrapText(heading + ")", width, 2) << sentences;
    }
}

} // namespace ns3::aidc
