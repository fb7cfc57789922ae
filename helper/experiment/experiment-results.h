// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_RESULTS_H
#define AIDC_EXPERIMENT_RESULTS_H

#include "../fabric-network.h"

#include "ns3/longest-wait.h"
#include "ns3/result-file.h"
#include "ns3/tcp-flow-helper.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/// @file
/// What experiments tell about their flows, each in the same words.

namespace ns3::aidc
{

/// A metric of a run.
struct ResultMetric
{
    std::string name; //!< its name, in snake_case
    double value;     //!< its value
    std::string unit; //!< the SI unit
};

/// Summarize the completion of flows that have an end.
///
/// The metrics are `unfinished_flows` and, over the flows that are done, `fct_mean`, `fct_p50`,
/// `fct_p99`, `fct_slowdown_mean`, `fct_slowdown_p50` and `fct_slowdown_p99`; NaN if none is done.
/// @return the metrics
std::vector<ResultMetric> GetFctMetrics(const std::vector<FlowRecord>& records);

/// @param counts what ports have counted
/// @return `dropped_packets`, `marked_packets` and `packet_hops`
std::vector<ResultMetric> GetPacketMetrics(const FabricPacketCounts& counts);

/// Compute Jain's index of the rates of flows (R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of
/// Fairness and Discrimination, DEC Research Report TR-301, 1984).
/// @return the index, from 1 over the number of flows to 1; NaN if a flow is not done
double GetJainIndex(const std::vector<FlowRecord>& records);

/// Get the time when all flows were done, for rates and times that do not depend on when the
/// simulation stopped.
/// @return when the last flow was done; the present time if a flow is not done or has no end, or if
///         there are no flows
Time GetEndOfFlows(const std::vector<FlowRecord>& records);

/// Write the outcome of each flow of a run.
///
/// The columns are `run`, `source`, `destination`, `size_byte`, `start_s`, `fct_s` and `slowdown`;
/// the last two are nan for a flow that is not done.
/// @param path the file
/// @param run the number of the run, from 1
/// @param records the flows, a row each
/// @throws std::runtime_error if the file cannot be written
void WriteFlowRecords(const std::string& path,
                      uint32_t run,
                      const std::vector<FlowRecord>& records);

/// A line of a file that several runs of a scenario and a scheme write together.
struct ResultLine
{
    std::string file;   //!< the name of the file, in the folder of the results
    std::string header; //!< its first line
    std::string line;   //!< the line
};

/// What a run has measured.
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
    void Print(std::ostream& os) const;

    /// @return the metrics and the longest wait as a JSON object, in one line
    std::string PrintJson() const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_RESULTS_H
