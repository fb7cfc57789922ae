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
 * How programs end by errors that nobody catches.
 *
 * This module reports wrong input by exceptions, and a simulation's main() seldom catches any. From
 * its start on, a program that is linked with this module ends by such an exception with one line,
 * "PROGRAM: WHAT", and exit status 1, in place of SIGABRT. ns-3's own fatal errors, and programs
 * with a std::terminate_handler of their own, are left as they are. A debugger stops at the
 * exception by "catch throw".
 */

namespace ns3::aidc
{

/// From now on, have ns-3's fatal errors and assertions, too, end the program with exit status 1
/// after their message.
///
/// In Python, SIGABRT would print a backtrace of the interpreter below the message.
void EndOnFatalErrors();

} // namespace ns3::aidc

#endif // AIDC_UNCAUGHT_ERROR_H
