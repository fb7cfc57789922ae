/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-runner.h"

#include "aidc-version.h"
#include "experiment-figures.h"
#include "experiment-jobs.h"
#include "experiment-number.h"
#include "experiment-progress.h"
#include "results-folder.h"
#include "run-progress.h"
#include "scheme-colors.h"
#include "started-rank.h"
#include "terminal-text.h"

#include "ns3/experiment-data-file.h"
#include "ns3/mpi-ranks.h"
#include "ns3/result-file.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/time-window-helper.h"
#include "ns3/warning.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// @param runs all runs
/// @return their places, first runs before all others: so it is known early what schemes cost
std::vector<std::size_t>
ListFirstRunsFirst(const std::vector<ExperimentRun>& runs)
{
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
        return runs[i].number == 1;
    });
    return order;
}

} // namespace

ExperimentRunner::ExperimentRunner(const ExperimentPlan& plan, const ExperimentOptions& options)
    : m_plan(plan),
      m_options(options),
      m_summary(plan.name)
{
    m_summary.SetSeed(options.seed);
    m_summary.SetRuns(options.runs);
    m_summary.SetCommand(plan.command);
    m_summary.SetQuestion(plan.question);
    m_summary.SetParameter("aidc", GetAidcVersion());
    m_summary.SetParameter("devices", options.devices);
    m_summary.SetParameter("datapath", options.datapath);
    m_summary.SetParameter("simulator", options.simulator);
}

std::vector<ExperimentRun>
ExperimentRunner::ListRuns() const
{
    std::vector<ExperimentRun> runs;
    for (const auto& scenario : m_plan.scenarios)
    {
        for (const auto& scheme : m_plan.GetSchemes(scenario))
        {
            for (uint32_t number = 1; number <= m_options.runs; ++number)
            {
                runs.push_back({scenario, scheme, number, m_folder, number == 1, nullptr});
            }
        }
    }
    return runs;
}

ExperimentOutcome
ExperimentRunner::RunOne(const MakeRun& makeRun, const ExperimentRun& run) const
{
    RngSeedManager::SetSeed(m_options.seed);
    RngSeedManager::SetRun(run.number);
    m_options.simulator == "windows" ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    const auto started = std::chrono::steady_clock::now();
    ExperimentOutcome outcome;
    try
    {
        std::optional<LongestWait> longestWait;
        auto watched = run;
        watched.longestWait = &longestWait;
        outcome = makeRun(watched);
        outcome.longestWait = longestWait;
        MpiRanks::Get().PrintLines();
    }
    catch (const OtherRankFailed&)
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        throw std::runtime_error("out of memory (" + run.GetName() + ")");
    }
    catch (const std::exception& error)
    {
        throw std::runtime_error(std::string(error.what()) + " (" + run.GetName() + ")");
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    outcome.Add("wall_time", wall.count(), "s");
    return outcome;
}

void
ExperimentRunner::RunHere(const MakeRun& makeRun,
                          const std::vector<ExperimentRun>& runs,
                          ExperimentProgress* progress,
                          const Take& take) const
{
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        auto run = runs[i];
        RunProgress told([&](const auto& text, double share) {
            if (progress)
            {
                progress->Tell(i, text, share);
            }
        });
        run.progress = &told;
        if (progress)
        {
            progress->Begin(i, run.scheme + "@" + run.scenario);
        }
        take(run, RunOne(makeRun, run));
        if (progress)
        {
            progress->End(i);
        }
    }
}

void
ExperimentRunner::RunInJobs(const MakeRun& makeRun,
                            const std::vector<ExperimentRun>& runs,
                            std::size_t nJobs,
                            ExperimentProgress& progress,
                            const Take& take) const
{
    ExperimentJobs::Tasks tasks;
    tasks.n = runs.size();
    tasks.order = ListFirstRunsFirst(runs);
    tasks.getName = [&](std::size_t i) { return runs[i].GetName(); };
    tasks.work = [&](std::size_t i, const ExperimentJobs::Report& report) {
        RunProgress told([&](const auto&, double share) { report(PrintShortest(share)); });
        auto run = runs[i];
        run.progress = &told;
        return RunOne(makeRun, run).Encode();
    };
    tasks.notifyBegin = [&](std::size_t i) {
        const auto number = m_options.runs > 1 ? " run " + std::to_string(runs[i].number) : "";
        progress.Begin(i, runs[i].scheme + "@" + runs[i].scenario + number);
    };
    tasks.notifyReport = [&](std::size_t i, const std::string& share) {
        progress.Tell(i, "", std::stod(share));
    };
    tasks.notifyEnd = [&](std::size_t i) { progress.End(i); };
    tasks.take = [&](std::size_t i, const std::string& result, const std::string& said) {
        progress.Print(said);
        take(runs[i], ExperimentOutcome::Decode(result));
    };
    ExperimentJobs(nJobs).Run(tasks);
}

