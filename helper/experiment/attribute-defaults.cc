/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-defaults.h"

#include "../../model/aidc-compat.h"
#include "experiment-parameters.h"

#include "ns3/config.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/user-default.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::aidc
{

namespace
{

/// Tell whether ns-3 takes a text for an attribute. A child process tries: how many of ns-3's
/// values refuse a text is to end the program.
bool
IsTaken(const std::string& name, const std::string& text)
{
    std::cout.flush();
    const pid_t child = fork();
    if (child == 0)
    {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        const bool isSilent = std::freopen("/dev/null", "w", stderr) != nullptr;
        _exit(isSilent && Config::SetDefaultFailSafe(name, StringValue(text)) ? EXIT_SUCCESS
                                                                              : EXIT_FAILURE);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
    {
        throw std::runtime_error("--" + name + " cannot be tried: no process could be made");
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/// Tell whether a text lacks the unit that a type of values has. @return whether it does; a 0 needs
/// none
bool
LacksUnit(const std::string& type, const std::string& text)
{
    return (type == "TimeValue" || type == "DataRateValue") &&
           text.find_first_not_of("+-0123456789.eE") == std::string::npos &&
           text.find_first_of("123456789") != std::string::npos;
}

} // namespace

AttributeDefaults::~AttributeDefaults()
{
    for (; !m_before.empty(); m_before.pop_back())
    {
        ReplaceDefault(m_before.back().first, m_before.back().second);
    }
}

void
AttributeDefaults::Set(const std::string& name, const std::string& text)
{
    const auto end = name.rfind("::");
    TypeId tid;
    TypeId::AttributeInformation attribute;
    if (!TypeId::LookupByNameFailSafe(name.substr(0, end), &tid) ||
        !tid.LookupAttributeByName(name.substr(end + 2), &attribute))
    {
        throw std::runtime_error("there is no attribute " + name +
                                 "; --PrintAttributes=CLASS names those of a class");
    }
    const auto type = GetValueType(*attribute.checker);
    CheckOption(!LacksUnit(type, text), "--" + name + " to have a unit, found \"" + text + "\"");
    auto kind = attribute.checker->HasUnderlyingTypeInformation()
                    ? attribute.checker->GetUnderlyingTypeInformation()
                    : type;
    if (type == "QueueSizeValue")
    {
        kind = "a size in B, kB, KB, KiB, MB or MiB";
    }
    CheckOption(IsTaken(name, text),
                "--" + name + " to be " + attribute.help + " Its type is " + kind + ", found \"" +
                    text + "\"");
    Config::SetDefault(name, StringValue(text));
    m_before.emplace_back(name, attribute.initialValue);
}

} // namespace ns3::aidc
