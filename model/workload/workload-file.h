/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WORKLOAD_FILE_H
#define AIDC_WORKLOAD_FILE_H

#include "../core/workload/chakra-trace.h"
#include "../core/workload/layer-workload.h"

#include "ns3/workload-plan.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// What a file with a workload is.
enum class WorkloadFileKind : uint8_t
{
    TRAINING_STEP, //!< JSON of ReadTrainingStepFile()
    CHAKRA,        //!< traces of MLCommons Chakra
    LAYERS         //!< a text of SimAI or of ASTRA-sim 1.0
};

/**
 * @ingroup aidc
 * @brief How a workload is read whose file does not tell all.
 *
 * A training step tells all: it takes the number of ranks only, which must be its own or 0.
 */
struct WorkloadFileSettings : LayerWorkloadSettings, ChakraTraceSettings
{
};

/// @ingroup aidc
/// Tell what a workload is.
///
/// A folder, the name of traces without rank and extension, and a trace are CHAKRA; JSON otherwise
/// is TRAINING_STEP; and any other file is LAYERS.
/// @param path the path
/// @return what it is
/// @throws AidcInputError if it cannot be opened
WorkloadFileKind RecognizeWorkloadFile(const std::string& path);

/// @ingroup aidc
/// Read a workload of any of these kinds, which may be gzip-compressed.
///
/// What a simulator of the format would leave out is told in notes to the user.
/// @param path the path of a file; of traces, a path of ReadChakraFiles()
/// @param settings how it is read
/// @return the programs of all ranks
/// @throws AidcInputError if the file is no workload
/// @throws std::runtime_error that names the file, if its parts do not fit together
WorkloadPlan ReadWorkloadFile(const std::string& path,
                              const WorkloadFileSettings& settings = WorkloadFileSettings());

} // namespace ns3::aidc

#endif // AIDC_WORKLOAD_FILE_H
