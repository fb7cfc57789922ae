/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aidc/interrupt-message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unistd.h>

namespace ns3::aidc
{

namespace
{

constexpr std::size_t MAX_TEXT = 1000; //!< bytes of the text at most

// A signal handler can only look at what is there already.
std::array<char, MAX_TEXT + 2> g_text; //!< the text, between two line breaks
std::size_t g_size{0};                 //!< its size in bytes

/// Handles a signal. @param signal its number
extern "C" void
ShowInterruptMessage(int signal)
{
    constexpr int INTERRUPTED = 128; // as shells have it, and the number of the signal
    const auto ignored = write(STDERR_FILENO, g_text.data(), g_size);
    static_cast<void>(ignored);
    _exit(INTERRUPTED + signal);
}

} // namespace

InterruptMessage::InterruptMessage(const std::string& text)
    : m_before{}
{
    const std::string lines = "\n" + text.substr(0, MAX_TEXT) + "\n";
    std::copy(lines.begin(), lines.end(), g_text.begin());
    g_size = lines.size();
    struct sigaction action{};
    action.sa_handler = ShowInterruptMessage;
    for (const int signal : SIGNALS)
    {
        sigaddset(&action.sa_mask, signal); // one is enough
    }
    for (std::size_t i = 0; i < SIGNALS.size(); ++i)
    {
        sigaction(SIGNALS[i], nullptr, &m_before[i]);
        // Others have a handler where somebody else watches this process, and none after nohup.
        if (SIGNALS[i] == SIGINT || m_before[i].sa_handler == SIG_DFL)
        {
            sigaction(SIGNALS[i], &action, nullptr);
        }
    }
}

InterruptMessage::~InterruptMessage()
{
    for (std::size_t i = 0; i < SIGNALS.size(); ++i)
    {
        sigaction(SIGNALS[i], &m_before[i], nullptr);
    }
}

} // namespace ns3::aidc
