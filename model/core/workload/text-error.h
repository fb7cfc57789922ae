/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TEXT_ERROR_H
#define AIDC_TEXT_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

/**
 * @brief A text of the user is wrong.
 *
 * Whoever knows the name of the file makes an AidcInputError of it.
 */
class TextError : public std::invalid_argument
{
  public:
    /// @param line the line, counted from 1
    /// @param expected what was expected, as the end of a sentence
    /// @param found the text found in its place
    TextError(uint32_t line, const std::string& expected, const std::string& found)
        : std::invalid_argument("line " + std::to_string(line) + ": expected " + expected +
                                ", found \"" + found + "\""),
          m_line(line),
          m_expected(expected),
          m_found(found)
    {
    }

    /// @return the line, counted from 1
    uint32_t GetLine() const
    {
        return m_line;
    }

    /// @return what was expected
    const std::string& GetExpected() const
    {
        return m_expected;
    }

    /// @return what was found, as it stands in the text
    const std::string& GetFound() const
    {
        return m_found;
    }

  private:
    uint32_t m_line;        //!< the line
    std::string m_expected; //!< what was expected
    std::string m_found;    //!< what was found
};

} // namespace ns3::aidc

#endif // AIDC_TEXT_ERROR_H
