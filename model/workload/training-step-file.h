// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TRAINING_STEP_FILE_H
#define AIDC_TRAINING_STEP_FILE_H

#include "ns3/workload-plan.h"

#include <cstdint>
#include <istream>
#include <string>

namespace ns3::aidc
{

/// Read a training step: a JSON object with the sizes of its parallelism, a list of operations, or
/// both.
///
/// The chapter "Collectives and training steps" of the manual describes all keys. Everything is
/// checked before anything runs.
/// @return the programs of all ranks
/// @throws AidcInputError if the file is not a training step
/// @throws std::runtime_error that names file and line, if its numbers do not fit together
WorkloadPlan ReadTrainingStepFile(const std::string& path);

/// Read a training step from a stream, as ReadTrainingStepFile() does from a file. name: for
/// errors; nSteps: how often the step is done, at least 1; once if there is a list of operations.
WorkloadPlan ParseTrainingStepFile(std::istream& stream,
                                   const std::string& name,
                                   uint32_t nSteps = 1);

} // namespace ns3::aidc

#endif // AIDC_TRAINING_STEP_FILE_H
