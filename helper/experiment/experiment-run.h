/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_RUN_H
#define AIDC_EXPERIMENT_RUN_H

#include "ns3/fabric-recorder.h"
#include "ns3/longest-wait.h"
#include "ns3/nstime.h"
#include "ns3/rank-timeline.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ns3::aidc
{

class RunProgress;

/**
 * @ingroup aidc
 * @brief A run of an experiment: one scheme in one scenario.
 */
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
    std::string GetName() const;

    /// @param kind what it is a series of
    /// @return the path of KIND-SCENARIO-SCHEME.csv in that folder
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
    /// @param timeline the timeline
    /// @throws std::runtime_error if the file cannot be written
    void Write(RankTimeline& timeline) const;

    /// @param nFlows the number of flows of the run, which begins
    void Announce(std::size_t nFlows) const;

    /// Tell the user how far the simulation is. Call it before that begins.
    /// @param limit the simulated time at which it ends at the latest
    /// @param getDone tells how much of the run is done, from 0 to 1; null if only its time does
    void Follow(Time limit, std::function<double()> getDone = nullptr) const;

    /// End a simulation whose time is over before its work is done.
    /// @param unfinished what has not ended, for people to read
    /// @throws std::runtime_error always, with the scheme, the scenario, the simulated time and
    /// that
    [[noreturn]] void GiveUp(const std::string& unfinished) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_RUN_H
