/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_LINES_H
#define AIDC_RANK_LINES_H

#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The lines that ranks (MpiRanks) tell the user (PrintUserLine()): each is printed once,
///        however many ranks tell it. Those of the first rank are printed at once.
class RankLines
{
  public:
    /// @param isFirst whether this is the first rank, which prints
    explicit RankLines(bool isFirst);
    ~RankLines();

    RankLines(const RankLines&) = delete;
    RankLines& operator=(const RankLines&) = delete;

    /// Take the lines of this rank since it was called last. @return them, each with an end of line
    static std::string Take();

    /// Print what other ranks have told and the first one has not.
    /// @param texts what Take() has returned at each rank, by rank
    static void Print(const std::vector<std::string>& texts);
};

} // namespace ns3::aidc

#endif // AIDC_RANK_LINES_H
