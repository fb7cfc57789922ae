/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-progress.h"

#include "experiment-number.h"

namespace ns3::aidc
{

namespace
{

constexpr const char* CLEAR = "\r\033[K";          //!< clears the line of a terminal
constexpr std::chrono::duration<double> SOON{0.5}; //!< between lines on a terminal
constexpr std::chrono::duration<double> LATE{10};  //!< between lines elsewhere
constexpr std::size_t ROOM =
    48; //!< characters for names, so that a line of a terminal does not break

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

ExperimentProgress::ExperimentProgress(std::ostream& os,
                                       bool isTerminal,
                                       const std::vector<std::string>& kinds,
                                       std::size_t nAtOnce)
    : m_os(os),
      m_isTerminal(isTerminal),
      m_nRuns(kinds.size()),
      m_isParallel(nAtOnce > 1),
      m_remaining(kinds, nAtOnce),
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
ExperimentProgress::Begin(std::size_t run, const std::string& name)
{
    m_runs[run].name = name;
    m_remaining.Begin(run, GetElapsed());
}

void
ExperimentProgress::Tell(std::size_t run, const std::string& text, double share)
{
    auto& told = m_runs.at(run);
    told.text = text;
    m_remaining.SetShare(run, share);
    const bool isFirst = !told.hasTold;
    told.hasTold = true;
    // Each run has its line when it begins, or all of them have one
    const bool isDue = m_isParallel
                           ? !m_hasWritten
                           : isFirst && (m_isTerminal || m_nDone == 0 || IsNewTenth(m_nDone));
    if (isDue || IsTime())
    {
        Write();
    }
}

void
ExperimentProgress::End(std::size_t run)
{
    m_runs.erase(run);
    m_remaining.End(run, GetElapsed());
    ++m_nDone;
    if (m_isParallel && (m_isTerminal || IsNewTenth(m_nDone)))
    {
        Write();
    }
}

void
ExperimentProgress::Print(const std::string& said)
{
    if (!said.empty())
    {
        m_os << (m_isOpen ? CLEAR : "") << said << (said.back() == '\n' ? "" : "\n") << std::flush;
        m_isOpen = false;
    }
}

double
ExperimentProgress::GetElapsed() const
{
    return std::chrono::duration<double>(Clock::now() - m_begin).count();
}

bool
ExperimentProgress::IsNewTenth(std::size_t nDone) const
{
    constexpr std::size_t TENTHS = 10;
    return TENTHS * nDone / m_nRuns != TENTHS * (nDone - 1) / m_nRuns;
}

bool
ExperimentProgress::IsTime() const
{
    return Clock::now() - m_last >= (m_isTerminal ? SOON : LATE);
}

std::string
ExperimentProgress::JoinNames() const
{
    std::string names;
    std::size_t n = 0;
    for (const auto& [number, run] : m_runs)
    {
        const auto longer = names + (n == 0 ? "" : ", ") + run.name;
        if (n > 0 && longer.size() > ROOM)
        {
            return names + " and " + std::to_string(m_runs.size() - n) + " more";
        }
        names = longer;
        ++n;
    }
    return names;
}

void
ExperimentProgress::Write()
{
    m_last = Clock::now();
    const double left = m_remaining.Estimate(GetElapsed()).value_or(0);
    m_os << (m_isTerminal ? CLEAR : "") << '[';
    if (m_isParallel)
    {
        m_os << m_nDone << '/' << m_nRuns << " done]" << (m_runs.empty() ? "" : " ") << JoinNames();
    }
    else
    {
        const auto& [number, run] = *m_runs.begin();
        m_os << number + 1 << '/' << m_nRuns << "] " << run.name << run.text;
    }
    m_os << (left >= 1 ? ", about " + PrintDuration(left) + " left" : "")
         << (m_isTerminal ? "" : "\n") << std::flush;
    m_isOpen = m_isTerminal;
    m_hasWritten = true;
}

} // namespace ns3::aidc
