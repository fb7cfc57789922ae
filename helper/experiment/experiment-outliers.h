/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_OUTLIERS_H
#define AIDC_EXPERIMENT_OUTLIERS_H

#include "experiment-table.h"

#include "ns3/longest-wait.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A run that takes more than twice the median of its scheme and scenario.
 */
struct ExperimentOutlier
{
    std::string scheme;               //!< the scheme
    std::string scenario;             //!< the scenario, or empty
    uint32_t run{1};                  //!< the number of the run, from 1
    std::string metric;               //!< the time
    double value{0};                  //!< its value in this run
    double median{0};                 //!< its median
    std::string unit;                 //!< its unit
    std::optional<LongestWait> waits; //!< who has waited longest, if it is known
};

/// @ingroup aidc
/// @brief The runs of an experiment that stand out, the slowest one first.
class ExperimentOutliers
{
  public:
    /// Gives the longest wait of a run: the scheme with its scenario, the number of the run.
    using GetWait = std::function<std::optional<LongestWait>(const std::string&, uint32_t)>;

    ExperimentOutliers() = default;

    /// @param schemes the metrics of all runs
    /// @param metric the time by which runs stand out
    /// @param getWait gives longest waits
    ExperimentOutliers(const std::vector<SchemeMetrics>& schemes,
                       const std::string& metric,
                       const GetWait& getWait);

    /// @return the runs
    const std::vector<ExperimentOutlier>& GetAll() const
    {
        return m_outliers;
    }

    /// @return the list of summary.json, whose first line is not indented
    std::string PrintJson() const;

    /// Print the runs, and why the slowest one waited; nothing if there is none.
    /// @param os the stream to print to
    /// @param width the characters of a line
    void Print(std::ostream& os, std::size_t width) const;

  private:
    std::vector<ExperimentOutlier> m_outliers; //!< the runs
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_OUTLIERS_H
