/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-states.h"

#include "ns3/mpi-ranks.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace ns3::aidc
{

namespace
{

/// @param rank the rank
/// @param state its state
/// @param [in,out] text where it is written
void
Write(std::size_t rank, const RankState& state, std::ostream& text)
{
    const auto& [record, times] = state;
    text << rank << ' ' << record.isDone << ' ' << record.finish.GetTimeStep() << ' '
         << record.failureTime.GetTimeStep() << ' ' << times.size();
    for (const auto& time : times)
    {
        text << ' ' << time.hasStarted << ' ' << time.hasEnded << ' ' << time.start.GetTimeStep()
             << ' ' << time.end.GetTimeStep();
    }
    text << ' ' << record.failure << '\n';
}

/// @param text what Write() has written
/// @param [in,out] state the state, which is read
void
Read(std::istream& text, RankState& state)
{
    const auto readTime = [&text](Time& time) {
        int64_t steps = 0;
        text >> steps;
        time = TimeStep(static_cast<uint64_t>(steps));
    };
    std::size_t nTimes = 0;
    text >> state.record.isDone;
    readTime(state.record.finish);
    readTime(state.record.failureTime);
    text >> nTimes;
    state.times.resize(nTimes);
    for (auto& time : state.times)
    {
        text >> time.hasStarted >> time.hasEnded;
        readTime(time.start);
        readTime(time.end);
    }
    text.get(); // the blank
    std::getline(text, state.record.failure);
}

} // namespace

void
GatherRankStates(std::vector<RankState>& states)
{
    if (MpiRanks::Get().GetN() == 1)
    {
        return;
    }
    std::ostringstream own;
    for (std::size_t rank = 0; rank < states.size(); ++rank)
    {
        if (!states[rank].times.empty())
        {
            Write(rank, states[rank], own);
        }
    }
    for (const auto& text : MpiRanks::Get().Gather(own.str()))
    {
        std::istringstream others(text);
        std::size_t rank = 0;
        while (others >> rank && rank < states.size())
        {
            Read(others, states[rank]);
        }
    }
}

} // namespace ns3::aidc
