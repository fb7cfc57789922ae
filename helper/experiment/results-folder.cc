/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "results-folder.h"

#include "ns3/interrupt-message.h"
#include "ns3/result-file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace ns3::aidc
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* LOCK = ".lock";     //!< the file that a run locks
constexpr const char* FILES = ".results"; //!< the file that names the results of a folder

/// Read which files are results.
/// @param folder a folder of results
/// @return their names
std::set<std::string>
ReadNames(const fs::path& folder)
{
    std::set<std::string> names;
    std::ifstream file(folder / FILES);
    std::string name;
    while (std::getline(file, name))
    {
        // Nothing but names of this folder, whatever somebody has written there
        if (!name.empty() && fs::path(name).filename() == name)
        {
            names.insert(name);
        }
    }
    return names;
}

/// Read which experiment has written results.
/// @param folder a folder of results
/// @return its name; empty if there are none
std::string
ReadExperiment(const fs::path& folder)
{
    const std::regex entry("\\s*\"experiment\": \"([^\"]+)\",?");
    std::ifstream file(folder / "summary.json");
    std::string line;
    std::smatch match;
    while (std::getline(file, line))
    {
        if (std::regex_match(line, match, entry))
        {
            return match[1];
        }
    }
    return "";
}

} // namespace

ResultsFolder::ResultsFolder(const std::filesystem::path& folder, const std::string& experiment)
    : m_folder(fs::absolute(folder).lexically_normal())
{
    if (!m_folder.has_filename())
    {
        m_folder = m_folder.parent_path(); // without the slash at the end
    }
    if (!m_folder.has_filename())
    {
        throw std::runtime_error("expected a folder for results, not " + folder.string());
    }
    if (fs::exists(m_folder) && !fs::is_directory(m_folder))
    {
        throw std::runtime_error(m_folder.string() + " is no folder");
    }
    const auto other = experiment.empty() ? "" : ReadExperiment(m_folder);
    if (!other.empty() && other != experiment)
    {
        throw std::runtime_error(m_folder.string() + " has results of the experiment " + other +
                                 "; choose another folder with --out, or give --overwrite to "
                                 "replace them");
    }
    m_partial = m_folder;
    m_partial += ".partial";
    try
    {
        do
        {
            fs::create_directories(m_partial);
        } while (!Lock());
        InterruptMessage::SetFolder(m_partial.string());
        for (const auto& entry : fs::directory_iterator(m_partial))
        {
            if (entry.path().filename() != LOCK)
            {
                fs::remove_all(entry.path());
            }
        }
    }
    catch (const fs::filesystem_error& error)
    {
        throw std::runtime_error("cannot write to " + m_partial.string() + ": " +
                                 error.code().message());
    }
}

ResultsFolder::~ResultsFolder()
{
    InterruptMessage::SetFolder("");
    std::error_code ignored;
    if (m_lock >= 0 && !m_isKept)
    {
        fs::remove_all(m_partial, ignored);
    }
    else if (m_lock >= 0)
    {
        fs::remove(m_partial / LOCK, ignored);
    }
    Unlock();
}

void
ResultsFolder::RemovePartial(const std::filesystem::path& folder)
{
    // A process that was killed just now may still have the lock for a moment.
    constexpr int MAX_ATTEMPTS = 20;
    constexpr auto PAUSE = std::chrono::milliseconds(100);
    auto partial = fs::absolute(folder).lexically_normal();
    partial = partial.has_filename() ? partial : partial.parent_path();
    partial += ".partial";
    for (int i = 0; i < MAX_ATTEMPTS && fs::exists(partial); ++i)
    {
        try
        {
            const ResultsFolder own(folder); // removes it at its end
            return;
        }
        catch (const std::exception&)
        {
            std::this_thread::sleep_for(PAUSE);
        }
    }
}

void
ResultsFolder::Commit()
{
    try
    {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(m_partial))
        {
            if (entry.path().filename() != LOCK)
            {
                names.insert(entry.path().filename().string());
            }
        }
        ResultFile list((m_partial / FILES).string(), "");
        for (const auto& name : names)
        {
            list << name << '\n';
        }
        list.Close();
        m_isKept = true; // until all is moved
        InterruptMessage::SetFolder("");
        if (!fs::exists(m_folder))
        {
            fs::rename(m_partial, m_folder);
            fs::remove(m_folder / LOCK);
            m_isKept = false;
            return;
        }
        for (const auto& name : ReadNames(m_folder))
        {
            if (names.count(name) == 0)
            {
                fs::remove_all(m_folder / name);
            }
        }
        for (const auto& name : names)
        {
            fs::rename(m_partial / name, m_folder / name);
        }
        fs::rename(m_partial / FILES, m_folder / FILES);
        fs::remove_all(m_partial);
        m_isKept = false;
    }
    catch (const fs::filesystem_error& error)
    {
        throw std::runtime_error("cannot move results to " + m_folder.string() + ": " +
                                 error.code().message());
    }
}

bool
ResultsFolder::Lock()
{
    Unlock();
    const fs::path path = m_partial / LOCK;
    m_lock = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (m_lock < 0)
    {
        if (errno == ENOENT)
        {
            return false;
        }
        throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
    }
    if (flock(m_lock, LOCK_EX | LOCK_NB) != 0)
    {
        Unlock();
        throw std::runtime_error("another run writes its results to " + m_folder.string() +
                                 "; choose another folder with --out");
    }
    // The run before may have removed the folder between these two calls.
    struct stat opened{};
    struct stat named{};
    return fstat(m_lock, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino;
}

void
ResultsFolder::Unlock()
{
    if (m_lock >= 0)
    {
        close(m_lock);
        m_lock = -1;
    }
}

} // namespace ns3::aidc
