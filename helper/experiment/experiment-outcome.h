/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_OUTCOME_H
#define AIDC_EXPERIMENT_OUTCOME_H

#include "experiment-results.h"

#include "ns3/longest-wait.h"
#include "ns3/tcp-flow-helper.h"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A line of a file that several runs of a scenario and a scheme write together.
 */
struct ResultLine
{
    std::string file;   //!< the name of the file, in the folder of the results
    std::string header; //!< its first line
    std::string line;   //!< the line
};

/**
 * @ingroup aidc
 * @brief What a run has measured.
 */
struct ExperimentOutcome
{
    std::vector<ResultMetric> metrics; //!< the metrics, in the order to show
    std::vector<FlowRecord> records;   //!< the outcomes of the flows
    std::vector<ResultLine> lines;     //!< of files that several runs write, in the order of runs
    std::optional<LongestWait> longestWait; //!< who has waited longest, if it was asked

    /// Add a metric.
    /// @param name its name, in snake_case
    /// @param value its value
    /// @param unit the SI unit: s, bit/s, byte, packet or 1
    /// @throws std::invalid_argument if the name or the unit is not so
    void Add(const std::string& name, double value, const std::string& unit);

    /// @param some the metrics
    void Add(const std::vector<ResultMetric>& some);

    /// Print a line for each metric: NAME = VALUE UNIT.
    /// @param os the stream
    void Print(std::ostream& os) const;

    /// @return the metrics and the longest wait as a JSON object, in one line
    std::string PrintJson() const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_OUTCOME_H
