/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-progress.h"

#include "experiment-json.h"

#include "ns3/mpi-processes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr int64_t FIRST_STEPS = 100000; //!< parts of the longest time, the first of which
                                        //!< passes before a simulation is looked at
constexpr std::chrono::duration<double> OFTEN{0.1};  //!< between looks at a simulation, at least
constexpr std::chrono::duration<double> SELDOM{0.5}; //!< between looks at a simulation, at most

} // namespace

RunProgress::RunProgress(Tell tell)
    : m_tell(std::move(tell))
{
}

void
RunProgress::Announce(std::size_t nFlows) const
{
    m_tell(", " + std::to_string(nFlows) + " flows", 0);
}

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

} // namespace ns3::aidc
