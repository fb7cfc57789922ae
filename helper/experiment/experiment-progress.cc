/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-progress.h"

#include "experiment-number.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr const char* CLEAR = "\r\033[K"; //!< clears the line of a terminal
constexpr int64_t FIRST_STEPS = 100000;   //!< parts of the longest time, the first of which
                                          //!< passes before a simulation is looked at
constexpr std::chrono::duration<double> OFTEN{0.1}; //!< between looks at a simulation, at least
constexpr std::chrono::duration<double> SOON{0.5};  //!< between lines on a terminal
constexpr std::chrono::duration<double> LATE{10};   //!< between lines elsewhere
constexpr double LEAST = 0.01; //!< part of a run, before which the time that is left is a guess

/// @param seconds how long
/// @return that time, in s, min or h
std::string
PrintDuration(double seconds)
{
    constexpr double MINUTE = 60;
    constexpr double HOUR = 3600;
    return seconds < 2 * MINUTE ? PrintNumber(seconds, 0, true) + " s"
           : seconds < 2 * HOUR ? PrintNumber(seconds / MINUTE, 0, true) + " min"
                                : PrintNumber(seconds / HOUR, 1, true) + " h";
}

} // namespace

ExperimentProgress::ExperimentProgress(std::ostream& os, bool isTerminal, std::size_t nRuns)
    : m_os(os),
      m_isTerminal(isTerminal),
      m_nRuns(nRuns),
      m_begin(Clock::now()),
      m_last(m_begin)
{
}

ExperimentProgress::~ExperimentProgress()
{
    if (m_isOpen)
    {
        m_os << CLEAR << std::flush;
    }
}

void
ExperimentProgress::Begin(const std::string& name)
{
    ++m_number;
    m_name = name;
}

void
ExperimentProgress::Announce(std::size_t nFlows)
{
    constexpr std::size_t TENTHS = 10;
    const bool isDue =
        m_number == 1 || TENTHS * (m_number - 1) / m_nRuns != TENTHS * (m_number - 2) / m_nRuns;
    if (m_isTerminal || isDue)
    {
        Write(", " + std::to_string(nFlows) + " flows", 0);
    }
}

void
ExperimentProgress::Follow(Time limit, ShareCallback getDone)
{
    m_getDone = std::move(getDone);
    m_step = std::max(NanoSeconds(1), limit / FIRST_STEPS);
    m_looked = Clock::now();
    Simulator::Schedule(m_step, &ExperimentProgress::Look, this, limit);
}

void
ExperimentProgress::Look(Time limit)
{
    // A few times a second, whatever a second of simulated time takes
    const auto now = Clock::now();
    const std::chrono::duration<double> passed = now - m_looked;
    m_looked = now;
    m_step = passed < OFTEN ? 2 * m_step : passed > SOON ? m_step / 2 : m_step;
    m_step = std::max(NanoSeconds(1), m_step);
    if (Simulator::Now() + m_step < limit)
    {
        Simulator::Schedule(m_step, &ExperimentProgress::Look, this, limit);
    }
    if (now - m_last >= (m_isTerminal ? SOON : LATE))
    {
        const auto simulated = static_cast<double>(Simulator::Now().GetNanoSeconds());
        const auto end = static_cast<double>(limit.GetNanoSeconds());
        Write(": " + PrintNumber(simulated / 1e6, 4, false) + " of at most " +
                  PrintNumber(end / 1e6, 4, false) + " ms simulated",
              std::max(m_getDone ? m_getDone() : 0, simulated / end));
    }
}

void
ExperimentProgress::Write(const std::string& text, double share)
{
    m_last = Clock::now();
    const std::chrono::duration<double> elapsed = m_last - m_begin;
    const double done = static_cast<double>(m_number - 1) + share;
    const double left =
        done >= LEAST ? elapsed.count() * (static_cast<double>(m_nRuns) - done) / done : 0;
    m_os << (m_isTerminal ? CLEAR : "") << '[' << m_number << '/' << m_nRuns << "] " << m_name
         << text << (left >= 1 ? ", about " + PrintDuration(left) + " left" : "")
         << (m_isTerminal ? "" : "\n") << std::flush;
    m_isOpen = m_isTerminal;
}

} // namespace ns3::aidc
