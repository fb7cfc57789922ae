/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PLAN_H
#define AIDC_EXPERIMENT_PLAN_H

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What an experiment can run: schemes, which are compared, in scenarios.
 */
struct ExperimentPlan
{
    std::string name;                   //!< the experiment's name, in kebab-case
    std::vector<std::string> scenarios; //!< the situations, in this order
    std::vector<std::string> schemes;   //!< what is compared in each, in this order

    /// The schemes that make sense in a scenario, by its name; all, where there is no entry.
    std::map<std::string, std::vector<std::string>> schemesOf;

    /// @param scenario the name of the scenario
    /// @return the schemes that are compared in it, in their order
    std::vector<std::string> GetSchemes(const std::string& scenario) const;

    /// @return all pairs of a scenario and a scheme, in their order
    std::vector<std::pair<std::string, std::string>> GetPairs() const;

    /// @param names the names of the scenarios
    /// @return whether one of them is run, with a scheme
    bool HasScenario(const std::vector<std::string>& names) const;

    /// @param names the names of the schemes
    /// @return whether one of them is run, in a scenario
    bool HasScheme(const std::vector<std::string>& names) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PLAN_H
