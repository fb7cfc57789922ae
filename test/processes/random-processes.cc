// SPDX-License-Identifier: GPL-2.0-only

#include "random-parallel-network.h"
#include "run-seeds.h"

#include <cstdint>

// Random networks (RandomParallelNetwork), simulated by one or several processes. Prints what has
// become of them, which must be the same for any number of processes. test/check-processes.py
// compares it.
//
//     mpirun -np 2 random-processes 2 FIRST-SEED NETWORKS

int
main(int argc, char* argv[])
{
    return aidctest::RunSeeds(argc, argv, [](uint32_t seed) {
        return aidctest::RandomParallelNetwork(seed).Simulate();
    });
}
