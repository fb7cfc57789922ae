// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEXT_READER_H
#define AIDC_TEXT_READER_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

/// @file
/// Reads texts: numbers, whatever the locale; names; words, line by line; and the errors of these.

namespace ns3::aidc
{

/// A text of the user is wrong.
///
/// Whoever knows the name of the file makes an AidcInputError of it.
class TextError : public std::invalid_argument
{
  public:
    /// line: counted from 1; expected: as the end of a sentence; found: the text in its place.
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

/// Make a name of a file fit for messages and reports. @param name any bytes @return the first 40
/// bytes, with a question mark for each that is not printable ASCII
std::string GetPrintableName(const std::string& name);

/// Parse an unsigned decimal integer. text: the text, digits only. @return whether the whole text
/// is an integer of 64 bits
bool ParseUnsigned(const std::string& text, uint64_t& value);

/// Parse a decimal number, with or without fraction and exponent. @return whether the whole text is
/// a finite number
bool ParseNumber(const std::string& text, double& value);

/// Parse a whole number, which may have an exponent or a fraction of zeros, as 64e6 and 4096.0.
/// With them it is below 2^53: a double has all whole numbers up to there. @return whether the
/// whole text is such a number from 0 on
bool ParseWholeNumber(const std::string& text, uint64_t& value);

/// Find the value of a name. names: by value; value: where it goes. @return whether there is one
template <typename Names, typename E>
bool
ParseName(const Names& names, const std::string& name, E& value)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        return false;
    }
    value = static_cast<E>(found - names.begin());
    return true;
}

/// @return the texts, with commas between them
template <typename Texts>
std::string
JoinTexts(const Texts& texts)
{
    std::string joined;
    for (const auto& text : texts)
    {
        joined += (joined.empty() ? "" : ", ") + std::string(text);
    }
    return joined;
}

/// A word of a text.
struct TextWord
{
    std::string text;    //!< the word
    uint32_t line{1};    //!< its line
    bool isFirst{false}; //!< whether it is the first one of its line
    bool isThere{false}; //!< whether there is one; if not, the text has ended
};

/// Reads the words of a text, which are separated by blanks and ends of lines.
class WordReader
{
  public:
    /// @param text the text, which outlives the reader
    explicit WordReader(const std::string& text)
        : m_text(text)
    {
        Find();
    }

    /// @return the next word, which stays the next one
    const TextWord& Peek() const
    {
        return m_word;
    }

    /// @return whether the line has another word, if a word of it has been read
    bool HasMoreInLine() const
    {
        return m_word.isThere && !m_word.isFirst;
    }

    /// @return the next word
    TextWord Next()
    {
        TextWord word = std::move(m_word);
        Find();
        return word;
    }

    /// Read a word that must be there. @param expected what it should be, for the error
    /// @throws TextError at the end of the text
    TextWord Require(const std::string& expected)
    {
        if (!m_word.isThere)
        {
            throw TextError(m_word.line, expected, "end of file");
        }
        return Next();
    }

    /// Read a whole number from min to max. what: the number, as errors name it; mayHaveFraction:
    /// whether it may be written as 4096.0 or 64e6. @throws TextError if there is none
    uint64_t RequireNumber(const std::string& what,
                           uint64_t min,
                           uint64_t max,
                           bool mayHaveFraction = false)
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

  private:
    /// Find the next word.
    void Find()
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

    const std::string& m_text; //!< the text
    std::size_t m_next{0};     //!< after the next word
    uint32_t m_line{1};        //!< the line of the next word
    TextWord m_word;           //!< the next word
};

} // namespace ns3::aidc

#endif // AIDC_TEXT_READER_H
