/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-plan.h"

#include <algorithm>
#include <iterator>

namespace ns3::aidc
{

std::vector<std::string>
ExperimentPlan::GetSchemes(const std::string& scenario) const
{
    const auto found = schemesOf.find(scenario);
    if (found == schemesOf.end())
    {
        return schemes;
    }
    const auto& some = found->second;
    std::vector<std::string> both;
    std::copy_if(schemes.begin(), schemes.end(), std::back_inserter(both), [&](const auto& scheme) {
        return std::find(some.begin(), some.end(), scheme) != some.end();
    });
    return both;
}

std::vector<std::pair<std::string, std::string>>
ExperimentPlan::GetPairs() const
{
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& scenario : scenarios)
    {
        for (const auto& scheme : GetSchemes(scenario))
        {
            pairs.emplace_back(scenario, scheme);
        }
    }
    return pairs;
}

bool
ExperimentPlan::HasScenario(const std::vector<std::string>& names) const
{
    return std::any_of(names.begin(), names.end(), [this](const auto& name) {
        return std::find(scenarios.begin(), scenarios.end(), name) != scenarios.end() &&
               !GetSchemes(name).empty();
    });
}

bool
ExperimentPlan::HasScheme(const std::vector<std::string>& names) const
{
    return std::any_of(scenarios.begin(), scenarios.end(), [&](const auto& scenario) {
        const auto run = GetSchemes(scenario);
        return std::find_first_of(run.begin(), run.end(), names.begin(), names.end()) != run.end();
    });
}

} // namespace ns3::aidc
