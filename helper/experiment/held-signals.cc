/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "held-signals.h"

#include <algorithm>
#include <array>

namespace ns3::aidc
{

namespace
{

constexpr std::array<int, 3> SIGNALS{SIGINT, SIGTERM, SIGHUP}; //!< the signals

} // namespace

HeldSignals::HeldSignals()
{
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : SIGNALS)
    {
        sigaddset(&held, signal);
    }
    sigprocmask(SIG_BLOCK, &held, &m_before);
    m_pipeBefore = std::signal(SIGPIPE, SIG_IGN); // a process that has ended is no reason to end
}

HeldSignals::~HeldSignals()
{
    std::signal(SIGPIPE, m_pipeBefore);
    sigprocmask(SIG_SETMASK, &m_before, nullptr);
}

bool
HeldSignals::IsPending()
{
    sigset_t pending;
    sigpending(&pending);
    return std::any_of(SIGNALS.begin(), SIGNALS.end(), [&pending](int signal) {
        return sigismember(&pending, signal) == 1;
    });
}

void
HeldSignals::Drop()
{
    while (IsPending())
    {
        sigset_t pending;
        sigpending(&pending);
        int signal = 0;
        sigwait(&pending, &signal);
    }
}

} // namespace ns3::aidc
