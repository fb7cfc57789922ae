/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme-colors.h"

#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// @param text the script @param name the name of a list @return its words
std::vector<std::string>
ReadWords(const std::string& text, const std::string& name)
{
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("\n" + name + " = \"([^\"\n]*)\"")))
    {
        return {};
    }
    std::istringstream words(found[1]);
    return {std::istream_iterator<std::string>(words), {}};
}

} // namespace

SchemeColors
ReadSchemeColors(const std::string& script)
{
    std::ifstream file(script);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    // A list may go on in the next line.
    const auto text = std::regex_replace(whole, std::regex("\"\\s*\\\\\n\\s*\\.\""), "");
    const auto colors = ReadWords(text, "scheme_colors");
    auto schemes = ReadWords(text, "colored_schemes");
    if (schemes.empty())
    {
        schemes = ReadWords(text, "schemes");
    }
    SchemeColors found;
    for (std::size_t i = 0; i < schemes.size() && i < colors.size(); ++i)
    {
        if (std::regex_match(colors[i], std::regex("#[0-9A-Fa-f]{6}")))
        {
            constexpr int HEXADECIMAL = 16;
            found[schemes[i]] =
                static_cast<uint32_t>(std::stoul(colors[i].substr(1), nullptr, HEXADECIMAL));
        }
    }
    return found;
}

std::string
PrintSwatch(uint32_t color)
{
    std::string text = "\x1b[48;2";
    for (const int shift : {16, 8, 0})
    {
        text += ";" + std::to_string((color >> shift) & 0xff);
    }
    return text + "m  \x1b[0m";
}

} // namespace ns3::aidc
