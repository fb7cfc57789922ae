// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * Comes before each file that is compiled together with others (cmake/standalone.cmake).
 *
 * Each file has a log component, and ns-3 calls all of them g_log. The name gets the number of the
 * file. The headers of ns-3 that have members of this name come first, and keep it.
 */

#ifndef AIDC_LOG_NAMES_H
#define AIDC_LOG_NAMES_H

#include "ns3/drop-tail-queue.h"
#include "ns3/net-device-queue-interface.h"

#define AIDC_JOIN_EXPANDED(a, b) a##b
#define AIDC_JOIN(a, b) AIDC_JOIN_EXPANDED(a, b)
#define g_log AIDC_JOIN(g_log_, AIDC_FILE_NUMBER)

#endif // AIDC_LOG_NAMES_H
