/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_RUNNER_H
#define AIDC_EXPERIMENT_RUNNER_H

#include "experiment-options.h"
#include "experiment-outcome.h"
#include "experiment-plan.h"
#include "experiment-run.h"
#include "experiment-summary.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * What experiments do alike: they run schemes in scenarios, several times each, and keep what the
 * runs tell.
 */

namespace ns3::aidc
{

class ExperimentProgress;
class ResultsFolder;
class SlowdownTable;

/**
 * @ingroup aidc
 * @brief Runs all schemes of an experiment in all scenarios, and writes the results.
 *
 * Run number r of each scheme and scenario has the seed of the options and the ns-3 run number r,
 * counted from 1, so that schemes meet the same random choices.
 *
 * With several jobs each run has a process of its own (ExperimentJobs), and results are taken in
 * the order of the runs, so that they are the same with any number of jobs. So a run must not
 * depend on what another one has left in memory, nor write to a file that another one writes to:
 * files of several runs have ExperimentOutcome::lines, and numbers of several runs
 * ExperimentPlan::conclude.
 *
 * The files are summary.json (ExperimentSummary), totals.csv (by scenario and scheme, the means of
 * some metrics, followed by the halves of their 95 % confidence intervals as METRIC_ci95, nan for
 * one run), verdicts.csv (ExperimentFindings), slowdown.csv (SlowdownTable),
 * flows-SCENARIO-SCHEME.csv (the flows of all runs), and what an experiment itself adds to the
 * folder. Of several ranks, the first one prints and writes.
 */
class ExperimentRunner
{
  public:
    /// What makes a run: it makes the scenario, announces it, simulates, and measures.
    ///
    /// It leaves the simulator destroyed. The wall time is added for it.
    using MakeRun = std::function<ExperimentOutcome(const ExperimentRun&)>;

    /// @param plan what to run and to keep
    /// @param options the options, checked
    ExperimentRunner(const ExperimentPlan& plan, const ExperimentOptions& options);

    /// @return the summary, to which the experiment adds its parameters
    ExperimentSummary& GetSummary()
    {
        return m_summary;
    }

    /// Run everything, write the results, print what comes out and draw the figures.
    /// @param makeRun makes a run
    /// @return false if gnuplot has failed, which is said; the other results are there
    /// @throws std::runtime_error if a file cannot be written
    bool Run(const MakeRun& makeRun);

  private:
    /// Takes the results of a run.
    using Take = std::function<void(const ExperimentRun&, const ExperimentOutcome&)>;

    /// @return all runs, in their order
    std::vector<ExperimentRun> ListRuns() const;

    /// Meet the other ranks when the runs are done, before results appear.
    /// @throws OtherRankFailed if a rank has failed
    static void MeetAtEnd();

    /// Make all runs on the rank that writes results.
    /// @param makeRun makes a run
    /// @param folder where results go
    void RunAll(const MakeRun& makeRun, ResultsFolder& folder);

    /// Make all runs in this process, one after the other.
    /// @param makeRun makes a run
    /// @param runs the runs
    /// @param [in,out] progress tells the user; null for a rank that does not
    /// @param take takes the results of each run
    void RunHere(const MakeRun& makeRun,
                 const std::vector<ExperimentRun>& runs,
                 ExperimentProgress* progress,
                 const Take& take) const;

    /// Make all runs in processes of their own.
    /// @param makeRun makes a run
    /// @param runs the runs
    /// @param nJobs how many are made at once
    /// @param [in,out] progress tells the user
    /// @param take takes the results of each run, in their order
    void RunInJobs(const MakeRun& makeRun,
                   const std::vector<ExperimentRun>& runs,
                   std::size_t nJobs,
                   ExperimentProgress& progress,
                   const Take& take) const;

    /// Make a run.
    /// @param makeRun makes it
    /// @param run the run
    /// @return its results, with its wall time
    /// @throws std::runtime_error with the name of the run, where it has failed
    ExperimentOutcome RunOne(const MakeRun& makeRun, const ExperimentRun& run) const;

    /// Keep the results of a run.
    /// @param run the run
    /// @param outcome its results
    /// @param [in,out] slowdowns takes the flows
    void Keep(const ExperimentRun& run, const ExperimentOutcome& outcome, SlowdownTable& slowdowns);

    /// Write verdicts.csv, if there are findings.
    void WriteVerdicts() const;

    /// Write totals.csv, of all runs.
    void WriteTotals() const;

    ExperimentPlan m_plan;       //!< what to run and to keep
    ExperimentOptions m_options; //!< the options
    std::string m_folder;        //!< where results are written while the experiment runs
    ExperimentSummary m_summary; //!< the metrics
    /// Who has waited longest, by scheme with scenario, and run.
    std::map<std::pair<std::string, uint32_t>, std::optional<LongestWait>> m_waits;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_RUNNER_H
