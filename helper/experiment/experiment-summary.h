/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_SUMMARY_H
#define AIDC_EXPERIMENT_SUMMARY_H

#include "experiment-findings.h"
#include "experiment-outliers.h"
#include "experiment-table.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Collects the metrics of an experiment, and presents them as a table and as summary.json.
 *
 * An experiment compares schemes, by metrics, over one or several runs. It calls Add() once a run
 * for each scheme and metric; the summary gives the mean over the runs and the half-width of its
 * 95 % confidence interval (see ConfidenceHalfWidth95()).
 *
 * The file has this form, and its numbers are in SI units:
 * @code
 *   {"experiment", "ns3", "seed", "runs", "command", "question", "parameters": {...},
 *    "schemes": {NAME: {METRIC: {"value", "unit", "ci95", "median", "runs": [...]}}},
 *    "findings": [{"subject", "scenario", "scheme", "baseline", "metric", "label", "goal",
 *                  "verdict", "sentence", "chapter", "value", "baseline_value", "median",
 *                  "baseline_median", "difference", "ci95", "ratio", "ratio_ci95": [LOW, HIGH],
 *                  "unit"}],
 *    "outliers": [{"scheme", "scenario", "run", "metric", "value", "median", "unit",
 *                  "waits": {"queue_pair", "since", "cause", "waited", "sentence"}}]}
 * @endcode
 * The value is the mean over the runs, whose own values are a list, in their order: run r of one
 * scheme has met the same random choices as run r of another one, so that they are pairs. A
 * parameter is a string, a number, or {"value", "unit"}. Everything stands in the order in which it
 * was first given, and a number in the fewest digits that read back as the same number.
 *
 * What does not exist is null in the file and a dash in the table: a value that was NaN or infinite
 * in any run (such as the completion time of flows of which none finished), the confidence interval
 * of one run, a ratio of values that are not positive, and what nobody has waited for.
 *
 * Mistakes of the calling program (bad names and units, more values than runs) throw
 * std::invalid_argument.
 */
class ExperimentSummary
{
  public:
    /// @param experiment the experiment's name, in kebab-case
    explicit ExperimentSummary(const std::string& experiment);

    /// @param seed the seed of the random number generators; 1 unless set
    void SetSeed(uint32_t seed)
    {
        m_seed = seed;
    }

    /// Set how many runs there are; 1 unless set.
    /// @param runs the number of runs: that many values are accepted for each scheme and metric
    void SetRuns(uint32_t runs);

    /// @param command the command line that reproduces the experiment
    void SetCommand(const std::string& command)
    {
        m_command = command;
    }

    /// @param question what the experiment asks, in one sentence; empty unless set
    void SetQuestion(const std::string& question)
    {
        m_question = question;
    }

    /// Set a parameter of the experiment that is text.
    ///
    /// A parameter that is set again keeps its place.
    /// @param name the parameter's name, as on the command line
    /// @param value the value
    void SetParameter(const std::string& name, const std::string& value);

    /// Set a parameter of the experiment that is a pure number.
    /// @param name the parameter's name, as on the command line
    /// @param value the value; null in the file when it is NaN or infinite
    void SetParameter(const std::string& name, double value);

    /// Set a parameter of the experiment that is a quantity.
    /// @param name the parameter's name, as on the command line
    /// @param value the value; null in the file when it is NaN or infinite
    /// @param unit the unit: s, bit/s, byte, packet or 1
    void SetParameter(const std::string& name, double value, const std::string& unit);

    /// @param scheme the scheme in kebab-case, or SCHEME\@SCENARIO with both in kebab-case
    /// @param metric the metric in snake_case; it has the same unit in all schemes
    /// @param value the value in this run; NaN if it does not exist
    /// @param unit the unit: s, bit/s, byte, packet or 1
    void Add(const std::string& scheme,
             const std::string& metric,
             double value,
             const std::string& unit);

    /// Get the values of a metric in the runs so far.
    /// @param scheme the scheme, as it was added
    /// @param metric the metric
    /// @return the value of each run; valid until something is added
    /// @throws std::invalid_argument if it was not added
    const std::vector<double>& GetValues(const std::string& scheme,
                                         const std::string& metric) const;

    /// @param scheme the scheme
    /// @param metric the metric
    /// @return whether the scheme has the metric
    bool Has(const std::string& scheme, const std::string& metric) const;

