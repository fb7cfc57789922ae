// SPDX-License-Identifier: GPL-2.0-only

#include "csig-reflection.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

constexpr uint8_t VALID = 0x80;    //!< the data fields are valid
constexpr uint8_t EXPANDED = 0x40; //!< the data fields are expanded
constexpr uint8_t UNTAGGED = 0x20; //!< packets came without a tag

} // namespace

bool
operator==(const CsigReflection& a, const CsigReflection& b)
{
    return a.fields == b.fields && a.untagged == b.untagged;
}

std::size_t
EncodeCsigOption(const std::optional<CsigFields>& fields,
                 const TcpExperimentalOption& option,
                 uint8_t* bytes)
{
    std::size_t size = GetCsigEmptyOptionSize(option);
    if (fields)
    {
        size += EncodeCsigData(*fields, bytes + size);
    }
    bytes[0] = option.kind;
    bytes[1] = static_cast<uint8_t>(size);
    if (option.hasExId)
    {
        bytes[2] = static_cast<uint8_t>(option.exId >> 8);
        bytes[3] = static_cast<uint8_t>(option.exId);
    }
    return size;
}

std::optional<CsigReflection>
DecodeCsigOption(const uint8_t* bytes, std::size_t length, const TcpExperimentalOption& option)
{
    const auto emptySize = GetCsigEmptyOptionSize(option);
    if (length < emptySize || bytes[0] != option.kind || bytes[1] != length ||
        (option.hasExId && (bytes[2] << 8 | bytes[3]) != option.exId))
    {
        return std::nullopt;
    }
    CsigReflection reflection;
    if (length == emptySize)
    {
        reflection.untagged = true;
        return reflection;
    }
    reflection.fields = DecodeCsigData(bytes + emptySize, length - emptySize);
    return reflection.fields ? std::optional(reflection) : std::nullopt;
}

std::size_t
EncodeCsigReflection(const CsigReflection& reflection, uint8_t* bytes)
{
    uint8_t flags = reflection.untagged ? UNTAGGED : 0;
    if (!reflection.fields)
    {
        const auto size = GetCsigReflectionSize(CsigFormat::COMPACT);
        bytes[0] = flags;
        std::fill_n(bytes + 1, size - 1, 0);
        return size;
    }
    const auto size = 1 + EncodeCsigData(*reflection.fields, bytes + 1);
    flags |= VALID;
    if (reflection.fields->format == CsigFormat::EXPANDED)
    {
        flags |= EXPANDED;
    }
    bytes[0] = flags;
    return size;
}

std::size_t
DecodeCsigReflection(const uint8_t* bytes, std::size_t length, CsigReflection& reflection)
{
    if (length == 0)
    {
        return 0;
    }
    const auto format = (bytes[0] & EXPANDED) != 0 ? CsigFormat::EXPANDED : CsigFormat::COMPACT;
    const auto size = GetCsigReflectionSize(format);
    if (length < size)
    {
        return 0;
    }
    reflection.untagged = (bytes[0] & UNTAGGED) != 0;
    reflection.fields =
        (bytes[0] & VALID) != 0 ? DecodeCsigData(bytes + 1, GetCsigDataSize(format)) : std::nullopt;
    return size;
}

void
CsigReflector::NoteTag(const CsigFields& fields, CsigSummary summary)
{
    const uint32_t slot = fields.type + (fields.format == CsigFormat::EXPANDED ? 8 : 0);
    const uint32_t bit = uint32_t{1} << slot;
    auto& kept = m_fields[slot];
    const bool isOldKept = (m_waiting & bit) != 0 &&
                           ((summary == CsigSummary::SMALLEST && kept.value < fields.value) ||
                            (summary == CsigSummary::LARGEST && kept.value > fields.value));
    if (!isOldKept)
    {
        kept = fields;
    }
    m_waiting |= bit;
}

CsigReflection
CsigReflector::Peek() const
{
    CsigReflection reflection;
    reflection.untagged = m_untagged;
    const auto slot = FindNext();
    if (slot != SLOTS)
    {
        reflection.fields = m_fields[slot];
    }
    return reflection;
}

void
CsigReflector::Advance()
{
    const auto slot = FindNext();
    if (slot != SLOTS)
    {
        m_waiting &= ~(uint32_t{1} << slot);
        m_last = slot;
    }
    m_untagged = false;
}

uint32_t
CsigReflector::FindNext() const
{
    for (uint32_t i = 1; m_waiting != 0 && i <= SLOTS; ++i)
    {
        const auto slot = (m_last + i) % SLOTS;
        if ((m_waiting >> slot & 1) != 0)
        {
            return slot;
        }
    }
    return SLOTS;
}

} // namespace ns3::aidc
