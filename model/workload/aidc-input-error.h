// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INPUT_ERROR_H
#define AIDC_INPUT_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

/// A file or a parameter is wrong.
///
/// what() is `FILE:LINE: expected EXPECTED, found "FOUND"`, without `:LINE` if the error concerns
/// the whole input. A program catches it in main(), prints it and exits with 1; in Python it is an
/// exception. The text shows FOUND in printable ASCII, other bytes as `\xNN`, and cuts it after 80
/// bytes.
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
    const std::string& GetFile() const
    {
        return m_file;
    }

    /// @return the line, counted from 1; 0 for the input as a whole
    uint32_t GetLine() const
    {
        return m_line;
    }

    /// @return what was expected
    const std::string& GetExpected() const
    {
        return m_expected;
    }

    /// @return what was found, as it stands in the input, neither cut nor escaped
    const std::string& GetFound() const
    {
        return m_found;
    }

  private:
    std::string m_file;     //!< the name of the file or of the parameter
    uint32_t m_line;        //!< the line, or 0
    std::string m_expected; //!< what was expected
    std::string m_found;    //!< what was found
};

} // namespace ns3::aidc

#endif // AIDC_INPUT_ERROR_H
