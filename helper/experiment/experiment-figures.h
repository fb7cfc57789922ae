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
/// What has become of figures.
enum class FigureOutcome
{
    DRAWN,   //!< gnuplot ran and reported no error
    MISSING, //!< there is no gnuplot on the PATH
    FAILED   //!< gnuplot or its script could not be used as wanted, or reported an error
};

/// @ingroup aidc
/// Draw the figures of an experiment with gnuplot.
///
/// The script is copied into the folder of results as figures.gp, and gnuplot runs there on that
/// copy. So the script reads and writes files of its own folder. A user can change the copy and
/// draw again, by `gnuplot figures.gp`.
///
/// Without gnuplot there are no figures, which one line of the log says; that is no error. If
/// gnuplot fails, the line says why. A figure or a copy that is written in part is an error,
/// because the disk is full then. No shell is involved, so that folders may have any name.
/// @param scriptPath the gnuplot script
/// @param resultsDir the folder of results, which exists
/// @param log where to say what was done, or why nothing was
/// @return what became of the figures
/// @throws std::runtime_error if the copy or a figure cannot be written, with its name
FigureOutcome DrawFigures(const std::string& scriptPath,
                          const std::string& resultsDir,
                          std::ostream& log);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_FIGURES_H
