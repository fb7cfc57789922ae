/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-jobs.h"

#include "job-messages.h"

#include "ns3/interrupt-message.h"

#include <algorithm>
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
    // Ctrl-C is for the parent, which says what becomes of the results. So is its handler of other
    // signals, which removes them.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#else
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
        std::signal(signal, SIG_DFL);
    }
#endif
    InterruptMessage::SetFolder(""); // which is the parent's to remove
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
        const auto result = work(
            [messages](const auto& text) { SendJobMessage(messages, {JobMessage::REPORT, text}); });
        FlushAll();
        SendJobMessage(messages, {JobMessage::RESULT, result});
    }
    catch (const std::exception& error)
    {
        FlushAll();
        SendJobMessage(messages, {JobMessage::ERROR, error.what()});
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
            Start(tasks, tasks.order.empty() ? begun : tasks.order.at(begun));
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
    JobPipe messages;
    JobPipe output;
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
    while (const auto message = TakeJobMessage(process.received))
    {
        if (message->kind == JobMessage::REPORT)
        {
            tasks.notifyReport(process.task, message->text);
        }
        else
        {
            process.isDone = message->kind == JobMessage::RESULT;
            (process.isDone ? process.result : process.error) = message->text;
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
