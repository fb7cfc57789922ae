// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CAPTURED_STREAM_H
#define AIDC_CAPTURED_STREAM_H

#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>

// What is written to a stream, for the test suites.

namespace aidctest
{

/// Catches what is written to a stream, such as std::cerr, while it exists.
class CapturedStream
{
  public:
    explicit CapturedStream(std::ostream& stream)
        : m_stream(stream),
          m_buffer(stream.rdbuf(m_text.rdbuf()))
    {
    }

    ~CapturedStream()
    {
        m_stream.rdbuf(m_buffer);
    }

    CapturedStream(const CapturedStream&) = delete;
    CapturedStream& operator=(const CapturedStream&) = delete;

    std::string GetText() const
    {
        return m_text.str();
    }

    int CountLinesWith(const std::string& text) const
    {
        std::istringstream is(m_text.str());
        int n = 0;
        for (std::string line; std::getline(is, line);)
        {
            n += line.find(text) != std::string::npos ? 1 : 0;
        }
        return n;
    }

  private:
    std::ostream& m_stream;    //!< the stream
    std::ostringstream m_text; //!< what has been written
    std::streambuf* m_buffer;  //!< the stream's own buffer
};

} // namespace aidctest

#endif // AIDC_CAPTURED_STREAM_H