    /// Get the mean of a metric over the runs so far.
    /// @param scheme the scheme, as it was added
    /// @param metric the metric
    /// @return the mean; NaN if the value does not exist in some run
    double GetMean(const std::string& scheme, const std::string& metric) const;

    /// Get half of the 95 % confidence interval of a metric over the runs so far.
    /// @param scheme the scheme, as it was added
    /// @param metric the metric
    /// @return the half-width; NaN for one run, or if the value does not exist in some run
    double GetHalfWidth95(const std::string& scheme, const std::string& metric) const;

    /// Add a scheme with all the values of another one, such as the best of some.
    /// @param from the scheme, as it was added
    /// @param to the scheme to add
    /// @throws std::invalid_argument if the former was not added
    void Copy(const std::string& from, const std::string& to);

    /// Add how much a metric of a scheme exceeds that of another one, run by run, as
    /// METRIC_difference.
    ///
    /// Runs of one number are pairs that have met the same random choices. So the interval of the
    /// difference tells whether the schemes differ where the intervals of both may overlap.
    /// @param scheme the scheme, as it was added
    /// @param other the scheme that it is compared with
    /// @param metric the metric, of as many runs of both
    /// @throws std::invalid_argument if it was not added, or not as often
    void AddDifference(const std::string& scheme,
                       const std::string& other,
                       const std::string& metric);

    /// Add what a comparison of two schemes says (ExperimentFindings).
    ///
    /// Nothing is added if one of both was not run in the scenario, as a user may choose what runs.
    /// @param comparison what is compared
    /// @param makeSentence makes the sentence from the numbers
    /// @throws std::invalid_argument if both were run, but without the metric; and as
    ///         ExperimentFindings::Add() does
    void AddFinding(const ExperimentComparison& comparison,
                    const ExperimentFindings::MakeSentence& makeSentence);

    /// @return the findings
    const ExperimentFindings& GetFindings() const
    {
        return m_findings;
    }

    /// Find the runs that stand out.
    /// @param metric the time by which they do
    /// @param getWait gives the longest wait of a run
    void FindOutliers(const std::string& metric, const ExperimentOutliers::GetWait& getWait);

    /// Choose the metrics that the table shows; all of them unless set.
    /// @param metrics the metrics, in the order of the columns
    void SetColumns(const std::vector<std::string>& metrics);

    /// @param os the stream to write to
    void WriteJson(std::ostream& os) const;

    /// Write the summary as JSON to a file.
    /// @param path the file to write
    /// @throws std::runtime_error when the file cannot be written, with its name and the reason
    void WriteJson(const std::string& path) const;

    /// Print a heading and, if there are findings, their matrix (PrintFindingsMatrix()) and
    /// sentences; then the table (PrintExperimentTable()), if there are none or it is asked for;
    /// and the runs that stand out.
    /// @param os the stream to print to
    /// @param width the characters of a line
    /// @param hasTable whether the table is asked for
    /// @param colors the colors of schemes, for a terminal that shows them; none by default
    void Print(std::ostream& os,
               std::size_t width,
               bool hasTable,
               const SchemeColors& colors = {}) const;

  private:
    /// Look up a metric that was added.
    /// @param scheme the scheme, as it was added
    /// @param metric the metric
    /// @return the metric, with its values
    /// @throws std::invalid_argument if it was not
    const SchemeMetric& Get(const std::string& scheme, const std::string& metric) const;

    /// @param fullName SCHEME or SCHEME\@SCENARIO
    /// @return the scheme, or a null pointer
    const SchemeMetrics* Find(const std::string& fullName) const;

    /// @param name the parameter's name
    /// @param json the value as JSON
    void SetParameterJson(const std::string& name, const std::string& json);

    std::string m_experiment;                                      //!< The experiment's name
    uint32_t m_seed{1};                                            //!< The seed
    uint32_t m_runs{1};                                            //!< The number of runs
    std::string m_command;                                         //!< The command line
    std::string m_question;                                        //!< What is asked
    std::vector<std::pair<std::string, std::string>> m_parameters; //!< Names and JSON values
    std::vector<SchemeMetrics> m_schemes;                          //!< In the order of addition
    std::vector<SchemeMetric> m_metrics; //!< Names and units of all, in the order of addition
    ExperimentFindings m_findings;       //!< What comparisons say
    ExperimentOutliers m_outliers;       //!< Runs that stand out
    std::vector<std::string> m_columns;  //!< The table's metrics; all of them if empty
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_SUMMARY_H
