// SPDX-License-Identifier: GPL-2.0-only

#include "json-value.h"

#include "text-reader.h"

#include <cctype>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// @return the bytes of the well-formed UTF-8 sequence that starts there, or 0 (RFC 3629, 4)
std::size_t
GetUtf8Length(const std::string& text, std::size_t start)
{
    const auto byte = [&text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto lead = byte(start);
    if (lead < 0x80)
    {
        return 1;
    }
    if (lead < 0xc2 || lead > 0xf4)
    {
        return 0;
    }
    const std::size_t length = lead < 0xe0 ? 2 : (lead < 0xf0 ? 3 : 4);
    // The second byte is limited further: no overlong form, no surrogate, nothing over U+10FFFF
    const auto lowest = lead == 0xe0 ? 0xa0U : (lead == 0xf0 ? 0x90U : 0x80U);
    const auto highest = lead == 0xed ? 0x9fU : (lead == 0xf4 ? 0x8fU : 0xbfU);
    if (byte(start + 1) < lowest || byte(start + 1) > highest)
    {
        return 0;
    }
    for (std::size_t i = 2; i < length; ++i)
    {
        if (byte(start + i) < 0x80 || byte(start + i) > 0xbf)
        {
            return 0;
        }
    }
    return length;
}

} // namespace

std::string
FormatJsonString(const std::string& text)
{
    constexpr const char* HEX_DIGITS = "0123456789abcdef";
    static const std::string SPECIAL = "\"\\\b\f\n\r\t";
    constexpr const char* LETTERS = "\"\\bfnrt"; // after the backslash
    std::string json = "\"";
    for (std::size_t i = 0; i < text.size();)
    {
        const auto length = GetUtf8Length(text, i);
        if (length != 1)
        {
            json += length == 0 ? "\\ufffd" : text.substr(i, length);
            i += std::max<std::size_t>(length, 1);
            continue;
        }
        const auto c = text[i++];
        const auto special = SPECIAL.find(c);
        if (special != std::string::npos)
        {
            json += '\\';
            json += LETTERS[special];
        }
        else if (c < 0x20 || c == 0x7f)
        {
            json += "\\u00";
            json += HEX_DIGITS[c / 16];
            json += HEX_DIGITS[c % 16];
        }
        else
        {
            json += c;
        }
    }
    return json + "\"";
}

namespace
{

/// Skip the digits of a number. position: where they begin; where they end, then.
std::size_t
SkipDigits(const std::string& text, std::size_t& position)
{
    const std::size_t begin = position;
    position = std::min(text.find_first_not_of("0123456789", begin), text.size());
    return position - begin;
}

/// @return whether it is a number by section 6 of RFC 8259, which has neither "+1", "01" nor "1."
bool
IsJsonNumber(const std::string& text)
{
    std::size_t next = text.compare(0, 1, "-") == 0 ? 1 : 0;
    const std::size_t first = next;
    const std::size_t nDigits = SkipDigits(text, next);
    if (nDigits == 0 || (nDigits > 1 && text[first] == '0'))
    {
        return false;
    }
    if (text.compare(next, 1, ".") == 0 && SkipDigits(text, ++next) == 0)
    {
        return false;
    }
    if (next < text.size() && (text[next] == 'e' || text[next] == 'E'))
    {
        ++next;
        next += next < text.size() && (text[next] == '+' || text[next] == '-') ? 1 : 0;
        if (SkipDigits(text, next) == 0)
        {
            return false;
        }
    }
    return next == text.size();
}

/// Reads JSON from a text.
class JsonParser
{
  public:
    explicit JsonParser(std::string text)
        : m_text(std::move(text))
    {
        static const std::string MARK = "\xef\xbb\xbf";
        m_next = m_text.compare(0, MARK.size(), MARK) == 0 ? MARK.size() : 0;
    }

    JsonValue Parse()
    {
        JsonValue value = ParseValue(0);
        SkipBlanks();
        if (m_next < m_text.size())
        {
            Fail("the end of the file");
        }
        return value;
    }

  private:
    /// Arrays and objects that may be within each other.
    static constexpr int MAX_DEPTH = 64;

    [[noreturn]] void Fail(const std::string& expected) const
    {
        if (m_next >= m_text.size())
        {
            throw TextError(m_line, expected, "end of file");
        }
        std::size_t end = m_next + 1;
        while (end < m_text.size() && end < m_next + 80 && std::isalnum(Get(end)))
        {
            ++end;
        }
        // Programs write all into one line
        static constexpr std::size_t LONG = 1000;
        const std::size_t column = m_next - m_lineBegin;
        throw TextError(
            m_line,
            expected + (column > LONG ? " at byte " + std::to_string(column) + " of the line" : ""),
            m_text.substr(m_next, end - m_next));
    }

    unsigned char Get(std::size_t position) const
    {
        return static_cast<unsigned char>(m_text[position]);
    }

    /// Go to the next byte that is no blank.
    void SkipBlanks()
    {
        for (; m_next < m_text.size(); ++m_next)
        {
            const char c = m_text[m_next];
            if (c == '\n')
            {
                ++m_line;
                m_lineBegin = m_next + 1;
            }
            else if (c != ' ' && c != '\t' && c != '\r')
            {
                return;
            }
        }
    }

