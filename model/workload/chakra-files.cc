/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-files.h"

#include "../core/workload/chakra-trace.h"
#include "aidc-input-error.h"
#include "json-object-reader.h"
#include "workload-file-reader.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// Get the name of a rank's file.
/// @param name the files' name
/// @param rank the rank
/// @return the path
std::string
GetPath(const std::string& name, uint32_t rank)
{
    return name + "." + std::to_string(rank) + ".et";
}

/// @param path the path of the file
/// @return the trace
ChakraTrace
ReadTrace(const std::string& path)
{
    auto stream = WorkloadFileReader::Open(path);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad())
    {
        throw AidcInputError(path, 0, "a file that can be read", "read error");
    }
    try
    {
        return DecodeChakraTrace(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(path + ": " + error.what());
    }
}

} // namespace

WorkloadPlan
ReadChakraFiles(const std::string& name, uint32_t nRanks, const ChakraSettings& settings)
{
    if (nRanks == 0 || nRanks > WorkloadPlan::MAX_RANKS)
    {
        throw AidcInputError("number of ranks",
                             0,
                             "a number from 1 to " + std::to_string(WorkloadPlan::MAX_RANKS),
                             std::to_string(nRanks));
    }
    std::vector<ChakraTrace> traces;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        traces.push_back(ReadTrace(GetPath(name, rank)));
    }
    try
    {
        return MakeChakraPlan(traces, settings);
    }
    catch (const ChakraError& error)
    {
        throw std::runtime_error(GetPath(name, error.GetRank()) + ": " + error.what());
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(name + ".*.et: " + error.what());
    }
}

std::map<std::string, std::vector<uint32_t>>
ReadProcessGroupFile(const std::string& path)
{
    auto stream = WorkloadFileReader::Open(path);
    return ParseProcessGroupFile(stream, path);
}

std::map<std::string, std::vector<uint32_t>>
ParseProcessGroupFile(std::istream& stream, const std::string& name)
{
    const JsonValue value = ParseJson(stream, name);
    JsonObjectReader reader(name, value, "process groups");
    std::map<std::string, std::vector<uint32_t>> groups;
    for (const std::string& key : value.keys)
    {
        auto& ranks = groups[key];
        for (const JsonValue& rank : reader.GetArray(key, "a list of ranks in brackets"))
        {
            ranks.push_back(static_cast<uint32_t>(
                reader.ToUnsigned(rank, 0, WorkloadPlan::MAX_RANKS - 1, "a rank")));
        }
    }
    return groups;
}

} // namespace ns3::aidc
