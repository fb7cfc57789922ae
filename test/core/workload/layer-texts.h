// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LAYER_TEXTS_H
#define AIDC_LAYER_TEXTS_H

#include "model/core/workload/layer-workload.h"
#include "test/core/core-test.h"

// Workloads of layers, for the tests of their reader and of their plans.

namespace aidctest
{

/// Two layers of a transformer on 4 GPUs, 2 of them a tensor-parallel group, in SimAI's format.
const std::string SIMAI_TEXT =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 4 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0\n"
    "2\n"
    "att -1 1000 ALLREDUCE 8192 2000 ALLREDUCE 8192 500 NONE 0 100\n"
    "mlp -1 3000 ALLREDUCE 8192 4000 NONE 0 700 REDUCESCATTER 65536 100\n";

/// Two layers with data parallelism, in ASTRA-sim's format.
const std::string DATA_TEXT = "DATA\n"
                              "2\n"
                              "L0 -1 10 NONE 0 10 NONE 0 20 ALLREDUCE 1000 5\n"
                              "L1 -1 30 NONE 0 40 NONE 0 50 ALLREDUCE 2000 5\n";

/// Make a workload of equal layers.
inline std::string
MakeLayers(const std::string& header, const std::string& layer, int n)
{
    std::string text = header + "\n" + std::to_string(n) + "\n";
    for (int i = 0; i < n; ++i)
    {
        text += "l" + std::to_string(i) + " -1 " + layer + "\n";
    }
    return text;
}

/// Choose a number of ranks.
inline ns3::aidc::LayerWorkloadSettings
WithRanks(uint32_t nRanks)
{
    ns3::aidc::LayerWorkloadSettings settings;
    settings.nRanks = nRanks;
    return settings;
}

} // namespace aidctest

#endif // AIDC_LAYER_TEXTS_H
