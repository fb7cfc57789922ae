/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_JOBS_H
#define AIDC_EXPERIMENT_JOBS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @return how many processors this process may use, at least 1
uint32_t CountProcessors();

/**
 * @ingroup aidc
 * @brief Does tasks in processes of their own, several at once, and takes their results in the
 * order of the tasks.
 *
 * Each task has a copy of this process as it is when the task begins (fork()). So what a task
 * changes in memory is seen by no other task, nor by this process. It ends with this process,
 * however that ends (on Linux).
 */
class ExperimentJobs
{
  public:
    /// Tells this process something of a task under way.
    using Report = std::function<void(const std::string&)>;

    /// What is done. Tasks have numbers, from 0.
    struct Tasks
    {
        std::size_t n{0}; //!< how many there are

        /// The numbers of all tasks in the order in which they begin; empty for their own order.
        std::vector<std::size_t> order;

        /// Get what a task is called in errors.
        std::function<std::string(std::size_t)> getName;

        /// Do a task, in a process of its own, and return its result. What it throws ends Run().
        std::function<std::string(std::size_t, const Report&)> work;

        std::function<void(std::size_t)> notifyBegin;                      //!< a task begins
        std::function<void(std::size_t, const std::string&)> notifyReport; //!< it has reported
        std::function<void(std::size_t)> notifyEnd;                        //!< it is done

        /// Take a result, in the order of the tasks, and what the task has printed.
        std::function<void(std::size_t, const std::string& result, const std::string& said)> take;
    };

    /// @param nAtOnce how many tasks are done at once, at least 1
    explicit ExperimentJobs(std::size_t nAtOnce);

    /// Destructor. Ends the processes that are left.
    ~ExperimentJobs();

    ExperimentJobs(const ExperimentJobs&) = delete;
    ExperimentJobs& operator=(const ExperimentJobs&) = delete;

    /// Do all tasks.
    /// @param tasks the tasks
    /// @throws std::runtime_error when the first of them throws, with the same message, or crashes
    ///         or is killed, with its name and how it has ended; the others are ended
    void Run(const Tasks& tasks);

  private:
    /// A process, and what was read from it
    struct Process
    {
        std::size_t task;     //!< the number of its task
        pid_t pid;            //!< its number
        int messages;         //!< end of the pipe of its messages; -1 when all is read
        int output;           //!< end of the pipe of what it prints; -1 when all is read
        std::string received; //!< bytes of a message that has not come whole
        std::string said;     //!< what it has printed
        std::string result;   //!< its result
        std::string error;    //!< the error that it has thrown
        bool isDone;          //!< whether its result is whole
    };

    /// Start the process of a task.
    /// @param tasks the tasks
    /// @param number the number of the task
    void Start(const Tasks& tasks, std::size_t number);

    /// Wait until processes tell something, and read it.
    /// @param tasks the tasks
    void Listen(const Tasks& tasks);

    /// Take the messages of a process that have come whole.
    /// @param tasks the tasks
    /// @param process the process
    static void TakeMessages(const Tasks& tasks, Process& process);

    /// Wait for a process that has told everything.
    /// @param tasks the tasks
    /// @param process the process
    /// @throws std::runtime_error if its task is not done
    static void Finish(const Tasks& tasks, const Process& process);

    /// End the processes that are left.
    void KillAll();

    std::size_t m_nAtOnce;                 //!< how many tasks are done at once
    std::vector<Process> m_processes;      //!< those under way
    std::map<std::size_t, Process> m_done; //!< those whose results wait for their turn
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_JOBS_H
