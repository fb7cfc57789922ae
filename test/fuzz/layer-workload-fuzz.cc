// SPDX-License-Identifier: GPL-2.0-only

// Any text as a workload of SimAI or of ASTRA-sim: it is refused with a line, or it has the layers
// that it announces; and what is understood is executed by all ranks alike or refused.

#include "fuzz-require.h"
#include "model/core/workload/layer-workload-plan.h"
#include "model/core/workload/layer-workload.h"
#include "model/core/workload/text-reader.h"

#include <stdexcept>

namespace
{

/// A workload with more ranks or layers takes too long here.
constexpr uint32_t MOST_RANKS = 32;
/// The same for layers, which checkpoints compute again and again.
constexpr std::size_t MOST_LAYERS = 16;

/// Returns what its rank computes, in nanoseconds, modulo 2^64.
uint64_t
GetComputation(const RankProgram& program)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        const RankOperation& operation = program.Get(i);
        sum += operation.kind == RankOperationKind::COMPUTE ? operation.amount : 0;
    }
    return sum;
}

/// Read a text with some settings, and execute it.
void
Run(const std::string& text, const LayerWorkloadSettings& settings)
{
    LayerWorkload workload;
    try
    {
        workload = ParseLayerWorkload(text, settings);
    }
    catch (const TextError& error)
    {
        Require(error.GetLine() >= 1 && error.GetLine() <= text.size() + 2, "a refusal has a line");
        Require(!error.GetExpected().empty(), "a refusal says why");
        return;
    }
    Require(!workload.layers.empty(), "there are layers");
    Require(24 * workload.layers.size() <= text.size(), "a layer has 12 words at least");
    Require(workload.nRanks % (uint64_t{workload.tp} * workload.pp) == 0, "sizes fit together");
    if (workload.nRanks > MOST_RANKS || workload.layers.size() > MOST_LAYERS)
    {
        return;
    }
    try
    {
        const WorkloadPlan plan = MakeLayerWorkloadPlan(workload, settings);
        Require(plan.GetNRanks() == workload.nRanks, "all ranks have a program");
        for (uint32_t rank = 1; rank < plan.GetNRanks(); ++rank)
        {
            Require(GetComputation(plan.GetProgram(rank)) == GetComputation(plan.GetProgram(0)),
                    "all ranks compute the same");
        }
    }
    catch (const std::invalid_argument& error)
    {
        Require(!std::string(error.what()).empty(), "a refusal says why");
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    LayerWorkloadSettings settings;
    settings.nPasses = 2;
    settings.allLayers = size % 2 == 0;
    Run(text, settings); // the file tells the number of ranks
    settings.nRanks = 8;
    settings.nNeighbors = 2;
    settings.ignoresUnknown = true;
    Run(text, settings);
    return 0;
}
