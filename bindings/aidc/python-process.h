// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PYTHON_PROCESS_H
#define AIDC_PYTHON_PROCESS_H

#include <stdexcept>
#include <string>

/**
 * @file
 * @ingroup aidc
 * How a process of Python ends, whose interpreter ns-3's fatal errors and Ctrl-C would end
 * otherwise. The library aidc-python has it.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A fatal error of ns-3 (NS_FATAL_ERROR, NS_ABORT_MSG_IF, NS_ASSERT) as an exception. Its
 * text is ns-3's message, with file and line.
 */
class FatalError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// From now on, ns-3's fatal errors and assertions are exceptions (FatalError), and their messages
/// are not printed.
///
/// The simulation in which one occurs cannot go on: only Simulator::Destroy() may be called. Where
/// C++ lets no exception pass, as in destructors, the program ends with the message and exit
/// status 1. In Python, SIGABRT would print a backtrace of the interpreter, and end it.
void ThrowFatalErrors();

/// Run the simulation. Until it returns, signals that end the program (Ctrl-C, SIGTERM, SIGHUP) do
/// so with a line of text and an exit status of 128 and their number.
///
/// SIGTERM and SIGHUP keep a handler that they have, and stay ignored where they are. A handler of
/// Python would run only when C++ returns. @param text the line
void RunUntilInterrupt(const std::string& text);

} // namespace ns3::aidc

#endif // AIDC_PYTHON_PROCESS_H
