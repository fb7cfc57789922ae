/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_READ_FILE_H
#define AIDC_READ_FILE_H

#include "ns3/ptr.h"

#include <fstream>
#include <iterator>
#include <string>

// Files that a test has written.

namespace aidctest
{

inline std::string
ReadFile(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace aidctest

#endif // AIDC_READ_FILE_H
