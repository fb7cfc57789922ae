/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "random-parallel-network.h"

#include "ns3/mpi-processes.h"

#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

// Random networks (RandomParallelNetwork), simulated by one or several processes. Prints what has
// become of them, which must be the same for any number of processes. test/check-processes.py
// compares it.
//
//     mpirun -np 2 random-processes 2 FIRST-SEED NETWORKS

int
main(int argc, char* argv[])
{
    const auto get = [&](int index, uint32_t other) {
        return argc > index ? static_cast<uint32_t>(std::stoul(argv[index])) : other;
    };
    try
    {
        const ns3::aidc::MpiProcesses processes(get(1, 1));
        const uint32_t first = get(2, 1);
        for (uint32_t seed = first; seed < first + get(3, 1); ++seed)
        {
            const auto text = aidctest::RandomParallelNetwork(seed).Simulate();
            if (processes.IsFirst())
            {
                std::cout << text << std::flush;
            }
        }
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
