/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PROCESS_ENVIRONMENT_H
#define AIDC_PROCESS_ENVIRONMENT_H

#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * What the environment says of the processes of a parallel simulation (MpiProcesses), before MPI is
 * started.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @return whether this process was started as one of several, by mpirun, srun or the like
bool IsLaunchedAsProcess();

/// @ingroup aidc
/// @return the number of this process, as its environment has it; 0 if it has none
uint32_t GetLaunchedProcess();

} // namespace ns3::aidc

#endif // AIDC_PROCESS_ENVIRONMENT_H
