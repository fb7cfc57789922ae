/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <locale>
#include <sstream>
#include <system_error>
#include <utility>

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

WordReader::WordReader(const std::string& text)
    : m_text(text)
{
    Find();
}

TextWord
WordReader::Next()
{
    TextWord word = std::move(m_word);
    Find();
    return word;
}

TextWord
WordReader::Require(const std::string& expected)
{
    if (!m_word.isThere)
    {
        throw TextError(m_word.line, expected, "end of file");
    }
    return Next();
}

uint64_t
WordReader::RequireNumber(const std::string& what, uint64_t min, uint64_t max, bool mayHaveFraction)
{
    const std::string expected =
        what + ", a whole number from " + std::to_string(min) + " to " + std::to_string(max);
    const TextWord word = Require(expected);
    uint64_t value = 0;
    const bool isNumber =
        mayHaveFraction ? ParseWholeNumber(word.text, value) : ParseUnsigned(word.text, value);
    if (!isNumber || value < min || value > max)
    {
        throw TextError(word.line, expected, word.text);
    }
    return value;
}

void
WordReader::Find()
{
    static constexpr char BLANKS[] = " \t\r\v\f\n";
    m_word = TextWord();
    m_word.isFirst = m_next == 0;
    const std::size_t begin = std::min(m_text.find_first_not_of(BLANKS, m_next), m_text.size());
    for (; m_next < begin; ++m_next)
    {
        if (m_text[m_next] == '\n')
        {
            ++m_line;
            m_word.isFirst = true;
        }
    }
    m_next = std::min(m_text.find_first_of(BLANKS, begin), m_text.size());
    m_word.text = m_text.substr(begin, m_next - begin);
    m_word.line = m_line;
    m_word.isThere = !m_word.text.empty();
}

} // namespace ns3::aidc
