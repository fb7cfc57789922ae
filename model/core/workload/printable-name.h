/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRINTABLE_NAME_H
#define AIDC_PRINTABLE_NAME_H

#include <string>

namespace ns3::aidc
{

/// Make a name of a file fit for messages and reports. @param name any bytes @return the first 40
/// bytes, with a question mark for each that is not printable ASCII
std::string GetPrintableName(const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_PRINTABLE_NAME_H
