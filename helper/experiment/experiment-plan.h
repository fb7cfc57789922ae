/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PLAN_H
#define AIDC_EXPERIMENT_PLAN_H

#include "experiment-summary.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What an experiment runs and keeps.
 */
struct ExperimentPlan
{
    std::string name;                   //!< the experiment's name, in kebab-case
    std::string command;                //!< the command line that reproduces it
    std::string question;               //!< what it asks, in one sentence
    std::vector<std::string> scenarios; //!< the situations, in this order
    std::vector<std::string> schemes;   //!< what is compared in each, in this order
    std::vector<std::string> totals;    //!< the metrics of totals.csv
    std::vector<std::string> columns;   //!< the metrics of the table that is printed
    std::string time;                   //!< the time whose large values stand out; empty for none
    std::string figures;                //!< the script of the figures in examples/, empty for none
    bool hasFlowFiles{false};           //!< whether flows-SCENARIO-SCHEME.csv is written
    uint32_t runs{1};                   //!< how often, unless the user says; once with --small

    /// Adds to the summary what follows from all runs, such as findings; may be empty.
    std::function<void(ExperimentSummary&)> conclude;

    /// The schemes that make sense in a scenario, by its name; all, where there is no entry.
    std::map<std::string, std::vector<std::string>> schemesOf;

    /// @param scenario the name of the scenario
    /// @return the schemes that are compared in it, in their order
    std::vector<std::string> GetSchemes(const std::string& scenario) const;

    /// @param names the names of the scenarios
    /// @return whether one of them is run, with a scheme
    bool HasScenario(const std::vector<std::string>& names) const;

    /// @param names the names of the schemes
    /// @return whether one of them is run, in a scenario
    bool HasScheme(const std::vector<std::string>& names) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PLAN_H
