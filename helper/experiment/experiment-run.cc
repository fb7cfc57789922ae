// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-run.h"

#include "experiment-values.h"

#include "ns3/mpi-processes.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

constexpr int64_t FIRST_STEPS = 100000; //!< parts of the longest time, the first of which
                                        //!< passes before a simulation is looked at
constexpr std::chrono::duration<double> OFTEN{0.1};  //!< between looks at a simulation, at least
constexpr std::chrono::duration<double> SELDOM{0.5}; //!< between looks at a simulation, at most

} // namespace

void
RunProgress::Follow(Time limit, ShareCallback getDone)
{
    m_getDone = std::move(getDone);
    m_step = std::max(NanoSeconds(1), limit / FIRST_STEPS);
    m_looked = Clock::now();
    m_told = m_looked;
    Simulator::Schedule(m_step, &RunProgress::Look, this, limit);
}

void
RunProgress::Look(Time limit)
{
    // A few times a second, whatever a second of simulated time takes
    const auto now = Clock::now();
    const std::chrono::duration<double> passed = now - m_looked;
    m_looked = now;
    m_step = passed < OFTEN ? 2 * m_step : passed > SELDOM ? m_step / 2 : m_step;
    m_step = std::max(NanoSeconds(1), m_step);
    // Each process looks at the same times, of which the most hurried one decides.
    const auto& processes = MpiProcesses::Get();
    const auto least = processes.GetLeast({static_cast<uint64_t>(m_step.GetTimeStep())});
    m_step = TimeStep(least[0]);
    const double done = m_getDone ? processes.Sum(m_getDone()) : 0;
    if (Simulator::Now() + m_step < limit)
    {
        Simulator::Schedule(m_step, &RunProgress::Look, this, limit);
    }
    if (now - m_told >= OFTEN)
    {
        m_told = now;
        const auto simulated = static_cast<double>(Simulator::Now().GetNanoSeconds());
        const auto end = static_cast<double>(limit.GetNanoSeconds());
        m_tell(": " + PrintNumber(simulated / 1e6, 4, false) + " of at most " +
                   PrintNumber(end / 1e6, 4, false) + " ms simulated",
               std::max(done, simulated / end));
    }
}

void
StopWhen(Time delay, const std::function<bool()>& isDone)
{
    Simulator::Schedule(delay, [isDone] {
        isDone() ? Simulator::Stop() : StopWhen(MicroSeconds(10), isDone);
    });
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

std::vector<std::pair<std::string, std::string>>
ExperimentPlan::GetPairs() const
{
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& scenario : scenarios)
    {
        for (const auto& scheme : GetSchemes(scenario))
        {
            pairs.emplace_back(scenario, scheme);
        }
    }
    return pairs;
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
    if (longestWait)
    {
        *longestWait = recorder.FindLongestWait();
    }
    if (const auto repeats = recorder.FindNeedlessRepeats(); !repeats.empty())
    {
        Warn(GetName(), ": ", repeats);
    }
    if (isFirst)
    {
        const auto name = "network-" + scenario + "-" + scheme + ".json";
        recorder.Stop();
        recorder.Write((std::filesystem::path(out) / name).string());
    }
}

void
ExperimentRun::Write(RankTimeline& timeline) const
{
    if (isFirst)
    {
        const auto name = "timeline-" + scenario + "-" + scheme + ".json";
        timeline.Stop();
        timeline.Write((std::filesystem::path(out) / name).string());
    }
}

void
ExperimentRun::GiveUp(const std::string& unfinished) const
{
    std::ostringstream text;
    text << "the run of " << scheme << '@' << scenario << " has not ended by "
         << Simulator::Now().As(Time::MS) << ": " << unfinished;
    Simulator::Destroy();
    throw std::runtime_error(text.str());
}

} // namespace ns3::aidc
