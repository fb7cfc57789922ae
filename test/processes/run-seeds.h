// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_RUN_SEEDS_H
#define AIDC_TEST_RUN_SEEDS_H

#include "test/test-case.h"

#include "ns3/mpi-processes.h"

#include <exception>

namespace aidctest
{

/// Simulate seeds, as the arguments [PROCESSES [FIRST-SEED [SEEDS]]] say, and print what each
/// gives.
/// @return the exit status
inline int
RunSeeds(int argc, char* argv[], const std::function<std::string(uint32_t seed)>& simulate)
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
            const auto text = simulate(seed);
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

} // namespace aidctest

#endif // AIDC_TEST_RUN_SEEDS_H