    /// Skip blanks, and a byte if it comes then. @return whether it came
    bool Skip(char c)
    {
        SkipBlanks();
        if (m_next < m_text.size() && m_text[m_next] == c)
        {
            ++m_next;
            return true;
        }
        return false;
    }

    JsonValue ParseValue(int depth)
    {
        JsonValue value;
        SkipBlanks();
        value.line = m_line;
        if (depth > MAX_DEPTH)
        {
            Fail("at most 64 arrays and objects within each other");
        }
        if (Skip('{'))
        {
            value.type = JsonValue::Type::OBJECT;
            ParseMembers(value, depth);
        }
        else if (Skip('['))
        {
            value.type = JsonValue::Type::ARRAY;
            if (!Skip(']'))
            {
                do
                {
                    value.items.push_back(ParseValue(depth + 1));
                } while (Skip(','));
                if (!Skip(']'))
                {
                    Fail("\",\" or \"]\"");
                }
            }
        }
        else if (m_next < m_text.size() && m_text[m_next] == '"')
        {
            value.type = JsonValue::Type::STRING;
            value.text = ParseString();
        }
        else
        {
            ParseWord(value);
        }
        return value;
    }

    void ParseMembers(JsonValue& value, int depth)
    {
        if (Skip('}'))
        {
            return;
        }
        do
        {
            SkipBlanks();
            if (m_next >= m_text.size() || m_text[m_next] != '"')
            {
                Fail("a key in quotation marks");
            }
            const std::string key = ParseString();
            if (std::find(value.keys.begin(), value.keys.end(), key) != value.keys.end())
            {
                throw TextError(m_line, "each key once in an object", key);
            }
            if (!Skip(':'))
            {
                Fail("\":\" behind the key \"" + GetPrintableName(key) + "\"");
            }
            value.keys.push_back(key);
            value.items.push_back(ParseValue(depth + 1));
        } while (Skip(','));
        if (!Skip('}'))
        {
            Fail("\",\" or \"}\"");
        }
    }

    /// Read a number or a literal.
    void ParseWord(JsonValue& value)
    {
        std::size_t end = m_next;
        while (end < m_text.size() && (std::isalnum(Get(end)) || m_text[end] == '-' ||
                                       m_text[end] == '+' || m_text[end] == '.'))
        {
            ++end;
        }
        value.text = m_text.substr(m_next, end - m_next);
        double number;
        if (IsJsonNumber(value.text) && ParseNumber(value.text, number))
        {
            value.type = JsonValue::Type::NUMBER;
        }
        else if (value.text != "true" && value.text != "false" && value.text != "null")
        {
            Fail("a value of JSON");
        }
        m_next = end;
    }

    /// Read a string, from its quotation mark on. @return what it means, in UTF-8
    std::string ParseString()
    {
        std::string result;
        ++m_next;
        while (m_next < m_text.size() && Get(m_next) >= 0x20)
        {
            const char c = m_text[m_next];
            ++m_next;
            if (c == '"')
            {
                return result;
            }
            result += c == '\\' ? ParseEscape() : std::string(1, c);
        }
        Fail("a quotation mark that ends the string");
    }

    /// @return what the text after a backslash means
    std::string ParseEscape()
    {
        static constexpr char ESCAPES[] = "\"\\/bfnrt";
        static constexpr char MEANINGS[] = "\"\\/\b\f\n\r\t";
        const char c = m_next < m_text.size() ? m_text[m_next] : '\0';
        const auto* const found = std::find(std::begin(ESCAPES), std::end(ESCAPES) - 1, c);
        if (found != std::end(ESCAPES) - 1)
        {
            ++m_next;
            return {MEANINGS[found - std::begin(ESCAPES)]};
        }
        uint32_t code = 0;
        if (c != 'u' || !ParseHex(code) || (code >= 0xd800 && code < 0xe000))
        {
            Fail("an escape sequence of JSON; of \\u, one for a character below U+D800 or above "
                 "U+DFFF");
        }
        if (code < 0x80)
        {
            return {static_cast<char>(code)};
        }
        const char last = static_cast<char>(0x80 | (code & 0x3f));
        if (code < 0x800)
        {
            return {static_cast<char>(0xc0 | code >> 6), last};
        }
        return {static_cast<char>(0xe0 | code >> 12),
                static_cast<char>(0x80 | (code >> 6 & 0x3f)),
                last};
    }

    /// Read "u" and four hexadecimal digits. @return whether they were there
    bool ParseHex(uint32_t& code)
    {
        const char* const begin = m_text.data() + std::min(m_next + 1, m_text.size());
        const char* const end =
            begin + std::min<std::size_t>(4, m_text.data() + m_text.size() - begin);
        const bool isThere = end == begin + 4 && std::from_chars(begin, end, code, 16).ptr == end;
        m_next += isThere ? 5 : 0;
        return isThere;
    }

    std::string m_text;         //!< the text
    std::size_t m_next{0};      //!< the next byte
    uint32_t m_line{1};         //!< its line
    std::size_t m_lineBegin{0}; //!< where the line begins
};

} // namespace

JsonValue
ParseJsonText(std::string text)
{
    return JsonParser(std::move(text)).Parse();
}

} // namespace ns3::aidc
