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
 * There is at most one at a time. The signals can remove a folder, too. SIGTERM and SIGHUP keep a
 * handler that they have, and stay ignored where they are.
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

    /// Have the signals remove a folder before the program ends.
    /// @param folder its path, of up to 4000 bytes; empty for none
    static void SetFolder(const std::string& folder);

    /// Remove that folder, if there is one.
    static void RemoveFolder();

  private:
    /// The signals.
    static constexpr std::array<int, 3> SIGNALS{SIGINT, SIGTERM, SIGHUP};

    std::array<struct sigaction, SIGNALS.size()> m_before; //!< their former effects
};

} // namespace ns3::aidc

#endif // AIDC_INTERRUPT_MESSAGE_H
