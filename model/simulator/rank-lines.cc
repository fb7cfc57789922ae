/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-lines.h"

#include "ns3/warning.h"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The lines since Take(), each with an end of line.
std::string g_lines;

/// Whether this is the first rank.
bool g_isFirst = true;

/// Print a line of the first rank, and keep it. @param line the line
void
PrintAndKeep(const std::string& line)
{
    g_lines += line + '\n';
    if (g_isFirst)
    {
        std::cerr << line << std::endl;
    }
}

} // namespace

RankLines::RankLines(bool isFirst)
{
    g_isFirst = isFirst;
    SetUserLinePrinter(PrintAndKeep);
}

RankLines::~RankLines()
{
    SetUserLinePrinter(nullptr);
}

std::string
RankLines::Take()
{
    return std::exchange(g_lines, "");
}

void
RankLines::Print(const std::vector<std::string>& texts)
{
    // A line is shown as often as the rank has told it that has told it most.
    std::map<std::string, uint32_t> shown;
    for (std::size_t rank = 0; g_isFirst && rank < texts.size(); ++rank)
    {
        std::map<std::string, uint32_t> told;
        std::istringstream lines(texts[rank]);
        for (std::string line; std::getline(lines, line);)
        {
            if (++told[line] <= shown[line])
            {
                continue;
            }
            ++shown[line];
            if (rank > 0) // the first one's are there
            {
                std::cerr << line << std::endl;
            }
        }
    }
}

} // namespace ns3::aidc
