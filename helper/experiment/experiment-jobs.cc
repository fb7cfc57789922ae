/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-jobs.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3::aidc
{

namespace
{

constexpr char REPORT = 'p'; //!< a message that is a report
constexpr char RESULT = 'r'; //!< a message that is a result
constexpr char ERROR = 'e';  //!< a message that is the text of an error

/// Bytes of a message before its text: its kind and the size of its text
constexpr std::size_t HEADER = 1 + sizeof(uint64_t);

/// @param what what has failed
/// @throws std::runtime_error with that and the reason of the system
[[noreturn]] void
ThrowSystemError(const std::string& what)
{
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

/// The ends of a pipe, which are closed with it
class Pipe
{
  public:
    Pipe()
    {
        if (pipe(m_ends.data()) != 0)
        {
            ThrowSystemError("cannot make a pipe to a run");
        }
        for (const int end : m_ends)
        {
            fcntl(end, F_SETFD, FD_CLOEXEC);
        }
    }

    ~Pipe()
    {
        for (const int end : m_ends)
        {
            if (end >= 0)
            {
                close(end);
            }
        }
    }

    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    /// @return the end to write to
    int GetIn() const
    {
        return m_ends[1];
    }

    /// @return the end to read from, which the caller closes
    int TakeOut()
    {
        return std::exchange(m_ends[0], -1);
    }

  private:
    std::array<int, 2> m_ends{-1, -1}; //!< to read from, to write to
};

/// Send a message, or end this process if nobody listens.
/// @param end where to
/// @param kind what it is
/// @param text its text
void
Send(int end, char kind, const std::string& text)
{
    const uint64_t size = text.size();
    std::string message(HEADER, kind);
    std::memcpy(message.data() + 1, &size, sizeof(size));
    message += text;
    for (std::size_t sent = 0; sent < message.size();)
    {
        const auto n = write(end, message.data() + sent, message.size() - sent);
        if (n < 0 && errno != EINTR)
        {
            _exit(1);
        }
        sent += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
}

/// Write what streams hold back.
void
FlushAll()
{
    std::cout.flush();
    std::cerr.flush();
    std::clog.flush();
    std::fflush(nullptr);
}

/// Have this process end with the one that has started it.
/// @param parent the number of that
void
EndWith(pid_t parent)
{
#ifdef __linux__
    // Ctrl-C is for the parent, which says what becomes of the results.
    std::signal(SIGINT, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#else
    std::signal(SIGINT, SIG_DFL);
#endif
    if (getppid() != parent)
    {
        _exit(1); // it has ended meanwhile
    }
}

/// Do a task in this process, a copy of the one that listens. No error may leave this function:
/// what would handle it is of the other process.
/// @param work does the task
/// @param messages where messages go
/// @param output where what is printed goes
[[noreturn]] void
Work(const std::function<std::string(const ExperimentJobs::Report&)>& work,
     int messages,
     int output) noexcept
{
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    try
    {
        const auto result = work([messages](const auto& text) { Send(messages, REPORT, text); });
        FlushAll();
        Send(messages, RESULT, result);
    }
    catch (const std::exception& error)
    {
        FlushAll();
        Send(messages, ERROR, error.what());
    }
    _exit(0); // without destructors: files and locks are the other process's
}

/// @param status how a process has ended, of waitpid()
/// @return the same in words
std::string
DescribeEnd(int status)
{
    if (!WIFSIGNALED(status))
    {
        return "has ended with exit status " + std::to_string(WEXITSTATUS(status)) +
               " before it was done";
    }
    const int signal = WTERMSIG(status);
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")" +
           (signal == SIGKILL ? "; if memory was too small, a smaller --jobs needs less" : "");
}

/// Wait for a process.
/// @param pid its number
/// @return how it has ended
int
WaitFor(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    {
    }
    return status;
}

/// Read what there is.
/// @param [in,out] end the end of a pipe; closed, and -1 afterwards, if all is read
/// @param [in,out] text what is read is added to it
void
ReadSome(int& end, std::string& text)
{
    std::array<char, 65536> bytes;
    const auto n = read(end, bytes.data(), bytes.size());
    if (n > 0)
    {
        text.append(bytes.data(), static_cast<std::size_t>(n));
    }
    else if (n == 0 || errno != EINTR)
    {
        close(std::exchange(end, -1));
    }
}

} // namespace

uint32_t
CountProcessors()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

ExperimentJobs::ExperimentJobs(std::size_t nAtOnce)
    : m_nAtOnce(nAtOnce)
{
}

ExperimentJobs::~ExperimentJobs()
{
    KillAll();
}

void
ExperimentJobs::Run(const Tasks& tasks)
{
    std::size_t begun = 0;
    for (std::size_t taken = 0; taken < tasks.n;)
    {
        for (; begun < tasks.n && m_processes.size() < m_nAtOnce; ++begun)
        {
            Start(tasks, begun);
        }
        Listen(tasks);
        for (auto next = m_done.find(taken); next != m_done.end(); next = m_done.find(++taken))
        {
            tasks.take(taken, next->second.result, next->second.said);
            m_done.erase(next);
        }
    }
}

void
ExperimentJobs::Start(const Tasks& tasks, std::size_t number)
{
    Pipe messages;
    Pipe output;
    FlushAll(); // or both processes would write it
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
    {
        ThrowSystemError("cannot start a process for " + tasks.getName(number) +
                         "; a smaller --jobs needs fewer");
    }
    if (pid == 0)
    {
        EndWith(parent);
        Work([&](const Report& report) { return tasks.work(number, report); },
             messages.GetIn(),
             output.GetIn());
    }
    m_processes.push_back(
        {number, pid, messages.TakeOut(), output.TakeOut(), "", "", "", "", false});
    tasks.notifyBegin(number);
}

void
ExperimentJobs::Listen(const Tasks& tasks)
{
    std::vector<pollfd> ends;
    for (const auto& process : m_processes)
    {
        ends.push_back({process.messages, POLLIN, 0}); // -1 is left out
        ends.push_back({process.output, POLLIN, 0});
    }
    if (poll(ends.data(), ends.size(), -1) < 0)
    {
        if (errno == EINTR)
        {
            return;
        }
        ThrowSystemError("cannot listen to runs");
    }
    for (std::size_t i = 0; i < m_processes.size(); ++i)
    {
        auto& process = m_processes[i];
        if (ends[2 * i].revents != 0)
        {
            ReadSome(process.messages, process.received);
            TakeMessages(tasks, process);
        }
        if (ends[2 * i + 1].revents != 0)
        {
            ReadSome(process.output, process.said);
        }
    }
    for (auto process = m_processes.begin(); process != m_processes.end();)
    {
        if (process->messages >= 0 || process->output >= 0)
        {
            ++process;
            continue;
        }
        auto ended = std::move(*process);
        process = m_processes.erase(process);
        Finish(tasks, ended);
        m_done.emplace(ended.task, std::move(ended));
    }
}

void
ExperimentJobs::TakeMessages(const Tasks& tasks, Process& process)
{
    auto& bytes = process.received;
    uint64_t size = 0;
    while (bytes.size() >= HEADER)
    {
        std::memcpy(&size, bytes.data() + 1, sizeof(size));
        if (bytes.size() - HEADER < size)
        {
            return;
        }
        const char kind = bytes.front();
        const auto text = bytes.substr(HEADER, size);
        bytes.erase(0, HEADER + size);
        if (kind == REPORT)
        {
            tasks.notifyReport(process.task, text);
        }
        else
        {
            process.isDone = kind == RESULT;
            (kind == RESULT ? process.result : process.error) = text;
        }
    }
}

void
ExperimentJobs::Finish(const Tasks& tasks, const Process& process)
{
    const int status = WaitFor(process.pid);
    if (process.isDone)
    {
        tasks.notifyEnd(process.task);
        return;
    }
    std::cerr << process.said << std::flush;
    throw std::runtime_error(process.error.empty()
                                 ? tasks.getName(process.task) + " " + DescribeEnd(status)
                                 : process.error);
}

void
ExperimentJobs::KillAll()
{
    for (const auto& process : m_processes)
    {
        kill(process.pid, SIGKILL);
    }
    for (const auto& process : m_processes)
    {
        WaitFor(process.pid);
        for (const int end : {process.messages, process.output})
        {
            if (end >= 0)
            {
                close(end);
            }
        }
    }
    m_processes.clear();
}

} // namespace ns3::aidc
