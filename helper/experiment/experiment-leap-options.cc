/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-leap-options.h"

#include "experiment-values.h"

#include "ns3/workload-file-reader.h"

namespace ns3::aidc
{

namespace
{

constexpr double DEFAULT_ERROR = 0.01; //!< of --leap alone
constexpr double LEAST_ERROR = 1e-6;   //!< below it, times are rounded
constexpr double GREATEST_ERROR = 0.5; //!< beyond it, nothing is said

} // namespace

void
ExperimentLeapOptions::AddTo(ExperimentParameters& parameters)
{
    parameters.AddWord("leap",
                       "leap over what repeats in the workload: the accepted relative error, such "
                       "as 0.02, or nothing for 0.01; off to execute all",
                       m_text);
    parameters
        .AddFlag("leap-check",
                 "execute a random tenth of what would be leapt, and compare",
                 m_isChecked)
        .UseIf([this] { return m_error > 0; }, "--leap");
}

void
ExperimentLeapOptions::Prepare()
{
    m_error = m_text.empty() ? DEFAULT_ERROR : 0;
    if (m_text.empty() || m_text == "off")
    {
        return;
    }
    CheckOption(ParseNumber(m_text, m_error) && m_error >= LEAST_ERROR && m_error <= GREATEST_ERROR,
                "--leap to be an error from 1e-6 to 0.5, or off, found \"" + m_text + "\"");
}

std::optional<LeapSettings>
ExperimentLeapOptions::Get(uint64_t seed) const
{
    if (m_error == 0)
    {
        return std::nullopt;
    }
    LeapSettings settings;
    settings.error = m_error;
    settings.isChecked = m_isChecked;
    settings.seed = seed;
    return settings;
}

} // namespace ns3::aidc
