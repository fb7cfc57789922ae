// SPDX-License-Identifier: GPL-2.0-only

#include "text-reader.h"

#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>
#include <system_error>

namespace ns3::aidc
{

std::string
GetPrintableName(const std::string& name)
{
    static constexpr std::size_t LONGEST = 40;
    std::string printable = name.substr(0, LONGEST);
    for (char& c : printable)
    {
        c = c >= 0x20 && c < 0x7f ? c : '?';
    }
    return printable;
}

bool
ParseUnsigned(const std::string& text, uint64_t& value)
{
    uint64_t result = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, result);
    if (error != std::errc() || rest != end)
    {
        return false;
    }
    value = result;
    return true;
}

bool
ParseNumber(const std::string& text, double& value)
{
    // Some libraries read hexadecimal numbers, too
    if (text.find_first_not_of("0123456789+-.eE") != std::string::npos)
    {
        return false;
    }
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    double result = 0;
    if (!(stream >> result) || !std::isfinite(result) ||
        stream.peek() != std::istringstream::traits_type::eof())
    {
        return false;
    }
    value = result;
    return true;
}

bool
ParseWholeNumber(const std::string& text, uint64_t& value)
{
    static constexpr double LIMIT = 1ULL << 53;
    if (ParseUnsigned(text, value))
    {
        return true;
    }
    double number = 0;
    if (!ParseNumber(text, number) || number < 0 || number >= LIMIT || std::floor(number) != number)
    {
        return false;
    }
    value = static_cast<uint64_t>(number);
    return true;
}

} // namespace ns3::aidc
