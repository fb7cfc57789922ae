// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-data-file.h"

#include "ns3/aidc-input-error.h"
#include "ns3/workload-file-reader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#if __has_include(<dlfcn.h>)
#define AIDC_HAS_DLADDR
#include <dlfcn.h>
#endif

namespace ns3::aidc
{

namespace
{

/// @return whether it is a file that can be read, which a folder is not
bool
IsReadable(const std::string& path)
{
    std::ifstream stream(path);
    if (!stream)
    {
        return false;
    }
    stream.peek();
    return !stream.bad();
}

/// Find the first path that can be opened.
std::string
FindFirst(const std::string& name, const std::vector<std::string>& paths)
{
    for (const auto& path : paths)
    {
        if (IsReadable(path))
        {
            return path;
        }
    }
    for (const auto& path : paths)
    {
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored))
        {
            WorkloadFileReader::Open(path); // says what is wrong with it
        }
    }
    std::string tried;
    for (const auto& path : paths)
    {
        tried += (tried.empty() ? "" : ", ") + path;
    }
    throw AidcInputError(name, 0, "a file that can be opened as " + tried, "none");
}

/// @return the folder of examples next to this library, of an installed package; empty if none
std::filesystem::path
FindInstalledExamples()
{
#ifdef AIDC_HAS_DLADDR
    Dl_info library;
    if (dladdr(reinterpret_cast<const void*>(&FindFirst), &library) && library.dli_fname)
    {
        std::error_code ignored;
        const auto path = std::filesystem::weakly_canonical(library.dli_fname, ignored);
        const auto folder = path.parent_path().parent_path() / "examples";
        if (std::filesystem::is_directory(folder / "data", ignored))
        {
            return folder;
        }
    }
#endif
    return {};
}

} // namespace

std::string
FindDataFile(const std::string& name)
{
    std::vector<std::string> paths{name};
    if (std::filesystem::path(name).is_relative())
    {
        if (const char* folder = std::getenv("AIDC_DATA"))
        {
            paths.push_back(std::string(folder) + "/" + name);
        }
        const auto installed = FindInstalledExamples();
        if (!installed.empty())
        {
            paths.push_back((installed / "data" / name).string());
        }
#ifdef AIDC_SOURCE_DIR
        paths.push_back(std::string(AIDC_SOURCE_DIR) + "/examples/data/" + name);
#endif
    }
    return FindFirst(name, paths);
}

} // namespace ns3::aidc
