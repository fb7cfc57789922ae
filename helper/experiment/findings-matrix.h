/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FINDINGS_MATRIX_H
#define AIDC_FINDINGS_MATRIX_H

#include "experiment-findings.h"

#include <cstddef>
#include <ostream>
#include <vector>

namespace ns3::aidc
{

/// Print findings as a matrix: a row for each subject, after that of its baseline; first what is a
/// side effect of all subjects, such as the time of a training step, and then what each subject is
/// for. Cells have medians and verdicts. Each scenario and baseline has a matrix of its own.
/// @param os the stream to print to
/// @param findings the findings
/// @param width the characters of a line, into which the matrix fits
void PrintFindingsMatrix(std::ostream& os,
                         const std::vector<ExperimentFinding>& findings,
                         std::size_t width);

} // namespace ns3::aidc

#endif // AIDC_FINDINGS_MATRIX_H
