/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_JSON_STRING_H
#define AIDC_JSON_STRING_H

#include <string>

namespace ns3::aidc
{

/// Write a text as a JSON string (RFC 8259, section 7).
///
/// Control characters are escaped; bytes that are not UTF-8 become U+FFFD. Boost.JSON would do it
/// from release 1.75 on; Debian 12, which has ns-3.37, has 1.74.
/// @param text the text
/// @return the string, with its quotation marks
std::string FormatJsonString(const std::string& text);

} // namespace ns3::aidc

#endif // AIDC_JSON_STRING_H
