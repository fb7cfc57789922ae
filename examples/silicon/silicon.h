/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SILICON_H
#define AIDC_SILICON_H

#include "ns3/experiment-base.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment silicon, which the comment of silicon.cc describes.
 */
class SiliconExperiment : public ExperimentBase
{
  public:
    SiliconExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    std::string m_chip;            //!< name or file of the only chip; empty for all
    uint32_t m_repeats{200};       //!< repetitions of a procedure of marking
    Time m_time{MilliSeconds(20)}; //!< simulated time of the incast
};

} // namespace ns3::aidc

#endif // AIDC_SILICON_H
