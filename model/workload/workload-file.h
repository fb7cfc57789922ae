// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WORKLOAD_FILE_H
#define AIDC_WORKLOAD_FILE_H

#include "../core/workload/chakra-trace.h"
#include "../core/workload/layer-workload.h"

#include "ns3/workload-plan.h"

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Read the traces of all ranks, and make their programs.
///
/// Traces are files NAME.RANK.et, in Chakra's binary format, or NAME.RANK.json, in the format of
/// Chakra's feeder. Files of both formats may be gzip-compressed, with or without .gz after the
/// name. A file that is the only one of its NAME is a trace of one rank, whatever number its name
/// ends with. What has no effect is told in notes to the user.
/// @param path NAME; the path of one of the files; or a folder with files of one NAME
/// @param nRanks the number of ranks; 0 for all ranks up to the last one that has a file
/// @param settings how the traces are executed
/// @return the programs
/// @throws AidcInputError if a file cannot be read
/// @throws std::runtime_error that names the file, and the node if it is about one, if a trace
///         cannot be executed, or the traces do not fit together
WorkloadPlan ReadChakraFiles(const std::string& path,
                             uint32_t nRanks,
                             const ChakraSettings& settings = ChakraSettings());

/// Tell whether traces can be read. path: as for ReadChakraFiles(). @return whether there is a file
/// of a trace, or a folder
bool HasChakraFiles(const std::string& path);

/// Read the ranks of process groups: a JSON object with a list of ranks for each pg_name, as `{"0":
/// [0, 1, 2, 3], "1": [0, 2]}`.
/// @return by pg_name, its ranks
/// @throws AidcInputError if the file is no such object
std::map<std::string, std::vector<uint32_t>> ReadProcessGroupFile(const std::string& path);

/// Read process groups from a stream, as ReadProcessGroupFile() does from a file. name: for errors.
std::map<std::string, std::vector<uint32_t>> ParseProcessGroupFile(std::istream& stream,
                                                                   const std::string& name);

/// What a file with a workload is.
enum class WorkloadFileKind : uint8_t
{
    TRAINING_STEP, //!< JSON of ReadTrainingStepFile()
    CHAKRA,        //!< traces of MLCommons Chakra
    LAYERS         //!< a text of SimAI or of ASTRA-sim 1.0
};

/// How a workload is read whose file does not tell all.
///
/// A training step tells all: it takes the number of ranks only, which must be its own or 0.
struct WorkloadFileSettings : LayerWorkloadSettings, ChakraTraceSettings
{
};

/// Tell what a workload is.
///
/// A folder, the name of traces without rank and extension, and a trace are CHAKRA; JSON otherwise
/// is TRAINING_STEP; and any other file is LAYERS.
/// @throws AidcInputError if it cannot be opened
WorkloadFileKind RecognizeWorkloadFile(const std::string& path);

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
