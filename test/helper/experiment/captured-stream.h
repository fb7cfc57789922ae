/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CAPTURED_STREAM_H
#define AIDC_CAPTURED_STREAM_H

#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>

/**
 * @file
 * @ingroup aidc-test
 * @brief What programs print, for the test suites.
 */

namespace aidctest
{

/**
 * @brief Keeps what is written to a stream in the meantime.
 */
class CapturedStream
{
  public:
    /**
     * @brief Constructor.
     * @param stream the stream
     */
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

    /**
     * @brief Get what was written.
     * @return the text
     */
    std::string Get() const
    {
        return m_text.str();
    }

  private:
    std::ostream& m_stream;    //!< the stream
    std::ostringstream m_text; //!< what was written
    std::streambuf* m_buffer;  //!< the stream's own buffer
};

} // namespace aidctest

#endif // AIDC_CAPTURED_STREAM_H
