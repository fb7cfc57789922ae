// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WARNING_H
#define AIDC_WARNING_H

#include <sstream>
#include <string>

/// @file
/// What the module tells the user while a simulation runs, on the standard error stream.

namespace ns3::aidc
{

/// Print a line for the user. With several processes (MpiProcesses), the first one prints its lines
/// at once; lines that only others have told follow when the processes exchange them.
/// @param line the line, without the end of line
void PrintUserLine(const std::string& line);

/// Prints a line, without the end of line.
using UserLinePrinter = void (*)(const std::string& line);

/// Set what prints lines for the user.
/// @param printer prints them; null for the standard error stream
void SetUserLinePrinter(UserLinePrinter printer);

/// Tell the user something that is no warning, as a line that begins `aidc: `.
/// @tparam Parts types that a stream prints
/// @param parts the text, as one would write it to a stream
template <typename... Parts>
void
TellUser(const Parts&... parts)
{
    std::ostringstream line;
    line << "aidc: ";
    (line << ... << parts);
    PrintUserLine(line.str());
}

/// Warn the user: print a line that begins `aidc: warning: `.
/// @tparam Parts types that a stream prints
/// @param parts the text, as one would write it to a stream
template <typename... Parts>
void
Warn(const Parts&... parts)
{
    TellUser("warning: ", parts...);
}

/// Warn the user, unless this simulation has printed the same warning before.
///
/// A network has thousands of queues that are configured alike; one warning for all of them is
/// enough. What is configured in another way is another warning, so it has to say the values.
/// @param text the warning
void WarnOnce(const std::string& text);

/// Note that a timer has expired that sets itself again for ever, such as a sampler's.
///
/// ns-3 does not tell which other events are scheduled. So if only such timers have expired for 10
/// s of simulated time, a warning on the standard error stream, once a simulation, says that they
/// continue until Simulator::Stop(). Without that call the simulation would run for ever, silently.
void NoteEndlessTimer();

} // namespace ns3::aidc

#endif // AIDC_WARNING_H
