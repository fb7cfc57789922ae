/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_FINDINGS_H
#define AIDC_EXPERIMENT_FINDINGS_H

#include "experiment-table.h"

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
    GAINS,         //!< it is better, beyond the interval
    NO_DIFFERENCE, //!< 0 is within the interval of the difference
    LOSES,         //!< it is worse, beyond the interval
    ONE_RUN,       //!< one run has no interval
    NO_VALUE       //!< the metric does not exist in some run
};

/// @ingroup aidc
/// @param verdict the verdict
/// @return its words: gains, no difference within the interval, loses, one run, no value
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
    double difference{};             //!< value - baselineValue
    double halfWidth95{};            //!< half of the difference's 95 % interval; NaN for one run
    ExperimentVerdict verdict{ExperimentVerdict::NO_VALUE}; //!< gains or loses?
    std::string sentence;                                   //!< the same in words
};

/// @ingroup aidc
/// Make the sentence of a finding: "With coupled ECN, ports are paused for 2 us; without, 3 us
/// (difference -1 us +- 300 ns)." Of one run, there is no difference with an interval.
/// @param finding the numbers
/// @param subject what the scheme has, such as "coupled ECN"
/// @param what the subject and the verb of the sentence, such as "ports are paused for"
/// @param otherwise the baseline in words, such as "without"
/// @return the sentence
std::string MakeComparisonSentence(const ExperimentFinding& finding,
                                   const std::string& subject,
                                   const std::string& what,
                                   const std::string& otherwise);

/**
 * @ingroup aidc
 * @brief What an experiment has found out: comparisons of two schemes, each with its verdict.
 *
 * Runs of one number are pairs that have met the same random choices. So the verdict follows from
 * the 95 % interval of Student's t of the differences, run by run (ConfidenceHalfWidth95()): the
 * scheme gains or loses if 0 is outside.
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

    /// Print each sentence, with its verdict and its chapter; nothing if there is none.
    /// @param os the stream to print to
    void Print(std::ostream& os) const;

  private:
    std::vector<ExperimentFinding> m_findings; //!< in the order of addition
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_FINDINGS_H
