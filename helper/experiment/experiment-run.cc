/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-run.h"

#include "run-progress.h"

#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

std::string
ExperimentRun::GetName() const
{
    return "run " + std::to_string(number) + " of " + scheme + "@" + scenario;
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

} // namespace ns3::aidc
