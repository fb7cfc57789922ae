/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_HELD_SIGNALS_H
#define AIDC_HELD_SIGNALS_H

#include <csignal>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief While it exists, signals that end this process (Ctrl-C, SIGTERM, SIGHUP) wait, and a
 * broken pipe is an error of write().
 */
class HeldSignals
{
  public:
    HeldSignals();

    /// Destructor. Signals that wait have their effect.
    ~HeldSignals();

    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// @return whether one waits
    static bool IsPending();

    /// Forget those that wait.
    static void Drop();

  private:
    using Handler = void (*)(int); //!< the effect of a signal

    sigset_t m_before{};           //!< those that were held before
    Handler m_pipeBefore{SIG_DFL}; //!< the former effect of a broken pipe
};

} // namespace ns3::aidc

#endif // AIDC_HELD_SIGNALS_H
