/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FATAL_ERRORS_H
#define AIDC_FATAL_ERRORS_H

#include <stdexcept>

/**
 * @file
 * @ingroup aidc
 * ns-3's fatal errors as exceptions, for Python alone, whose interpreter they would end. The
 * library aidc-python has it.
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

} // namespace ns3::aidc

#endif // AIDC_FATAL_ERRORS_H
