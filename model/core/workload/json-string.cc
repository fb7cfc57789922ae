/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-string.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// The length of the UTF-8 sequence that starts at a place of a text. @return the length in bytes;
/// 0 if no well-formed sequence starts there (RFC 3629, section 4)
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

} // namespace ns3::aidc
