/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "uncaught-error.h"

#include "ns3/fatal-impl.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <streambuf>

namespace ns3::aidc
{

namespace
{

/// @return the name by which a user calls this program, without its folder
const char*
GetProgramName()
{
#if defined(__GLIBC__)
    return program_invocation_short_name;
#elif defined(__APPLE__) || defined(__FreeBSD__)
    return getprogname();
#else
    return "aidc";
#endif
}

/// End at once. What was printed before is not lost.
[[noreturn]] void
End()
{
    FatalImpl::FlushStreams();
    std::fflush(nullptr);
    std::_Exit(1); // no destructors, as something may throw again
}

/// Print what an uncaught exception says and end; return where there is none.
void
EndByException()
{
    const auto error = std::current_exception();
    if (!error)
    {
        return;
    }
    try
    {
        std::rethrow_exception(error);
    }
    catch (const std::exception& e)
    {
        std::cout.flush(); // before the line, where both go to one file
        std::cerr << GetProgramName() << ": " << e.what() << std::endl;
        End();
    }
    catch (...)
    {
        return;
    }
}

/// Whether ns-3 is about to end the program by a fatal error, whose message is printed
bool g_isFatal = false;

/// ns-3 flushes the streams that it knows before a fatal error ends the program. An exception that
/// is being handled then is not what ends it.
class FatalErrorNotice : public std::streambuf
{
  protected:
    int sync() override
    {
        g_isFatal = true;
        return 0;
    }
};

[[noreturn]] void HandleExceptions();

/// Have programs end by HandleExceptions().
/// @return what ended them before
std::terminate_handler
Install()
{
    // Never deleted, as a destructor at the end of the program may meet a fatal error, too.
    static auto* const stream = new std::ostream(new FatalErrorNotice);
    FatalImpl::RegisterStream(stream);
    return std::set_terminate(HandleExceptions);
}

/// What ended programs before this module was loaded
const std::terminate_handler g_before = Install();

/// A std::terminate_handler for exceptions alone.
void
HandleExceptions()
{
    if (!g_isFatal)
    {
        EndByException();
    }
    g_before();
    std::abort();
}

/// A std::terminate_handler for ns-3's fatal errors, too, which have printed their message.
void
HandleAll()
{
    if (!g_isFatal)
    {
        EndByException();
    }
    End();
}

} // namespace

void
EndOnFatalErrors()
{
    std::set_terminate(HandleAll);
}

} // namespace ns3::aidc
