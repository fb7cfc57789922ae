/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-data-file.h"

#include "ns3/aidc-input-error.h"
#include "ns3/workload-file-reader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// @param path the path
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
/// @param name the name asked for
/// @param paths the paths to try
/// @return the path
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

/// Add the path below a folder of the module's source, where that is known.
/// @param paths the paths
/// @param folder the folder, with a slash at its end
/// @param name the name below the folder
void
AddSourcePath([[maybe_unused]] std::vector<std::string>& paths,
              [[maybe_unused]] const std::string& folder,
              [[maybe_unused]] const std::string& name)
{
#ifdef AIDC_SOURCE_DIR
    paths.push_back(std::string(AIDC_SOURCE_DIR) + "/" + folder + name);
#endif
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
        AddSourcePath(paths, "examples/data/", name);
    }
    return FindFirst(name, paths);
}

std::string
FindExampleFile(const std::string& name)
{
    std::vector<std::string> paths{name};
    AddSourcePath(paths, "examples/", name);
    return FindFirst(name, paths);
}

} // namespace ns3::aidc
