/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRAINING_STEP_PLANNER_H
#define AIDC_TRAINING_STEP_PLANNER_H

#include "training-step.h"
#include "workload-plan.h"

namespace ns3::aidc
{

/// @ingroup aidc
/// Add the operations of a training step to a plan, on the ranks from 0 on.
///
/// Collectives have names such as "tensor-forward/microbatch-2/layer-5/rank-8", the rank being the
/// first one of the group.
/// @param plan the plan
/// @param step the training step
/// @throws std::invalid_argument if the step's sizes do not fit together, or the plan has fewer
///         ranks
void AddTrainingStep(WorkloadPlan& plan, const TrainingStep& step);

} // namespace ns3::aidc

#endif // AIDC_TRAINING_STEP_PLANNER_H
