/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-options.h"

#include "ns3/queue-size.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

void
CheckOption(bool isValid, const std::string& expected)
{
    if (!isValid)
    {
        throw std::runtime_error("expected " + expected);
    }
}

void
CheckByteSize(const std::string& option, const std::string& text, bool mayBeZero)
{
    QueueSize size;
    std::istringstream is(text);
    const bool isSize = static_cast<bool>(is >> size) && size.GetUnit() == QueueSizeUnit::BYTES;
    CheckOption(isSize && (mayBeZero || size.GetValue() > 0),
                "--" + option + " to be a size in bytes, such as 200kB, found \"" + text + "\"");
}

std::vector<std::string>
SplitNames(const std::string& option,
           const std::string& text,
           const std::vector<std::string>& known)
{
    std::string expected;
    for (const auto& candidate : known)
    {
        expected += (expected.empty() ? "" : ", ") + candidate;
    }
    std::vector<std::string> names;
    std::istringstream list(text);
    for (std::string name; std::getline(list, name, ',');)
    {
        CheckOption(std::find(known.begin(), known.end(), name) != known.end(),
                    "--" + option + " to be some of " + expected + ", found \"" + name + "\"");
        names.push_back(name);
    }
    CheckOption(!names.empty(), "--" + option + " to be some of " + expected);
    return names;
}

std::string
JoinCommand(const std::string& program, int argc, char* argv[])
{
    std::string command = program;
    for (int i = 1; i < argc; ++i)
    {
        command += std::string(" ") + argv[i];
    }
    return command;
}

} // namespace ns3::aidc
