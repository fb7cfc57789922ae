// SPDX-License-Identifier: GPL-2.0-only

#include "csig-locator.h"

#include "../require-argument.h"
#include "csig-signal.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t TTL_BITS = 8; //!< of the TTL, by section 5.5.2

std::vector<CsigLocatorLayout::Field>
GetDefaultFields(CsigFormat format)
{
    if (format == CsigFormat::COMPACT)
    {
        return {{CsigAttribute::CAPACITY, 3},
                {CsigAttribute::STAGE, 2},
                {CsigAttribute::ORIENTATION, 2}};
    }
    return {{CsigAttribute::DEVICE, 10}, {CsigAttribute::PORT, 6}};
}

/// Read one attribute of a layout. @throws std::invalid_argument if it is none
CsigLocatorLayout::Field
ParseField(const std::string& text)
{
    const auto colon = text.find(':');
    const auto name = text.substr(0, colon);
    const auto bits = colon == std::string::npos ? "" : text.substr(colon + 1);
    const bool isNumber = !bits.empty() && bits.size() <= 2 &&
                          bits.find_first_not_of("0123456789") == std::string::npos;
    for (std::size_t i = 0; isNumber && i < CSIG_ATTRIBUTES; ++i)
    {
        const auto attribute = static_cast<CsigAttribute>(i);
        if (name == GetCsigAttributeName(attribute))
        {
            return {attribute, static_cast<uint32_t>(std::stoul(bits))};
        }
    }
    std::string shown;
    for (const char c : text.substr(0, 40))
    {
        shown += c >= ' ' && c <= '~' ? c : '?';
    }
    throw std::invalid_argument("A CSIG locator layout must be attributes as NAME:BITS with commas "
                                "between, NAME one of capacity, stage, orientation, port, device, "
                                "ttl and custom; found \"" +
                                shown + "\"");
}

} // namespace

const char*
GetCsigAttributeName(CsigAttribute attribute)
{
    static constexpr std::array<const char*, CSIG_ATTRIBUTES>
        NAMES{"capacity", "stage", "orientation", "port", "device", "ttl", "custom"};
    return NAMES[static_cast<std::size_t>(attribute)];
}

bool
operator==(const CsigLocator& a, const CsigLocator& b)
{
    return a.numbers == b.numbers;
}

CsigSpeeds::CsigSpeeds()
    : CsigSpeeds({10000000000,
                  25000000000,
                  40000000000,
                  100000000000,
                  200000000000,
                  400000000000,
                  800000000000})
{
}

CsigSpeeds::CsigSpeeds(std::vector<uint64_t> speeds)
    : m_speeds(std::move(speeds))
{
    AIDC_REQUIRE(m_speeds.size() <= MAX_SPEEDS,
                 "A CSIG locator can name at most " + std::to_string(MAX_SPEEDS) +
                     " speeds of links, found " + std::to_string(m_speeds.size()));
    for (auto speed = m_speeds.begin(); speed != m_speeds.end(); ++speed)
    {
        AIDC_REQUIRE(*speed > 0 && std::find(m_speeds.begin(), speed, *speed) == speed,
                     "The speeds that a CSIG locator can name must be above 0 and each be there "
                     "once, found " +
                         std::to_string(*speed) + " bit/s");
    }
}

uint32_t
CsigSpeeds::Encode(uint64_t speed) const
{
    const auto found = std::find(m_speeds.begin(), m_speeds.end(), speed);
    return found == m_speeds.end() ? 0 : static_cast<uint32_t>(found - m_speeds.begin()) + 1;
}

uint64_t
CsigSpeeds::Decode(uint32_t number) const
{
    return number == 0 || number > m_speeds.size() ? 0 : m_speeds[number - 1];
}

CsigSpeeds
ParseCsigSpeeds(const std::string& text)
{
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    {
        return CsigSpeeds(std::vector<uint64_t>{});
    }
    return CsigSpeeds(ParseCsigValues(CsigSignal::ABW, "CSIG speed", text, CsigSpeeds::MAX_SPEEDS));
}

