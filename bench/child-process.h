// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CHILD_PROCESS_H
#define AIDC_CHILD_PROCESS_H

#include "ns3/abort.h"

#include <array>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/**
 * @file
 * @ingroup aidc
 * @brief Lets several simulations, of which a process can have one, take turns in one program.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A process that has a simulation and goes on with it when it is told to.
 */
class ChildProcess
{
  public:
    /// What the process reports of a turn; what the numbers mean is the benchmark's business.
    using Report = std::array<double, 4>;

    /**
     * @brief Start a process.
     * @tparam Make a callable without parameters; what it returns is one that returns a Report
     * @param make makes the simulation, in the new process
     */
    template <typename Make>
    explicit ChildProcess(Make&& make)
    {
        NS_ABORT_MSG_IF(socketpair(AF_UNIX, SOCK_STREAM, 0, m_sockets) != 0, "No socket pair");
        m_process = fork();
        NS_ABORT_MSG_IF(m_process < 0, "No process");
        close(m_sockets[m_process == 0 ? 0 : 1]);
        if (m_process == 0)
        {
            auto takeTurn = make();
            char go = 0;
            while (read(m_sockets[1], &go, 1) == 1)
            {
                const Report report = takeTurn();
                if (write(m_sockets[1], &report, sizeof(report)) != sizeof(report))
                {
                    break;
                }
            }
            std::_Exit(0);
        }
    }

    /// End the process.
    ~ChildProcess()
    {
        close(m_sockets[0]);
        waitpid(m_process, nullptr, 0);
    }

    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /**
     * @brief Let it take a turn.
     * @return what it reports
     */
    Report Run()
    {
        const char go = 1;
        Report report{};
        const bool isDone = write(m_sockets[0], &go, 1) == 1 &&
                            recv(m_sockets[0], &report, sizeof(report), MSG_WAITALL) ==
                                static_cast<ssize_t>(sizeof(report));
        NS_ABORT_MSG_UNLESS(isDone, "A simulation has failed");
        return report;
    }

  private:
    int m_sockets[2];  //!< the parent's end and the child's
    pid_t m_process{}; //!< the child
};

} // namespace ns3::aidc

#endif // AIDC_CHILD_PROCESS_H
