/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_STARTER_H
#define AIDC_RANK_STARTER_H

#include "job-messages.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Starts the ranks of a parallel simulation on this machine, by mpirun, and watches them.
 *
 * Ranks are processes of this program with the same arguments. Each one tells over a socket when it
 * is done, or why it cannot go on (StartedRank). When one fails or ends silently, all are
 * ended. Signals that end this process wait until the ranks have ended.
 */
class RankStarter
{
  public:
    /// @param n the number of ranks
    /// @param arguments the program, as it was called, and its arguments
    RankStarter(uint32_t n, const std::vector<std::string>& arguments);

    /// Destructor. Ends the ranks that are left.
    ~RankStarter();

    RankStarter(const RankStarter&) = delete;
    RankStarter& operator=(const RankStarter&) = delete;

    /// Start the ranks, and wait until all are done.
    /// @param tidy removes results that are not whole, if the rank that writes them has not done so
    /// @return false if its gnuplot has failed
    /// @throws std::runtime_error if they cannot be started; if one fails, with its number and the
    ///         cause
    bool Run(const std::function<void()>& tidy);

  private:
    /// The clock of deadlines
    using Clock = std::chrono::steady_clock;

    /// A connection to a rank
    struct Rank
    {
        int end{-1};          //!< the connection; -1 when it has ended
        std::string received; //!< bytes of a message that has not come whole
        uint32_t number{0};   //!< its rank
        pid_t pid{0};         //!< its process; 0 before it has told
        bool hasEnded{false}; //!< whether it has told how it ends
        bool isReady{false};  //!< whether it asks if results may appear
    };

    /// Why a rank has failed
    struct Cause
    {
        uint32_t rank{0};          //!< the rank
        std::string text;          //!< the cause
        bool isError{false};       //!< whether it is the text of an error
        bool isConsequence{false}; //!< whether it may come of another rank's end
    };

    /// Start mpirun.
    /// @throws std::runtime_error if there is none
    void Start();

    /// Become mpirun, in a process of its own. @param launcher its path
    [[noreturn]] void Become(const std::string& launcher);

    /// Wait for a moment until ranks tell something, and take it.
    void Listen();

    /// Take a new connection.
    void Accept();

    /// Take what a rank tells. @param rank the rank
    void Take(Rank& rank);

    /// Take a message of a rank. @param rank the rank @param message the message
    void TakeMessage(Rank& rank, const JobMessage& message);

    /// Let results appear, if the rank that writes them asks and all others are there.
    void Commit();

    /// Take that a signal ends a rank. @param rank the rank @param signal its number
    void TakeSignal(const Rank& rank, int signal);

    /// A rank has failed: have the others leave.
    /// @param rank the rank
    /// @param cause why
    void Blame(const Rank& rank, const Cause& cause);

    /// Have all ranks stop, within a time.
    void HaveAllLeave();

    /// Look whether mpirun has ended.
    void CheckLauncher();

    /// @return whether nothing is to be waited for
    bool IsOver() const;

    /// End all processes that are left.
    void End();

    /// Remove the socket.
    void Unlink();

    /// @return whether the rank that writes results has left no results that are not whole
    bool HasTidied() const;

    /// @return why the ranks have not done their work
    std::string Describe() const;

    uint32_t m_n;                                //!< the number of ranks
    std::vector<std::string> m_arguments;        //!< the program and its arguments
    std::string m_folder;                        //!< the folder of the socket
    int m_listener{-1};                          //!< takes connections
    int m_output{-1};                            //!< what mpirun prints
    std::string m_said;                          //!< what it has printed
    pid_t m_launcher{-1};                        //!< its process; -1 if it is not there
    int m_status{0};                             //!< how it has ended
    std::vector<Rank> m_ranks;                   //!< connections, in their order
    std::vector<Cause> m_causes;                 //!< why ranks have failed, the first one first
    std::optional<Clock::time_point> m_deadline; //!< when those that are left are ended
    bool m_isCommitted{false};                   //!< whether results may have appeared
    bool m_isDone{false};                        //!< whether the first rank is done
    bool m_hasFigures{true};                     //!< false if its gnuplot has failed
};

} // namespace ns3::aidc

#endif // AIDC_RANK_STARTER_H
