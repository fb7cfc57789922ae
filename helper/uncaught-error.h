/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_UNCAUGHT_ERROR_H
#define AIDC_UNCAUGHT_ERROR_H

/**
 * @file
 * @ingroup aidc
 * How programs end after uncaught errors.
 *
 * This module reports wrong input by exceptions, which a simulation's main() seldom catches. A
 * program that is linked with this module ends after an uncaught exception with one line,
 * "PROGRAM: WHAT", and exit status 1, in place of SIGABRT. ns-3's own fatal errors do not change,
 * nor do programs with their own std::terminate_handler. A debugger stops at the exception by
 * "catch throw".
 */

namespace ns3::aidc
{

/// From now on, end the program with exit status 1 also after ns-3's fatal errors and assertions,
/// below their message.
///
/// In Python, SIGABRT would print a backtrace of the interpreter below the message.
void EndOnFatalErrors();

} // namespace ns3::aidc

#endif // AIDC_UNCAUGHT_ERROR_H
