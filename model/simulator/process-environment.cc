/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-environment.h"

#include <cstdlib>
#include <initializer_list>

namespace ns3::aidc
{

namespace
{

/// @return whether it is set, and not empty
bool
IsSet(const char* name)
{
    const char* const value = std::getenv(name);
    return value && *value != '\0';
}

} // namespace

bool
IsLaunchedAsProcess()
{
    // Open MPI; MPICH and others with its process manager's interface; PMIx
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"})
    {
        if (IsSet(name))
        {
            return true;
        }
    }
    // Slurm has its other variables in the script of a job, too.
    const char* const nTasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return nTasks && std::strtoul(nTasks, nullptr, 10) > 1;
}

uint32_t
GetLaunchedProcess()
{
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    {
        if (IsLaunchedAsProcess() && IsSet(name))
        {
            return static_cast<uint32_t>(std::strtoul(std::getenv(name), nullptr, 10));
        }
    }
    return 0;
}

} // namespace ns3::aidc
