/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "warning.h"

#include "ns3/simulation-singleton.h"

#include <iostream>
#include <set>

namespace ns3::aidc
{

namespace
{

/// The warnings that a simulation has printed, of those that come once.
struct PrintedWarnings
{
    std::set<std::string> texts; //!< the warnings
};

/// What prints lines; null for the standard error stream.
UserLinePrinter g_printer = nullptr;

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

} // namespace ns3::aidc
