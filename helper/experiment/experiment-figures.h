/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_FIGURES_H
#define AIDC_EXPERIMENT_FIGURES_H

#include <ostream>
#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// Draw the figures of an experiment with gnuplot.
///
/// The script is copied into the folder of results as figures.gp, and gnuplot runs there on that
/// copy. So the script reads and writes files of its own folder. A user can change the copy and
/// draw again, by `gnuplot figures.gp`.
///
/// Figures are extra: if gnuplot is missing or fails, one line of the log says so, and it is no
/// error. A figure or a copy that is written in part is an error, because the disk is full then. No
/// shell is involved, so that folders may have any name.
/// @param scriptPath the gnuplot script
/// @param resultsDir the folder of results, which exists
/// @param log where to say what was done, or why nothing was
/// @return true if gnuplot ran and reported no error
/// @throws std::runtime_error if the copy or a figure cannot be written, with its name
bool DrawFigures(const std::string& scriptPath, const std::string& resultsDir, std::ostream& log);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_FIGURES_H
