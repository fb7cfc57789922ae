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

namespace ns3::aidc
{

namespace
{

/**
 * @brief Get how a user calls this program.
 * @return its name, without its folder
 */
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

[[noreturn]] void HandleExceptions();

/// What ended programs before this module was loaded
const std::terminate_handler g_before = std::set_terminate(HandleExceptions);

/// A std::terminate_handler for exceptions alone.
void
HandleExceptions()
{
    EndByException();
    g_before();
    std::abort();
}

/// A std::terminate_handler for ns-3's fatal errors, too, which have printed their message.
void
HandleAll()
{
    EndByException();
    End();
}

} // namespace

void
EndOnFatalErrors()
{
    std::set_terminate(HandleAll);
}

} // namespace ns3::aidc
