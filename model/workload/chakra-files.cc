/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-files.h"

#include "../core/workload/chakra-json.h"
#include "../core/workload/chakra-plan.h"
#include "../core/workload/text-reader.h"
#include "aidc-input-error.h"
#include "json-object-reader.h"
#include "packed-file.h"
#include "workload-file-reader.h"

#include "ns3/warning.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace ns3::aidc
{

namespace
{

namespace fs = std::filesystem;

/// Ends of names of traces; the longest that fits counts.
constexpr std::array<const char*, 4> EXTENSIONS{".et.gz", ".json.gz", ".et", ".json"};

/// The traces of a name.
struct ChakraFiles
{
    std::string name;      //!< the path without rank and extension
    std::string extension; //!< the extension
    uint32_t nRanks{0};    //!< one more than the last rank
    uint32_t nFiles{0};    //!< how many files there are

    /// @return whether the number in the only name is not that of a rank, as there would be a file
    ///         of rank 0; as in 1.0.2-chakra.0.0.4.json
    bool IsAlone() const
    {
        return nFiles == 1 && nRanks > 1;
    }

    /// @return the path of its file
    std::string GetPath(uint32_t rank) const
    {
        return name + "." + std::to_string(IsAlone() ? nRanks - 1 : rank) + extension;
    }
};

/// Take the path of a file apart. @return the trace, with one rank more than that of the path; no
/// extension if it is no such path
ChakraFiles
ParsePath(const std::string& path)
{
    for (const std::string extension : EXTENSIONS)
    {
        const std::size_t end = path.size() - extension.size();
        if (path.size() < extension.size() || path.compare(end, std::string::npos, extension) != 0)
        {
            continue;
        }
        const std::string stem = path.substr(0, end);
        const std::size_t dot = stem.rfind('.');
        uint64_t rank = 0;
        if (dot != std::string::npos && ParseUnsigned(stem.substr(dot + 1), rank) &&
            rank < WorkloadPlan::MAX_RANKS && stem.substr(dot + 1) == std::to_string(rank))
        {
            return {stem.substr(0, dot), extension, static_cast<uint32_t>(rank) + 1, 1};
        }
        break;
    }
    return {};
}

/// @return all traces in it, in the order of their names
std::vector<ChakraFiles>
FindInFolder(const fs::path& folder)
{
    std::map<std::string, ChakraFiles> found;
    std::error_code error;
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    {
        // Other JSON may be there, such as process groups, but not with a rank in its name
        const ChakraFiles parts = ParsePath((folder / i->path().filename()).string());
        if (!parts.extension.empty())
        {
            ChakraFiles& files = found[parts.name + "*" + parts.extension];
            const uint32_t nRanks = std::max(files.nRanks, parts.nRanks);
            const uint32_t nFiles = files.nFiles + 1;
            files = parts;
            files.nRanks = nRanks;
            files.nFiles = nFiles;
        }
    }
    std::vector<ChakraFiles> all;
    for (const auto& entry : found)
    {
        all.push_back(entry.second);
    }
    return all;
}

/// @return those with ranks, or all if there are none
std::vector<ChakraFiles>
PreferRanks(std::vector<ChakraFiles> found)
{
    const auto isAlone = [](const ChakraFiles& files) { return files.IsAlone(); };
    if (!std::all_of(found.begin(), found.end(), isAlone))
    {
        found.erase(std::remove_if(found.begin(), found.end(), isAlone), found.end());
    }
    return found;
}

/// Find the traces that a user means. @return the traces that there are
std::vector<ChakraFiles>
Find(const std::string& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
    {
        return PreferRanks(FindInFolder(path));
    }
    const ChakraFiles one = ParsePath(path);
    const bool isFile = !one.extension.empty() && fs::exists(path, ignored);
    const std::string name = isFile ? one.name : path;
    const fs::path folder = fs::path(name).parent_path();
    std::vector<ChakraFiles> found;
    for (const ChakraFiles& files : FindInFolder(folder.empty() ? fs::path(".") : folder))
    {
        if (fs::path(files.name).filename() == fs::path(name).filename() &&
            (isFile ? files.extension == one.extension : !files.IsAlone()))
        {
            found.push_back({name, files.extension, files.nRanks, files.nFiles});
        }
    }
    return found;
}

/// @return the name of rank 0's file, without its folder
std::string
GetFileName(const ChakraFiles& files)
{
    return fs::path(files.GetPath(0)).filename().string();
}

/// Find the traces that a user means, of which there must be those of one name.
ChakraFiles
RequireOne(const std::string& path)
{
    const auto found = Find(path);
    std::error_code ignored;
    if (found.empty() && !fs::is_directory(path, ignored))
    {
        return {path, ".et", 1, 1}; // whose error names the file
    }
    if (found.size() != 1)
    {
        throw AidcInputError(
            path,
            0,
            "traces of one name, such as NAME.0.et or NAME.0.json",
            found.empty() ? "none" : GetFileName(found[0]) + " and " + GetFileName(found[1]));
    }
    return found[0];
}

ChakraTrace
ReadTrace(const std::string& path, bool isJson)
{
    const std::string bytes = ReadPackedFile(path);
    try
    {
        if (isJson)
        {
            return DecodeChakraJson(bytes);
        }
        return DecodeChakraTrace(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
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

} // namespace

WorkloadPlan
ReadChakraFiles(const std::string& path, uint32_t nRanks, const ChakraSettings& settings)
{
    if (nRanks > WorkloadPlan::MAX_RANKS)
    {
        throw AidcInputError("number of ranks",
                             0,
                             "a number from 0 to " + std::to_string(WorkloadPlan::MAX_RANKS),
                             std::to_string(nRanks));
    }
    const ChakraFiles files = RequireOne(path);
    const bool isJson = files.extension.compare(0, 5, ".json") == 0;
    if (files.IsAlone())
    {
        if (nRanks > 1)
        {
            throw AidcInputError(path, 0, std::to_string(nRanks) + " files of ranks", "one");
        }
        PrintUserLine("note: " + path + ": read as the trace of the only rank, as there is no " +
                      fs::path(files.name + ".0" + files.extension).filename().string());
        nRanks = 1;
    }
    std::vector<ChakraTrace> traces;
    for (uint32_t rank = 0; rank < (nRanks != 0 ? nRanks : files.nRanks); ++rank)
    {
        traces.push_back(ReadTrace(files.GetPath(rank), isJson));
    }
    try
    {
        std::vector<std::string> notes;
        WorkloadPlan plan = MakeChakraPlan(traces, settings, &notes);
        for (const std::string& note : notes)
        {
            PrintUserLine("note: " + path + ": " + note);
        }
        return plan;
    }
    catch (const ChakraError& error)
    {
        throw std::runtime_error(files.GetPath(error.GetRank()) + ": " + error.what());
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(files.name + ".*" + files.extension + ": " + error.what());
    }
}

bool
HasChakraFiles(const std::string& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored) || !Find(path).empty();
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
