// SPDX-License-Identifier: GPL-2.0-only

#include "workload-file.h"

#include "../core/workload/chakra-json.h"
#include "../core/workload/chakra-plan.h"
#include "../core/workload/layer-workload-plan.h"
#include "../core/workload/text-reader.h"
#include "aidc-input-error.h"
#include "json-object-reader.h"
#include "training-step-file.h"
#include "workload-file-reader.h"

#include "ns3/warning.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace ns3::aidc
{

namespace
{

namespace fs = std::filesystem;

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Call a function that reads a file, whose path is added to its errors. @return what it returns
template <typename F>
auto
CallForFile(const std::string& path, F function)
{
    try
    {
        return function();
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

/// Ends of names of traces; the longest that fits counts.
constexpr std::array<const char*, 4> EXTENSIONS{".et.gz", ".json.gz", ".et", ".json"};

/// The traces of a name.
struct ChakraFiles
{
    std::string name;      //!< the path without rank and extension
    std::string extension; //!< the extension
    uint32_t nRanks{0};    //!< one more than the last rank
    uint32_t nFiles{0};    //!< how many files there are

    /// @return whether the only file's number is no rank's, without rank 0: 1.0.2-chakra.0.0.4.json
    bool IsAlone() const
    {
        return nFiles == 1 && nRanks > 1;
    }

    std::string GetPath(uint32_t rank) const
    {
        return name + "." + std::to_string(IsAlone() ? nRanks - 1 : rank) + extension;
    }
};

/// @return the trace of a path, with one rank more than the path's; else no extension
ChakraFiles
ParsePath(const std::string& path)
{
    for (const std::string extension : EXTENSIONS)
    {
        if (!EndsWith(path, extension))
        {
            continue;
        }
        const std::string stem = path.substr(0, path.size() - extension.size());
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

/// @return the traces with ranks, or all if there are none
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

/// Find the traces that a user means. There must be traces of exactly one name.
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
    return CallForFile(path, [&bytes, isJson] {
        return isJson ? DecodeChakraJson(bytes)
                      : DecodeChakraTrace(reinterpret_cast<const uint8_t*>(bytes.data()),
                                          bytes.size());
    });
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

namespace
{

/// Read a text of SimAI or of ASTRA-sim 1.0. @return the programs of all ranks
WorkloadPlan
ReadLayers(const std::string& path, const LayerWorkloadSettings& settings)
{
    std::string text = ReadPackedFile(path);
    WorkloadFileReader::SkipByteOrderMark(text);
    return CallForFile(path, [&] {
        const LayerWorkload workload = ParseLayerWorkload(text, settings);
        for (const auto& note : workload.notes)
        {
            PrintUserLine("note: " + path + ": " + note);
        }
        return MakeLayerWorkloadPlan(workload, settings);
    });
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
    if (EndsWith(path, ".et") || EndsWith(path, ".et.gz") || (!isFile && HasChakraFiles(path)))
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
