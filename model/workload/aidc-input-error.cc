// SPDX-License-Identifier: GPL-2.0-only

#include "aidc-input-error.h"

namespace ns3::aidc
{

namespace
{

std::string
Printable(const std::string& text)
{
    static constexpr std::size_t LIMIT = 80;
    static constexpr char HEX[] = "0123456789abcdef";
    std::string result;
    for (std::size_t i = 0; i < text.size() && i < LIMIT; ++i)
    {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x20 && byte < 0x7f)
        {
            result += text[i];
        }
        else
        {
            result += "\\x";
            result += HEX[byte >> 4];
            result += HEX[byte & 0xf];
        }
    }
    return text.size() > LIMIT ? result + "..." : result;
}

} // namespace

AidcInputError::AidcInputError(const std::string& file,
                               uint32_t line,
                               const std::string& expected,
                               const std::string& found)
    : std::runtime_error(file + (line ? ":" + std::to_string(line) : "") + ": expected " +
                         expected + ", found \"" + Printable(found) + "\""),
      m_file(file),
      m_line(line),
      m_expected(expected),
      m_found(found)
{
}

} // namespace ns3::aidc