std::string
FormatCsigSpeeds(const CsigSpeeds& speeds)
{
    std::string text;
    for (uint32_t number = 1; speeds.Decode(number) != 0; ++number)
    {
        text += (number == 1 ? "" : ",") + FormatCsigValue(CsigSignal::ABW, speeds.Decode(number));
    }
    return text;
}

CsigLocatorLayout::CsigLocatorLayout(CsigFormat format)
    : CsigLocatorLayout(format, GetDefaultFields(format))
{
}

CsigLocatorLayout::CsigLocatorLayout(CsigFormat format, const std::vector<Field>& fields)
    : m_fields(fields)
{
    const uint32_t room = GetCsigWidths(format).locator;
    uint32_t used = 0;
    for (auto field = m_fields.begin(); field != m_fields.end(); ++field)
    {
        const auto isSame = [&](const Field& other) { return other.attribute == field->attribute; };
        const std::string name = GetCsigAttributeName(field->attribute);
        AIDC_REQUIRE(std::none_of(m_fields.begin(), field, isSame),
                     "A CSIG locator must have each attribute once, found " + name + " again");
        AIDC_REQUIRE(field->bits >= 1 && field->bits <= room,
                     "The CSIG attribute " + name + " must have from 1 to " + std::to_string(room) +
                         " bits, found " + std::to_string(field->bits));
        AIDC_REQUIRE(field->attribute != CsigAttribute::TTL || field->bits == TTL_BITS,
                     "The CSIG attribute ttl must have 8 bits, found " +
                         std::to_string(field->bits));
        used += field->bits;
    }
    AIDC_REQUIRE(used <= room,
                 "The attributes of a CSIG locator must be within " + std::to_string(room) +
                     " bits, found " + std::to_string(used));
    uint32_t shift = used;
    for (const auto& field : m_fields)
    {
        shift -= field.bits;
        if (field.attribute == CsigAttribute::TTL)
        {
            m_ttlShift = shift;
            m_ttlMask = GetCsigMaximum(TTL_BITS) << shift;
        }
    }
}

CsigLocatorLayout
CsigLocatorLayout::Parse(CsigFormat format, const std::string& text)
{
    std::vector<Field> fields;
    for (std::size_t begin = 0; !text.empty() && begin <= text.size();)
    {
        const auto end = std::min(text.find(',', begin), text.size());
        fields.push_back(ParseField(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return CsigLocatorLayout(format, fields);
}

std::string
CsigLocatorLayout::Format() const
{
    std::string text;
    for (const auto& field : m_fields)
    {
        text += (text.empty() ? "" : ",") + std::string(GetCsigAttributeName(field.attribute)) +
                ":" + std::to_string(field.bits);
    }
    return text;
}

uint16_t
CsigLocatorLayout::Encode(const CsigLocator& locator) const
{
    uint32_t bits = 0;
    for (const auto& field : m_fields)
    {
        const auto number = locator.Get(field.attribute);
        AIDC_REQUIRE(number <= GetCsigMaximum(field.bits),
                     "The CSIG attribute " + std::string(GetCsigAttributeName(field.attribute)) +
                         " must be at most " + std::to_string(GetCsigMaximum(field.bits)) +
                         ", as it has " + std::to_string(field.bits) + " bits, not " +
                         std::to_string(number));
        bits = bits << field.bits | number;
    }
    return static_cast<uint16_t>(bits);
}

CsigLocator
CsigLocatorLayout::Decode(uint16_t bits) const
{
    CsigLocator locator;
    uint32_t rest = bits;
    for (auto field = m_fields.rbegin(); field != m_fields.rend(); ++field)
    {
        locator.Set(field->attribute, rest & GetCsigMaximum(field->bits));
        rest >>= field->bits;
    }
    return locator;
}
} // namespace ns3::aidc
