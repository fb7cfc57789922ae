/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_FINDINGS_H
#define AIDC_TWO_SITES_FINDINGS_H

#include "ns3/experiment-summary.h"

#include <string>

/**
 * @file
 * @ingroup aidc
 * What TwoSitesExperiment says in the end.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Compare each scheme of TwoSitesExperiment with the baseline by the time of the training
///        step and by what its mechanism is for, and each one that lacks a mechanism with all five.
/// @param[in,out] summary all runs, to which the findings are added
/// @param scenario the scenario
void AddTwoSitesFindings(ExperimentSummary& summary, const std::string& scenario);

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_FINDINGS_H
