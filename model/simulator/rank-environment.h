/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_ENVIRONMENT_H
#define AIDC_RANK_ENVIRONMENT_H

#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * What the environment of a process says of ranks (MpiRanks), before MPI is started.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @return whether this process was started as a rank, by mpirun, srun or the like
bool IsLaunchedAsRank();

/// @ingroup aidc
/// @return the rank that the environment of this process names; 0 if it names none
uint32_t GetLaunchedRank();

} // namespace ns3::aidc

#endif // AIDC_RANK_ENVIRONMENT_H
