/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "word-reader.h"

#include "number-text.h"
#include "text-error.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

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
