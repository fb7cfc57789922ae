/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_STARTED_RANK_H
#define AIDC_STARTED_RANK_H

#include <future>
#include <string>

namespace ns3::aidc
{

/// The variable of the environment that names the socket of RankStarter.
inline constexpr const char* RANK_STARTER = "AIDC_RANK_STARTER";

/**
 * @ingroup aidc
 * @brief What a rank tells the process that has started it (RankStarter).
 *
 * The rank prints to the streams of that process, whose terminal it so has, and it ends with it. In
 * a process that was not started so, nothing has an effect.
 */
class StartedRank
{
  public:
    /// Get the object of this process; the first call tells the other process that the rank is
    /// there.
    /// @return the object
    static StartedRank& Get();

    StartedRank(const StartedRank&) = delete;
    StartedRank& operator=(const StartedRank&) = delete;

    /// @return whether a RankStarter has started this process
    bool IsStarted() const
    {
        return m_end >= 0;
    }

    /// Tell why this rank cannot go on.
    /// @param text the error
    void Fail(const std::string& text);

    /// Tell that this rank has stopped because another one has failed.
    void Leave();

    /// Wait until the other process knows that results may appear: no rank that ends from now on
    /// is an error. It is for the rank that writes them.
    void AwaitCommit();

    /// Tell that the work of this rank is done.
    /// @param hasFigures false if gnuplot has failed
    void Finish(bool hasFigures);

  private:
    /// Constructor. Connects, if the environment names a socket.
    StartedRank();

    /// @param path the path of a socket
    /// @return the descriptor of a connection to it, -1 if there is none
    static int Connect(const std::string& path);

    /// Wait for messages of the other process until it ends, and then end this one.
    void Watch();

    int m_end{-1};                  //!< the connection; -1 if there is none
    std::promise<void> m_mayCommit; //!< set when results may appear
};

} // namespace ns3::aidc

#endif // AIDC_STARTED_RANK_H
