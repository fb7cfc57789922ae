/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_H
#define AIDC_TWO_SITES_H

#include "two-sites-settings.h"

#include "ns3/experiment-base.h"

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::TwoSitesExperiment declaration.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The experiment two-sites, which the comment of two-sites.cc describes.
class TwoSitesExperiment : public ExperimentBase
{
  public:
    TwoSitesExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    TwoSitesSettings m_settings; //!< what the user has set
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_H
