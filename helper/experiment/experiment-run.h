// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_RUN_H
#define AIDC_EXPERIMENT_RUN_H

#include "ns3/fabric-recorder.h"
#include "ns3/longest-wait.h"
#include "ns3/nstime.h"
#include "ns3/rank-timeline.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Tells how far a run of an experiment is, a few times a second of wall time.
class RunProgress
{
  public:
    /// Takes what is told: a text that follows the name of the run, and the share of the run that
    /// is done, from 0 to 1.
    using Tell = std::function<void(const std::string& text, double share)>;

    /// Tells how much of a run is done, from 0 to 1.
    using ShareCallback = std::function<double()>;

    /// @param tell takes what is told
    explicit RunProgress(Tell tell)
        : m_tell(std::move(tell))
    {
    }

    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    /// @param nFlows the number of flows of the run
    void Announce(std::size_t nFlows) const
    {
        m_tell(", " + std::to_string(nFlows) + " flows", 0);
    }

    /// Follow the simulation of the run, by events without a node. Call it before the simulation
    /// begins.
    /// @param limit the simulated time at which it ends at the latest
    /// @param getDone tells how much of the run this process (MpiProcesses) has done, as a share of
    ///        all that is to be done, from 0 to 1; null to use the simulated time only
    void Follow(Time limit, ShareCallback getDone = nullptr);

  private:
    /// The clock of the wall time
    using Clock = std::chrono::steady_clock;

    /// Look at the simulation.
    void Look(Time limit);

    Tell m_tell;                //!< takes what is told
    Clock::time_point m_looked; //!< when the simulation was looked at
    Clock::time_point m_told;   //!< when something was told
    Time m_step;                //!< simulated time between two looks
    ShareCallback m_getDone;    //!< tells how much of the run is done, or null
};

/// Check after a delay, and then every 10 us, whether something is done, and stop the simulation if
/// it is. isDone: tells it; with several processes, each one asks at the same point, and gets the
/// same answer.
void StopWhen(Time delay, const std::function<bool()>& isDone);

/// What an experiment can run: schemes, which are compared, in scenarios.
struct ExperimentPlan
{
    std::string name;                   //!< the experiment's name, in kebab-case
    std::vector<std::string> scenarios; //!< the situations, in this order
    std::vector<std::string> schemes;   //!< what is compared in each, in this order

    /// The schemes that make sense in a scenario, by its name; all, where there is no entry.
    std::map<std::string, std::vector<std::string>> schemesOf;

    /// @return the schemes that are compared in a scenario, in their order
    std::vector<std::string> GetSchemes(const std::string& scenario) const;

    /// @return all pairs of a scenario and a scheme, in their order
    std::vector<std::pair<std::string, std::string>> GetPairs() const;

    /// @return whether one of these scenarios is run, with a scheme
    bool HasScenario(const std::vector<std::string>& names) const;

    /// @return whether one of these schemes is run, in a scenario
    bool HasScheme(const std::vector<std::string>& names) const;
};

/// A run of an experiment: one scheme in one scenario.
struct ExperimentRun
{
    std::string scenario;           //!< the name of the scenario
    std::string scheme;             //!< the name of the scheme
    uint32_t number{1};             //!< the number of the run, from 1
    std::string out;                //!< the folder to write to
    bool isFirst{false};            //!< whether it is their first run, whose series are written
    RunProgress* progress{nullptr}; //!< tells the user; may be null
    /// Takes the longest wait of the network that Write() is given; may be null.
    std::optional<LongestWait>* longestWait{nullptr};

    /// @return what it is called in messages, such as "run 2 of coupled\@incast"
    std::string GetName() const
    {
        return "run " + std::to_string(number) + " of " + scheme + "@" + scenario;
    }

    /// @return the path of the series of a kind, KIND-SCENARIO-SCHEME.csv in that folder
    std::string GetSeriesPath(const std::string& kind) const;

    /// Start a recorder of the network, if this is the first run.
    /// @param recorder the recorder, to which the network was added
    /// @param delay the time from now to the start of what it records
    void Start(FabricRecorder& recorder, Time delay = Time()) const;

    /// Find who has waited longest in a network, when the simulation is over. If Start() has
    /// started the recorder, stop it and write network-SCENARIO-SCHEME.json.
    /// @param recorder the recorder, to which the network was added
    /// @throws std::runtime_error if the file cannot be written
    void Write(FabricRecorder& recorder) const;

    /// Stop a timeline of ranks and write timeline-SCENARIO-SCHEME.json, if this is the first run.
    /// @throws std::runtime_error if the file cannot be written
    void Write(RankTimeline& timeline) const;

    /// @param nFlows the number of flows of the run, which begins
    void Announce(std::size_t nFlows) const
    {
        if (progress)
        {
            progress->Announce(nFlows);
        }
    }

    /// Tell the user how far the simulation is. Call it before the simulation begins.
    /// @param limit the simulated time at which it ends at the latest
    /// @param getDone tells how much of the run is done, from 0 to 1; null if only the time tells
    void Follow(Time limit, std::function<double()> getDone = nullptr) const
    {
        if (progress)
        {
            progress->Follow(limit, std::move(getDone));
        }
    }

    /// End a simulation whose time is over before its work is done.
    /// @param unfinished what has not ended, for people to read
    /// @throws std::runtime_error always, with the scheme, the scenario, the simulated time and
    /// this text
    [[noreturn]] void GiveUp(const std::string& unfinished) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_RUN_H
