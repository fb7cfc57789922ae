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
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A line of a file that several runs write.
 */
struct ResultLine
{
    std::string file;   //!< the name of the file, in the folder of the results
    std::string header; //!< its first line
    std::string line;   //!< the line
};

/**
 * @ingroup aidc
 * @brief The results of a run.
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
    /// @param unit the SI unit
    void Add(const std::string& name, double value, const std::string& unit);

    /// @param some the metrics
    void Add(const std::vector<ResultMetric>& some);

    /// Write all of it as bytes, for another process of the same program.
    /// @return the bytes
    std::string Encode() const;

    /// Read what Encode() has written.
    /// @param bytes the bytes
    /// @return the results
    /// @throws std::logic_error if they are cut short, or followed by others
    static ExperimentOutcome Decode(const std::string& bytes);
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_OUTCOME_H
