/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-parameter.h"

#include "ns3/user-default.h"

#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// How each message on a wrong option begins.
const std::string EXPECTED = "expected ";

} // namespace

ExperimentParameter&
ExperimentParameter::UseIf(const std::function<bool()>& isUsed, const std::string& expected)
{
    m_isUsed = isUsed;
    m_expected = expected;
    return *this;
}

ExperimentParameter&
ExperimentParameter::InSmall(const std::string& value)
{
    m_small = value;
    return *this;
}

ExperimentParameter&
ExperimentParameter::InLarge(const std::string& value)
{
    m_large = value;
    return *this;
}

ExperimentParameter&
ExperimentParameter::Sets(const std::vector<std::string>& names)
{
    m_attributes.insert(m_attributes.end(), names.begin(), names.end());
    return *this;
}

void
ExperimentParameter::Read(const std::string& value)
{
    try
    {
        m_read(value);
    }
    catch (const std::runtime_error& error)
    {
        // "expected X" becomes "expected --name to be X".
        const std::string what = error.what();
        throw std::runtime_error(EXPECTED + "--" + m_name + " to be " +
                                 what.substr(EXPECTED.size()));
    }
    m_text.value = value;
}

void
ExperimentParameter::Check() const
{
    if (m_isGiven && m_isUsed && !m_isUsed())
    {
        throw std::runtime_error(EXPECTED + m_expected + " with --" + m_name +
                                 ", which is not used otherwise");
    }
    for (const auto& attribute : m_attributes)
    {
        if (HasUserDefault(attribute))
        {
            throw std::runtime_error(EXPECTED + "--" + m_name + " in place of --" + attribute);
        }
    }
}

} // namespace ns3::aidc
