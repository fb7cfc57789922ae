/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INTERRUPT_MESSAGE_H
#define AIDC_INTERRUPT_MESSAGE_H

#include <array>
#include <csignal>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief While it exists, signals that end the program (Ctrl-C, SIGTERM, SIGHUP) do so with a line
 *        of text and an exit status of 128 and their number.
 *
 * There is at most one at a time. SIGTERM and SIGHUP keep a handler that they have, and stay
 * ignored where they are. A handler of Python would run only when C++ returns. The library
 * aidc-python has it.
 */
class InterruptMessage
{
  public:
    /// @param text the line, of which up to 1000 bytes are shown
    explicit InterruptMessage(const std::string& text);

    /// Destructor. Restores the former effects of the signals.
    ~InterruptMessage();

    InterruptMessage(const InterruptMessage&) = delete;
    InterruptMessage& operator=(const InterruptMessage&) = delete;

  private:
    /// The signals.
    static constexpr std::array<int, 3> SIGNALS{SIGINT, SIGTERM, SIGHUP};

    std::array<struct sigaction, SIGNALS.size()> m_before; //!< their former effects
};

} // namespace ns3::aidc

#endif // AIDC_INTERRUPT_MESSAGE_H
