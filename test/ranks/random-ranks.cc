/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "random-rank-network.h"

#include "ns3/mpi-ranks.h"

#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

// Random networks (RandomRankNetwork), simulated by one or several ranks. Prints what has become of
// them, which must be the same for any number of ranks. test/check-ranks.py compares it.
//
//     mpirun -np 2 random-ranks 2 FIRST-SEED NETWORKS

int
main(int argc, char* argv[])
{
    const auto get = [&](int index, uint32_t other) {
        return argc > index ? static_cast<uint32_t>(std::stoul(argv[index])) : other;
    };
    try
    {
        const ns3::aidc::MpiRanks ranks(get(1, 1));
        const uint32_t first = get(2, 1);
        for (uint32_t seed = first; seed < first + get(3, 1); ++seed)
        {
            const auto text = aidctest::RandomRankNetwork(seed).Simulate();
            if (ranks.IsFirst())
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
