/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-file.h"

#include "../core/workload/layer-workload-plan.h"
#include "../core/workload/layer-workload.h"
#include "../core/workload/text-reader.h"
#include "aidc-input-error.h"
#include "chakra-files.h"
#include "packed-file.h"
#include "training-step-file.h"
#include "workload-file-reader.h"

#include "ns3/warning.h"

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace ns3::aidc
{

namespace
{

/// @return whether the path has it, with or without .gz
bool
EndsWith(const std::string& path, const std::string& end)
{
    for (const std::string& whole : {end, end + ".gz"})
    {
        if (path.size() >= whole.size() &&
            path.compare(path.size() - whole.size(), whole.size(), whole) == 0)
        {
            return true;
        }
    }
    return false;
}

/// Read a text of SimAI or of ASTRA-sim 1.0. @return the programs of all ranks
WorkloadPlan
ReadLayers(const std::string& path, const LayerWorkloadSettings& settings)
{
    std::string text = ReadPackedFile(path);
    WorkloadFileReader::SkipByteOrderMark(text);
    try
    {
        const LayerWorkload workload = ParseLayerWorkload(text, settings);
        for (const auto& note : workload.notes)
        {
            PrintUserLine("note: " + path + ": " + note);
        }
        return MakeLayerWorkloadPlan(workload, settings);
    }
    catch (const TextError& error)
    {
        throw AidcInputError(path, error.GetLine(), error.GetExpected(), error.GetFound());
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(path + ": " + error.what());
    }
}

/// Read a training step. nRanks: its number of ranks, or 0. @return the programs of all ranks
WorkloadPlan
ReadTrainingStep(const std::string& path, uint32_t nRanks, uint32_t nSteps)
{
    std::istringstream stream(ReadPackedFile(path));
    WorkloadPlan plan = ParseTrainingStepFile(stream, path, nSteps);
    if (nRanks != 0 && nRanks != plan.GetNRanks())
    {
        throw AidcInputError(path,
                             0,
                             std::to_string(nRanks) + " ranks, the number that was chosen",
                             std::to_string(plan.GetNRanks()));
    }
    return plan;
}

} // namespace

WorkloadFileKind
RecognizeWorkloadFile(const std::string& path)
{
    std::error_code ignored;
    const bool isFile = std::filesystem::is_regular_file(path, ignored);
    if (EndsWith(path, ".et") || (!isFile && HasChakraFiles(path)))
    {
        return WorkloadFileKind::CHAKRA;
    }
    const std::string text = ReadPackedFile(path);
    const std::size_t begin = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
    if (begin == std::string::npos || text[begin] != '{')
    {
        return WorkloadFileKind::LAYERS;
    }
    const bool isTrace = text.find("\"workload_graph\"") != std::string::npos ||
                         (HasChakraFiles(path) && text.find("\"training\"") == std::string::npos &&
                          text.find("\"operations\"") == std::string::npos);
    return isTrace ? WorkloadFileKind::CHAKRA : WorkloadFileKind::TRAINING_STEP;
}

WorkloadPlan
ReadWorkloadFile(const std::string& path, const WorkloadFileSettings& settings)
{
    switch (RecognizeWorkloadFile(path))
    {
    case WorkloadFileKind::CHAKRA: {
        if (!HasChakraFiles(path))
        {
            WorkloadFileReader::Open(path);
            throw AidcInputError(path,
                                 0,
                                 "a name with a rank, such as NAME.0.et or NAME.0.json",
                                 std::filesystem::path(path).filename().string());
        }
        ChakraSettings chakra;
        static_cast<CollectiveSettings&>(chakra) = settings;
        static_cast<ChakraTraceSettings&>(chakra) = settings;
        return ReadChakraFiles(path, settings.nRanks, chakra);
    }
    case WorkloadFileKind::TRAINING_STEP:
        return ReadTrainingStep(path, settings.nRanks, settings.nPasses);
    default:
        return ReadLayers(path, settings);
    }
}

} // namespace ns3::aidc
