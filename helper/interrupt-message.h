/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INTERRUPT_MESSAGE_H
#define AIDC_INTERRUPT_MESSAGE_H

#include <csignal>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief While it exists, Ctrl-C ends the program with a line of text and exit status 130.
 *
 * There is at most one at a time. Ctrl-C can remove a folder, too.
 */
class InterruptMessage
{
  public:
    /// @param text the line, of which up to 1000 bytes are shown
    explicit InterruptMessage(const std::string& text);

    /// Destructor. Restores the former effect of Ctrl-C.
    ~InterruptMessage();

    InterruptMessage(const InterruptMessage&) = delete;
    InterruptMessage& operator=(const InterruptMessage&) = delete;

    /// Have Ctrl-C remove a folder before the program ends.
    /// @param folder its path, of up to 4000 bytes; empty for none
    static void SetFolder(const std::string& folder);

  private:
    struct sigaction m_before; //!< the former effect of Ctrl-C
};

} // namespace ns3::aidc

#endif // AIDC_INTERRUPT_MESSAGE_H