void
ExperimentRunner::Keep(const ExperimentRun& run,
                       const ExperimentOutcome& outcome,
                       SlowdownTable& slowdowns)
{
    for (const auto& metric : outcome.metrics)
    {
        m_summary.Add(run.scheme + "@" + run.scenario, metric.name, metric.value, metric.unit);
    }
    for (const auto& line : outcome.lines)
    {
        const auto path = std::filesystem::path(m_folder) / line.file;
        ResultFile file(path.string(), line.header, std::ios::app);
        file << line.line << '\n';
        file.Close();
    }
    if (m_plan.hasFlowFiles)
    {
        WriteFlowRecords(run.GetSeriesPath("flows"), run.number, outcome.records);
    }
    m_waits[{run.scheme + "@" + run.scenario, run.number}] = outcome.longestWait;
    slowdowns.Add(outcome.records);
    if (run.number == m_options.runs)
    {
        slowdowns.Write(run.scenario, run.scheme);
    }
}

bool
ExperimentRunner::Run(const MakeRun& makeRun)
{
    if (!MpiRanks::Get().IsFirst())
    {
        RunHere(makeRun, ListRuns(), nullptr, [](const auto&, const auto&) {});
        MeetAtEnd();
        return true;
    }
    ResultsFolder folder(m_options.out, m_options.overwrite ? "" : m_plan.name);
    m_folder = folder.GetPartial().string();
    bool hasFigures = true;
    try
    {
        RunAll(makeRun, folder);
        if (m_plan.conclude)
        {
            m_plan.conclude(m_summary);
        }
        WriteTotals();
        if (!m_plan.time.empty())
        {
            m_summary.FindOutliers(m_plan.time, [this](const auto& scheme, uint32_t number) {
                const auto found = m_waits.find({scheme, number});
                return found == m_waits.end() ? std::nullopt : found->second;
            });
        }
        m_summary.WriteJson((std::filesystem::path(m_folder) / "summary.json").string());
        WriteVerdicts();
        m_summary.SetColumns(m_plan.columns);
        const auto figures = m_plan.figures.empty() ? "" : FindExampleFile(m_plan.figures);
        m_summary.Print(std::cout,
                        GetTerminalWidth(),
                        m_options.table,
                        m_options.hasColors ? ReadSchemeColors(figures) : SchemeColors());
        if (!figures.empty() && !m_options.noFigures)
        {
            hasFigures = DrawFigures(figures, m_folder, std::cerr) != FigureOutcome::FAILED;
        }
        MeetAtEnd();
        StartedRank::Get().AwaitCommit();
        folder.Commit();
    }
    catch (const OtherRankFailed&)
    {
        folder.Discard(); // as where the rank that writes it is the one that was killed
        throw;
    }
    catch (const std::exception& error)
    {
        if (!folder.IsKept())
        {
            throw;
        }
        throw std::runtime_error(std::string(error.what()) + "\nWhat it had written is in " +
                                 m_folder);
    }
    std::cout << "Results are in " << m_options.out << std::endl;
    return hasFigures;
}

void
ExperimentRunner::MeetAtEnd()
{
    // Results appear only if each rank has come so far.
    MpiRanks::Get().GetLeast({});
}

void
ExperimentRunner::RunAll(const MakeRun& makeRun, ResultsFolder& folder)
{
    const auto runs = ListRuns();
    // An MPI program's processes share each run.
    const std::size_t nJobs =
        MpiRanks::Get().GetN() > 1 ? 1 : std::min<std::size_t>(m_options.CountJobs(), runs.size());
    SlowdownTable slowdowns(m_folder);
    const auto take = [&](const ExperimentRun& run, const ExperimentOutcome& outcome) {
        Keep(run, outcome, slowdowns);
        if (run.number == m_options.runs)
        {
            folder.Keep();
        }
    };
    std::vector<std::string> kinds;
    for (const auto& run : runs)
    {
        kinds.push_back(run.scheme + "@" + run.scenario);
    }
    ExperimentProgress progress(std::cerr, m_options.isTerminal, kinds, nJobs);
    nJobs > 1 ? RunInJobs(makeRun, runs, nJobs, progress, take)
              : RunHere(makeRun, runs, &progress, take);
    slowdowns.Close();
}

void
ExperimentRunner::WriteTotals() const
{
    std::string header = "scenario,scheme";
    for (const std::string end : {"", "_ci95"})
    {
        for (const auto& metric : m_plan.totals)
        {
            header += "," + metric + end;
        }
    }
    ResultFile totals((std::filesystem::path(m_folder) / "totals.csv").string(), header);
    for (const auto& scenario : m_plan.scenarios)
    {
        for (const auto& scheme : m_plan.GetSchemes(scenario))
        {
            const std::string key = scheme + "@" + scenario;
            totals << scenario << ',' << scheme;
            // A scenario need not have the metrics of all others.
            constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
            for (const auto& metric : m_plan.totals)
            {
                const bool has = m_summary.Has(key, metric);
                totals << ',' << PrintShortest(has ? m_summary.GetMean(key, metric) : NONE);
            }
            for (const auto& metric : m_plan.totals)
            {
                const bool has = m_summary.Has(key, metric);
                totals << ',' << PrintShortest(has ? m_summary.GetHalfWidth95(key, metric) : NONE);
            }
            totals << '\n';
        }
    }
    totals.Close();
}

void
ExperimentRunner::WriteVerdicts() const
{
    const auto& findings = m_summary.GetFindings();
    if (!findings.GetAll().empty())
    {
        ResultFile file((std::filesystem::path(m_folder) / "verdicts.csv").string(), "");
        file << findings.PrintCsv();
        file.Close();
    }
}

} // namespace ns3::aidc
