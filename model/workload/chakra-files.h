/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CHAKRA_FILES_H
#define AIDC_CHAKRA_FILES_H

#include "../core/workload/chakra-plan.h"

#include "ns3/workload-plan.h"

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// Read the traces of all ranks, and make their programs.
/// @param name the files' name, as in NAME.0.et, NAME.1.et...
/// @param nRanks the number of ranks, from 1 on
/// @param settings how the traces are executed
/// @return the programs
/// @throws AidcInputError if a file cannot be read
/// @throws std::runtime_error that names the file, and the node if it is about one, if a trace
///         cannot be executed, or the traces do not fit together
WorkloadPlan ReadChakraFiles(const std::string& name,
                             uint32_t nRanks,
                             const ChakraSettings& settings = ChakraSettings());

/// @ingroup aidc
/// Read the ranks of process groups: a JSON object with a list of ranks for each pg_name, as `{"0":
/// [0, 1, 2, 3], "1": [0, 2]}`.
/// @param path the path of the file
/// @return by pg_name, its ranks
/// @throws AidcInputError if the file is no such object
std::map<std::string, std::vector<uint32_t>> ReadProcessGroupFile(const std::string& path);

/// @ingroup aidc
/// Read process groups from a stream, as ReadProcessGroupFile() does from a file.
/// @param stream the text
/// @param name the name that errors give
/// @return by pg_name, its ranks
/// @throws AidcInputError if the text is no such object
std::map<std::string, std::vector<uint32_t>> ParseProcessGroupFile(std::istream& stream,
                                                                   const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_CHAKRA_FILES_H
