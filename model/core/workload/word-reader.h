/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WORD_READER_H
#define AIDC_WORD_READER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::aidc
{

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
    explicit WordReader(const std::string& text);

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
    TextWord Next();

    /// Read a word that must be there. @param expected what it should be, for the error
    /// @throws TextError at the end of the text
    TextWord Require(const std::string& expected);

    /// Read a whole number.
    /// @param what the number, as errors name it
    /// @param min the least one allowed
    /// @param max the greatest one allowed
    /// @param mayHaveFraction whether it may be written as 4096.0 or 64e6
    /// @return the number
    /// @throws TextError if there is none
    uint64_t RequireNumber(const std::string& what,
                           uint64_t min,
                           uint64_t max,
                           bool mayHaveFraction = false);

  private:
    /// Find the next word.
    void Find();

    const std::string& m_text; //!< the text
    std::size_t m_next{0};     //!< after the next word
    uint32_t m_line{1};        //!< the line of the next word
    TextWord m_word;           //!< the next word
};

} // namespace ns3::aidc

#endif // AIDC_WORD_READER_H
