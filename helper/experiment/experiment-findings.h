/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_FINDINGS_H
#define AIDC_EXPERIMENT_FINDINGS_H

#include "experiment-table.h"

#include "ns3/sample-statistics.h"

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What the runs say of a scheme, compared with another one.
 */
enum class ExperimentVerdict
{
    BETTER,       //!< it is better, beyond chance
    WORSE,        //!< it is worse, beyond chance
    INCONCLUSIVE, //!< the runs do not say
    ONE_RUN,      //!< one run cannot say
    NO_VALUE      //!< the metric does not exist in some run
};

/// @ingroup aidc
/// @param verdict the verdict
/// @return its words: better, worse, inconclusive, one run, no value
std::string PrintVerdict(ExperimentVerdict verdict);

/**
 * @ingroup aidc
 * @brief A comparison of a metric of a scheme with that of another one, in a scenario.
 */
struct ExperimentComparison
{
    std::string subject;      //!< what is judged, in words: "coupled ECN"
    std::string scenario;     //!< the scenario; empty for an experiment without scenarios
    std::string scheme;       //!< the scheme that has it
    std::string baseline;     //!< the scheme that it is compared with
    std::string metric;       //!< what is compared, in snake_case
    bool isLessBetter{false}; //!< whether a smaller value of the metric is better
    std::string chapter;      //!< the chapter of doc/ to read, such as coupled-ecn
    std::string label{};      //!< the metric as a short noun phrase; if empty, its name
    bool isGoal{true};        //!< whether the subject is for it; false for a side effect
    bool isShare{false};      //!< whether the metric is printed in percent
};

/**
 * @ingroup aidc
 * @brief What came out of a comparison. Numbers are in the SI unit.
 */
struct ExperimentFinding
{
    ExperimentComparison comparison; //!< what is compared
    std::string unit;                //!< of the metric
    double value{};                  //!< mean of the scheme; NaN if it does not exist in some run
    double baselineValue{};          //!< mean of the baseline; NaN likewise
    double median{};                 //!< median of the scheme; NaN likewise
    double baselineMedian{};         //!< median of the baseline; NaN likewise
    double difference{};             //!< value - baselineValue
    double halfWidth95{};            //!< half of the difference's 95 % interval; NaN for one run
    PairedComparison pairs;          //!< the values of the scheme against those of the baseline
    ExperimentVerdict verdict{ExperimentVerdict::NO_VALUE}; //!< better or worse?
    std::string sentence;                                   //!< the same in words

    /// @param number a value of the metric
    /// @return the value for people, with its unit, or in percent
    std::string Print(double number) const;
};

/// @ingroup aidc
/// Make the sentence of a finding from its medians: "With FARE, a training step takes 20.00 ms
/// (baseline: 25.00 ms; ratio 0.80, 95 % CI 0.72 to 0.89)." If there is no ratio, the number of
/// runs that are better takes its place. Of one run, there is neither.
/// @param finding the numbers
/// @param text the sentence without its period; the value takes the place of "{}"
/// @param baseline what the baseline is called there
/// @return the sentence
std::string MakeComparisonSentence(const ExperimentFinding& finding,
                                   const std::string& text,
                                   const std::string& baseline);

/**
 * @ingroup aidc
 * @brief What an experiment has found out: comparisons of two schemes, each with its verdict.
 *
 * Runs of one number are pairs that have met the same random choices, and ComparePairs() gives the
 * verdict.
 */
class ExperimentFindings
{
  public:
    /// Makes the sentence of a finding, from its numbers and its verdict, as
    /// MakeComparisonSentence() does; PrintQuantity() has numbers for people. It is not called for
    /// NO_VALUE, which has a sentence of its own.
    using MakeSentence = std::function<std::string(const ExperimentFinding&)>;

    /// Add a comparison.
    /// @param comparison what is compared
    /// @param scheme the metric of the scheme, with a value for each run
    /// @param baseline the metric of the baseline
    /// @param makeSentence makes the sentence
    /// @throws std::invalid_argument without a subject, a chapter in kebab-case, as many values of
    ///         both, or a sentence
    void Add(const ExperimentComparison& comparison,
             const SchemeMetric& scheme,
             const SchemeMetric& baseline,
             const MakeSentence& makeSentence);

    /// @return the findings, in the order of addition
    const std::vector<ExperimentFinding>& GetAll() const
    {
        return m_findings;
    }

    /// @return the list of summary.json, whose first line is not indented
    std::string PrintJson() const;

    /// Print verdicts.csv: a header in words, and a row for each finding, with numbers as on the
    /// terminal. Where there are several scenarios, they are the first column.
    /// @return the file
    std::string PrintCsv() const;

    /// Print each subject with its chapters, its verdicts and their sentences; nothing if there is
    /// none.
    /// @param os the stream to print to
    /// @param width the characters of a line
    void Print(std::ostream& os, std::size_t width) const;

  private:
    std::vector<ExperimentFinding> m_findings; //!< in the order of addition
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_FINDINGS_H
