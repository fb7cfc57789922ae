// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_EXPERIMENTS_H
#define AIDC_TEST_EXPERIMENTS_H

#include "ns3/experiment-base.h"

#include <memory>

namespace ns3::aidc
{

// What the programs of examples/NAME/NAME.cc make
std::unique_ptr<ExperimentBase> MakeAiTrainingExperiment();
std::unique_ptr<ExperimentBase> MakeCoupledEcnExperiment();
std::unique_ptr<ExperimentBase> MakeCsigFabricExperiment();
std::unique_ptr<ExperimentBase> MakeFareClosExperiment();
std::unique_ptr<ExperimentBase> MakeFlowSetEcmpExperiment();
std::unique_ptr<ExperimentBase> MakePreEcnExperiment();

} // namespace ns3::aidc

#endif // AIDC_TEST_EXPERIMENTS_H
