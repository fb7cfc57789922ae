/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INPUT_ERROR_H
#define AIDC_INPUT_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief An input (a file, or a parameter) that is not what it must be.
 *
 * what() is `FILE:LINE: expected EXPECTED, found "FOUND"`, or without `:LINE` when the error is not
 * one of a line. A program catches it in main(), prints it and exits with 1; in Python it arrives
 * as an exception. What was found is shown in printable ASCII, other bytes as `\xNN`, and cut after
 * 80 bytes.
 */
class AidcInputError : public std::runtime_error
{
  public:
    /// @param file the name of the file or of the parameter
    /// @param line the line, counted from 1; 0 for the input as a whole
    /// @param expected what was expected, as the end of a sentence
    /// @param found the text found in its place
    AidcInputError(const std::string& file,
                   uint32_t line,
                   const std::string& expected,
                   const std::string& found);

    /// @return the name of the file or of the parameter
    const std::string& GetFile() const;

    /// @return the line, counted from 1; 0 for the input as a whole
    uint32_t GetLine() const;

    /// @return what was expected
    const std::string& GetExpected() const;

    /// @return what was found, as it stands in the input, neither cut nor escaped
    const std::string& GetFound() const;

  private:
    std::string m_file;     //!< the name of the file or of the parameter
    uint32_t m_line;        //!< the line, or 0
    std::string m_expected; //!< what was expected
    std::string m_found;    //!< what was found
};

} // namespace ns3::aidc

#endif // AIDC_INPUT_ERROR_H
