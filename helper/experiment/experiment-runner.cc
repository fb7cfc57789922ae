/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-runner.h"

#include "aidc-version.h"
#include "experiment-figures.h"
#include "experiment-number.h"
#include "experiment-progress.h"
#include "results-folder.h"

#include "ns3/experiment-data-file.h"
#include "ns3/result-file.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/time-window-helper.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

void
ExperimentOutcome::Add(const std::string& name, double value, const std::string& unit)
{
    metrics.push_back({name, value, unit});
}

void
ExperimentOutcome::Add(const std::vector<ResultMetric>& some)
{
    metrics.insert(metrics.end(), some.begin(), some.end());
}

std::string
ExperimentRun::GetSeriesPath(const std::string& kind) const
{
    return (std::filesystem::path(out) / (kind + "-" + scenario + "-" + scheme + ".csv")).string();
}

void
ExperimentRun::Start(FabricRecorder& recorder, Time delay) const
{
    if (isFirst)
    {
        recorder.Start(delay);
    }
}

void
ExperimentRun::Write(FabricRecorder& recorder) const
{
    if (isFirst)
    {
        const auto name = "network-" + scenario + "-" + scheme + ".json";
        recorder.Stop();
        recorder.Write((std::filesystem::path(out) / name).string());
    }
}

void
ExperimentRun::Announce(std::size_t nFlows) const
{
    if (progress)
    {
        progress->Announce(nFlows);
    }
}

void
ExperimentRun::Follow(Time limit, std::function<double()> getDone) const
{
    if (progress)
    {
        progress->Follow(limit, std::move(getDone));
    }
}

ExperimentRunner::ExperimentRunner(const ExperimentPlan& plan,
                                   const ExperimentOptions& options,
                                   const MpiRanks& ranks)
    : m_plan(plan),
      m_options(options),
      m_ranks(ranks),
      m_summary(plan.name)
{
    m_summary.SetSeed(options.seed);
    m_summary.SetRuns(options.runs);
    m_summary.SetCommand(plan.command);
    m_summary.SetQuestion(plan.question);
    m_summary.SetParameter("aidc", GetAidcVersion());
    m_summary.SetParameter("devices", options.devices);
    m_summary.SetParameter("datapath", options.datapath);
    m_summary.SetParameter("simulator", ranks.GetN() > 1 ? "distributed" : options.simulator);
}

std::vector<std::string>
ExperimentPlan::GetSchemes(const std::string& scenario) const
{
    const auto found = schemesOf.find(scenario);
    if (found == schemesOf.end())
    {
        return schemes;
    }
    const auto& some = found->second;
    std::vector<std::string> both;
    std::copy_if(schemes.begin(), schemes.end(), std::back_inserter(both), [&](const auto& scheme) {
        return std::find(some.begin(), some.end(), scheme) != some.end();
    });
    return both;
}

bool
ExperimentPlan::HasScenario(const std::vector<std::string>& names) const
{
    return std::any_of(names.begin(), names.end(), [this](const auto& name) {
        return std::find(scenarios.begin(), scenarios.end(), name) != scenarios.end() &&
               !GetSchemes(name).empty();
    });
}

bool
ExperimentPlan::HasScheme(const std::vector<std::string>& names) const
{
    return std::any_of(scenarios.begin(), scenarios.end(), [&](const auto& scenario) {
        const auto run = GetSchemes(scenario);
        return std::find_first_of(run.begin(), run.end(), names.begin(), names.end()) != run.end();
    });
}

void
ExperimentRunner::RunScheme(const std::string& scenario,
                            const std::string& scheme,
                            const MakeRun& makeRun,
                            ExperimentProgress* progress,
                            SlowdownTable* slowdowns)
{
    const std::string key = scheme + "@" + scenario;
    for (uint32_t number = 1; number <= m_options.runs; ++number)
    {
        RngSeedManager::SetSeed(m_options.seed);
        RngSeedManager::SetRun(number);
        const ExperimentRun run{scenario, scheme, m_folder, number == 1, progress};
        if (progress)
        {
            progress->Begin(key);
        }
        if (m_ranks.GetN() == 1)
        {
            m_options.simulator == "windows" ? TimeWindowHelper::Enable()
                                             : TimeWindowHelper::Disable();
        }
        const auto started = std::chrono::steady_clock::now();
        auto outcome = makeRun(run);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
        outcome.Add("wall_time", wall.count(), "s");
        for (const auto& metric : outcome.metrics)
        {
            m_summary.Add(key, metric.name, metric.value, metric.unit);
        }
        if (slowdowns)
        {
            slowdowns->Add(outcome.records);
        }
        if (m_plan.hasFlowFiles && m_ranks.IsFirst())
        {
            WriteFlowRecords(run.GetSeriesPath("flows"), number, outcome.records);
        }
    }
}

void
ExperimentRunner::Run(const MakeRun& makeRun)
{
    if (!m_ranks.IsFirst())
    {
        RunSchemes(makeRun, nullptr);
        return;
    }
    ResultsFolder folder(m_options.out);
    m_folder = folder.GetPartial().string();
    try
    {
        RunSchemes(makeRun, &folder);
        if (m_plan.conclude)
        {
            m_plan.conclude(m_summary);
        }
        m_summary.WriteJson((std::filesystem::path(m_folder) / "summary.json").string());
        m_summary.SetColumns(m_plan.columns);
        m_summary.PrintTable(std::cout);
        if (!m_plan.figures.empty())
        {
            DrawFigures(FindExampleFile(m_plan.figures), m_folder, std::cerr);
        }
        folder.Commit();
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
}

void
ExperimentRunner::RunSchemes(const MakeRun& makeRun, ResultsFolder* folder)
{
    std::optional<SlowdownTable> slowdowns; // of the rank that writes results
    ResultFile totals;
    if (folder)
    {
        slowdowns.emplace(m_folder);
        std::string header = "scenario,scheme";
        for (const std::string end : {"", "_ci95"})
        {
            for (const auto& metric : m_plan.totals)
            {
                header += "," + metric + end;
            }
        }
        totals = ResultFile((std::filesystem::path(m_folder) / "totals.csv").string(), header);
    }
    std::size_t nRuns = 0;
    for (const auto& scenario : m_plan.scenarios)
    {
        nRuns += m_plan.GetSchemes(scenario).size() * m_options.runs;
    }
    std::optional<ExperimentProgress> progress; // of the rank that prints
    if (m_ranks.IsFirst())
    {
        progress.emplace(std::cerr, m_options.isTerminal, nRuns);
    }
    for (const auto& scenario : m_plan.scenarios)
    {
        for (const auto& scheme : m_plan.GetSchemes(scenario))
        {
            RunScheme(scenario,
                      scheme,
                      makeRun,
                      progress ? &*progress : nullptr,
                      slowdowns ? &*slowdowns : nullptr);
            if (slowdowns)
            {
                const std::string key = scheme + "@" + scenario;
                slowdowns->Write(scenario, scheme);
                totals << scenario << ',' << scheme;
                for (const auto& metric : m_plan.totals)
                {
                    totals << ',' << PrintShortest(m_summary.GetMean(key, metric));
                }
                for (const auto& metric : m_plan.totals)
                {
                    totals << ',' << PrintShortest(m_summary.GetHalfWidth95(key, metric));
                }
                totals << std::endl;
                folder->Keep();
            }
        }
    }
    if (slowdowns)
    {
        slowdowns->Close();
        totals.Close();
    }
}

} // namespace ns3::aidc
