/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interrupt-message.h"

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

/// Handles the signal.
extern "C" void
ShowInterruptMessage(int)
{
    constexpr int INTERRUPTED = 130; // as shells have it: 128 and the number of the signal
    const auto ignored = write(STDERR_FILENO, g_text.data(), g_size);
    static_cast<void>(ignored);
    _exit(INTERRUPTED);
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
    sigaction(SIGINT, &action, &m_before);
}

InterruptMessage::~InterruptMessage()
{
    sigaction(SIGINT, &m_before, nullptr);
}

} // namespace ns3::aidc
