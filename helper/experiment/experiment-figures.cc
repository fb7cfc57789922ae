/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-figures.h"

#include "ns3/result-file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include(<sys/wait.h>)
#define AIDC_HAS_FORK
#include <fcntl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace ns3::aidc
{

namespace
{

/// The name of the script's copy in the folder of results
constexpr const char* COPY_NAME = "figures.gp";

/// The last line of a text that is not blank.
///
/// After an error gnuplot first shows the place, and in this line says what is wrong.
/// @param text the text
/// @return the line, without the blanks around it
std::string
LastLine(const std::string& text)
{
    constexpr const char* BLANKS = " \t\r\n";
    const auto last = text.find_last_not_of(BLANKS);
    if (last == std::string::npos)
    {
        return "it gave no reason";
    }
    const auto end = text.find_last_of('\n', last);
    const auto first = text.find_first_not_of(BLANKS, end == std::string::npos ? 0 : end);
    return text.substr(first, last - first + 1);
}

/// Run gnuplot on the script's copy, in the folder of results.
/// @param resultsDir the folder
/// @param output all that gnuplot printed
/// @return how the run ended
FigureOutcome
RunGnuplot(const std::string& resultsDir, std::string& output)
{
#ifdef AIDC_HAS_FORK
    // The exit codes that shells use for the same
    constexpr int CANNOT_ENTER = 126;
    constexpr int NOT_FOUND = 127;

    int ends[2];
    if (pipe(ends) != 0)
    {
        output = "no pipe";
        return FigureOutcome::FAILED;
    }
    const auto child = fork();
    if (child < 0)
    {
        close(ends[0]);
        close(ends[1]);
        output = "no process";
        return FigureOutcome::FAILED;
    }
    if (child == 0)
    {
        // Only calls that are safe after a fork: the simulator may have threads (MPI)
        const auto null = open("/dev/null", O_RDONLY);
        if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(ends[1], STDOUT_FILENO) < 0 ||
            dup2(ends[1], STDERR_FILENO) < 0 || chdir(resultsDir.c_str()) != 0)
        {
            _exit(CANNOT_ENTER);
        }
        close(ends[0]);
        close(ends[1]);
        // -d: the user's own settings would change the figures
        execlp("gnuplot", "gnuplot", "-d", COPY_NAME, static_cast<char*>(nullptr));
        _exit(errno == ENOENT ? NOT_FOUND : CANNOT_ENTER);
    }

    close(ends[1]);
    char buffer[4096];
    ssize_t size;
    while ((size = read(ends[0], buffer, sizeof(buffer))) > 0 || (size < 0 && errno == EINTR))
    {
        if (size > 0)
        {
            output.append(buffer, static_cast<std::string::size_type>(size));
        }
    }
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (WIFSIGNALED(status))
    {
        // It had no time to say why
        output += "\nit was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                  strsignal(WTERMSIG(status)) + ")";
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
    {
        return FigureOutcome::MISSING;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? FigureOutcome::DRAWN
                                                         : FigureOutcome::FAILED;
#else
    output = "processes are not started on this system; run it by hand in " + resultsDir;
    return FigureOutcome::FAILED;
#endif
}

/// Select what a script has to tell of what gnuplot prints when it succeeds.
/// @param output what it prints
/// @return the lines but for gnuplot's own warnings, such as of a metric that is 0 everywhere,
/// about
///         which a user can do nothing
std::string
SelectNotes(const std::string& output)
{
    std::istringstream lines(output);
    std::string notes;
    for (std::string line; std::getline(lines, line);)
    {
        if (line.find("arning: ") == std::string::npos)
        {
            notes += line + '\n';
        }
    }
    return notes;
}

/// Check that the figures of a folder are whole.
///
/// gnuplot reports no error where the disk is full.
/// @param folder the folder
/// @throws std::runtime_error if a figure is not, with its name
void
CheckFigures(const std::string& folder)
{
    constexpr std::size_t TAIL = 16; // bytes in which each format ends with its mark
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const auto& path = entry.path();
        const bool isPng = path.extension() == ".png";
        if (!isPng && path.extension() != ".svg")
        {
            continue;
        }
        std::ifstream in(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto tail = text.size() < TAIL ? text : text.substr(text.size() - TAIL);
        if (tail.find(isPng ? "IEND" : "</svg>") == std::string::npos)
        {
            throw std::runtime_error("cannot write " + path.string() +
                                     ": gnuplot has written a part of it (is the disk full?)");
        }
    }
}

} // namespace

FigureOutcome
DrawFigures(const std::string& scriptPath, const std::string& resultsDir, std::ostream& log)
{
    // Read before writing, as the script may be the copy itself
    std::ostringstream script;
    {
        std::ifstream in(scriptPath, std::ios::binary);
        if (!in || !(script << in.rdbuf()))
        {
            log << "No figures: cannot read " << scriptPath << "\n";
            return FigureOutcome::FAILED;
        }
    }
    ResultFile copy(resultsDir + "/" + COPY_NAME, "");
    copy << script.str();
    copy.Close();

    std::string output;
    const auto outcome = RunGnuplot(resultsDir, output);
    switch (outcome)
    {
    case FigureOutcome::DRAWN:
        CheckFigures(resultsDir);
        log << SelectNotes(output) << "Figures drawn by " << COPY_NAME << "\n";
        break;
    case FigureOutcome::MISSING:
        log << "No figures: gnuplot is not installed; once it is, run 'gnuplot " << COPY_NAME
            << "' in the folder of the results\n";
        break;
    case FigureOutcome::FAILED:
        log << "No figures: gnuplot failed on " << COPY_NAME << ": " << LastLine(output) << "\n";
        break;
    }
    return outcome;
}

} // namespace ns3::aidc
