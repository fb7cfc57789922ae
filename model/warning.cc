// SPDX-License-Identifier: GPL-2.0-only

#include "warning.h"

#include "ns3/nstime.h"
#include "ns3/simulation-singleton.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <iostream>
#include <set>

namespace ns3::aidc
{

namespace
{

/// The warnings that a simulation has printed and that come only once.
struct PrintedWarnings
{
    std::set<std::string> texts; //!< the warnings
};

/// What prints lines; null for the standard error stream.
UserLinePrinter g_printer = nullptr;

/// What is known of the simulation. It reaches the message only, and no result.
struct Idleness
{
    uint64_t nEvents{0}; //!< events of the simulation at the last such timer
    int64_t since{0};    //!< since when there has been nothing else, in ns
    int64_t last{0};     //!< when the last such timer has expired, in ns
    bool isSaid{false};  //!< whether the user was told
};

Idleness g_idleness; //!< of this process

/// How long nothing else happens before the user is told, in ns.
constexpr int64_t PATIENCE = 10'000'000'000;

/// How far time windows let a node be behind another one, at most, in ns.
constexpr int64_t SLACK = 1'000'000'000;

} // namespace

void
PrintUserLine(const std::string& line)
{
    g_printer ? g_printer(line) : void(std::cerr << line << std::endl);
}

void
SetUserLinePrinter(UserLinePrinter printer)
{
    g_printer = printer;
}

void
WarnOnce(const std::string& text)
{
    if (SimulationSingleton<PrintedWarnings>::Get()->texts.insert(text).second)
    {
        Warn(text);
    }
}

void
NoteEndlessTimer()
{
    Idleness& idleness = g_idleness;
    const uint64_t nEvents = Simulator::GetEventCount();
    const int64_t now = Simulator::Now().GetNanoSeconds();
    if (nEvents < idleness.nEvents || now + SLACK < idleness.last)
    {
        idleness.isSaid = false; // another simulation
    }
    if (nEvents != idleness.nEvents + 1)
    {
        idleness.since = now;
    }
    idleness.nEvents = nEvents;
    idleness.last = now;
    if (!idleness.isSaid && now - idleness.since >= PATIENCE)
    {
        idleness.isSaid = true;
        TellUser("note: since ",
                 static_cast<double>(idleness.since) / 1e9,
                 " s of simulated time nothing has happened but timers of selectors and monitors, "
                 "which go on until Simulator::Stop()");
    }
}

} // namespace ns3::aidc
