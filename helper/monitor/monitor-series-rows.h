/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MONITOR_SERIES_ROWS_H
#define AIDC_MONITOR_SERIES_ROWS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Rows of a time series that events of several nodes add to, written in time order.
 *
 * Simulators need not run nodes in time order (see TimeWindowSimulatorImpl), and each process
 * of a parallel simulation has only the rows of its own nodes. Rows of the same time are in the
 * order of their places, rows of the same place in the order of Add().
 */
class MonitorSeriesRows
{
  public:
    /// Add a row of the present time.
    /// @param place the object of the row, such as a port; without line breaks
    /// @param text the row, without the line break
    void Add(const std::string& place, const std::string& text);

    /// Write all rows; with several processes (MpiProcesses), each one calls it, and the first one
    /// writes.
    /// @param path the file, written anew
    /// @param header its first line
    /// @throws std::runtime_error if the file cannot be written
    void Write(const std::string& path, const std::string& header) const;

  private:
    /// A row.
    struct Row
    {
        int64_t time;      //!< when it was added, in time steps
        std::string place; //!< the object of the row
        std::string text;  //!< the row
    };

    std::vector<Row> m_rows; //!< the rows, as they were added
};

} // namespace ns3::aidc

#endif // AIDC_MONITOR_SERIES_ROWS_H
