// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_HEX_BYTES_H
#define AIDC_HEX_BYTES_H

#include <cstdint>
#include <string>
#include <vector>

// Bytes as tests write them.

namespace aidctest
{

using Bytes = std::vector<uint8_t>;

/// Make bytes of hexadecimal digits. text: the digits, two a byte, with or without spaces between
/// bytes; xx..yy means all bytes from one to the other.
inline Bytes
ParseHex(const std::string& text)
{
    Bytes bytes;
    for (std::size_t i = 0; i < text.size();)
    {
        if (text[i] == ' ')
        {
            ++i;
            continue;
        }
        const bool isRange = text.compare(i, 2, "..") == 0;
        i += isRange ? 2 : 0;
        const int value = std::stoi(text.substr(i, 2), nullptr, 16);
        i += 2;
        for (int next = isRange ? bytes.back() + 1 : value; next <= value; ++next)
        {
            bytes.push_back(static_cast<uint8_t>(next));
        }
    }
    return bytes;
}

} // namespace aidctest

#endif // AIDC_HEX_BYTES_H
