// SPDX-License-Identifier: GPL-2.0-only

#include "result-file.h"

#include "ns3/mpi-processes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

/// A buffer that throws where the standard one returns an error.
class ResultFile::Buffer : public std::filebuf
{
  public:
    /// Open a file, but not where another process writes it.
    Buffer(const std::string& path, std::ios::openmode mode)
        : m_path(path)
    {
        errno = 0;
        const bool isKept = MpiProcesses::Get().IsFirst();
        Require(open(isKept ? path : "/dev/null", mode | std::ios::out | std::ios::binary) !=
                nullptr);
    }

    /// @return whether nothing has been written
    bool IsEmpty()
    {
        return seekoff(0, std::ios::end, std::ios::out) == std::streampos(0);
    }

    /// Write the rest, and close.
    void Finish()
    {
        errno = 0;
        Require(close() != nullptr);
    }

  protected:
    int_type overflow(int_type c) override
    {
        errno = 0;
        const int_type result = std::filebuf::overflow(c);
        Require(!traits_type::eq_int_type(result, traits_type::eof()));
        return result;
    }

    std::streamsize xsputn(const char* text, std::streamsize n) override
    {
        errno = 0;
        const std::streamsize written = std::filebuf::xsputn(text, n);
        Require(written == n);
        return written;
    }

    int sync() override
    {
        errno = 0;
        const int result = std::filebuf::sync();
        Require(result == 0);
        return result;
    }

  private:
    /// @param isDone whether it went well; it throws if not
    void Require(bool isDone) const
    {
        if (!isDone)
        {
            throw std::runtime_error("cannot write " + m_path +
                                     (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
        }
    }

    std::string m_path; //!< the file
};

ResultFile::ResultFile()
    : std::ostream(nullptr)
{
}

ResultFile::ResultFile(const std::string& path, const std::string& header, std::ios::openmode mode)
    : std::ostream(nullptr),
      m_buffer(std::make_unique<Buffer>(path, mode))
{
    rdbuf(m_buffer.get());
    exceptions(std::ios::badbit); // lets the buffer's exceptions pass
    if (!header.empty() && m_buffer->IsEmpty())
    {
        *this << header << '\n';
        flush();
    }
}

ResultFile::~ResultFile()
{
    try
    {
        Close();
    }
    catch (const std::runtime_error&)
    {
        // A destructor cannot report the error. A caller that wants it calls Close().
    }
}

ResultFile::ResultFile(ResultFile&& other) noexcept
    : std::ostream(std::move(other)),
      m_buffer(std::move(other.m_buffer))
{
    set_rdbuf(m_buffer.get());
    other.set_rdbuf(nullptr);
}

ResultFile&
ResultFile::operator=(ResultFile&& other) noexcept
{
    std::ostream::operator=(std::move(other));
    m_buffer.swap(other.m_buffer);
    set_rdbuf(m_buffer.get());
    other.set_rdbuf(other.m_buffer.get());
    return *this;
}

void
ResultFile::Close()
{
    if (m_buffer)
    {
        const auto buffer = std::move(m_buffer);
        set_rdbuf(nullptr);
        buffer->Finish();
    }
}

void
MonitorSeriesRows::Add(const std::string& place, const std::string& text)
{
    m_rows.push_back({Simulator::Now().GetTimeStep(), place, text});
}

void
MonitorSeriesRows::Write(const std::string& path, const std::string& header) const
{
    auto rows = m_rows;
    const auto& processes = MpiProcesses::Get();
    if (processes.GetN() > 1)
    {
        std::ostringstream own;
        for (const auto& row : m_rows)
        {
            own << row.time << ' ' << row.place << '\n' << row.text << '\n';
        }
        rows.clear();
        for (const auto& text : processes.Gather(own.str()))
        {
            std::istringstream others(text);
            Row row;
            while (others >> row.time && others.get() && std::getline(others, row.place) &&
                   std::getline(others, row.text))
            {
                rows.push_back(row);
            }
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.time, a.place) < std::tie(b.time, b.place);
    });
    ResultFile file(path, header);
    for (const auto& row : rows)
    {
        file << row.text << '\n';
    }
    file.Close();
}

} // namespace ns3::aidc
