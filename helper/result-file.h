// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RESULT_FILE_H
#define AIDC_RESULT_FILE_H

#include <cstdint>
#include <ios>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A file of results: a stream whose errors name the file.
///
/// A write that fails throws std::runtime_error with the path and the reason, such as a full disk.
/// With several processes (MpiProcesses), each one may write the same file: only what the first one
/// writes is kept.
///
/// The content is buffered: Close() writes the rest, and reports failures, which the destructor
/// cannot.
class ResultFile : public std::ostream
{
  public:
    /// Constructor of a file that is not open.
    ResultFile();

    /// @param path the file, in a folder that exists
    /// @param header its first line, written if the file is empty; empty for no header
    /// @param mode std::ios::trunc to overwrite it, std::ios::app to append to it
    /// @throws std::runtime_error if it cannot be written
    ResultFile(const std::string& path,
               const std::string& header,
               std::ios::openmode mode = std::ios::trunc);

    ~ResultFile() override;

    /// @param other the file to take over; not open afterwards
    ResultFile(ResultFile&& other) noexcept;

    /// @param other the file to take over; not open afterwards
    /// @return this
    ResultFile& operator=(ResultFile&& other) noexcept;

    /// Tell whether there is a file. @return whether it is open
    bool IsOpen() const
    {
        return m_buffer != nullptr;
    }

    /// Write what is buffered, and close the file if it is open.
    /// @throws std::runtime_error if that fails
    void Close();

  private:
    class Buffer;

    std::unique_ptr<Buffer> m_buffer; //!< the file, null if it is not open
};

/// Rows of a time series that events of several nodes add to, written in time order.
///
/// Simulators need not run nodes in time order (see TimeWindowSimulatorImpl), and each process
/// of a parallel simulation has only the rows of its own nodes. Rows of the same time are in the
/// order of their places, rows of the same place in the order of Add().
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

#endif // AIDC_RESULT_FILE_H
