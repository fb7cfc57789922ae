/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "protobuf-reader.h"

#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// What is wrong with a number whose last bytes are missing.
constexpr char CUT_OFF[] = "expected a number, found the end";

} // namespace

std::string
ProtobufField::GetText() const
{
    return {data, data + size};
}

ProtobufReader::ProtobufReader(const uint8_t* data, std::size_t size)
    : m_data(data),
      m_size(size)
{
}

bool
ProtobufReader::IsAtEnd() const
{
    return m_next == m_size;
}

uint64_t
ProtobufReader::ReadVarint()
{
    uint64_t value = 0;
    for (uint32_t shift = 0;; shift += 7)
    {
        if (m_next == m_size)
        {
            throw std::invalid_argument(CUT_OFF);
        }
        const uint8_t byte = m_data[m_next++];
        if (shift == 63 && byte > 1) // of which one bit is left
        {
            throw std::invalid_argument("expected a number of at most 64 bits, found more");
        }
        value |= uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80)
        {
            return value;
        }
    }
}

uint64_t
ProtobufReader::ReadFixed(std::size_t nBytes)
{
    if (m_size - m_next < nBytes)
    {
        throw std::invalid_argument(CUT_OFF);
    }
    uint64_t value = 0;
    for (std::size_t i = 0; i < nBytes; ++i)
    {
        value |= uint64_t{m_data[m_next++]} << 8 * i;
    }
    return value;
}

ProtobufField
ProtobufReader::ReadBytes()
{
    ProtobufField field;
    field.type = ProtobufField::BYTES;
    const uint64_t size = ReadVarint();
    if (size > m_size - m_next)
    {
        throw std::invalid_argument("expected " + std::to_string(size) + " bytes, found " +
                                    std::to_string(m_size - m_next));
    }
    field.data = m_data + m_next;
    field.size = static_cast<std::size_t>(size);
    m_next += field.size;
    return field;
}

ProtobufField
ProtobufReader::ReadField()
{
    const uint64_t key = ReadVarint();
    ProtobufField field;
    switch (key & 7)
    {
    case ProtobufField::VARINT:
        field.value = ReadVarint();
        break;
    case ProtobufField::FIXED64:
        field.value = ReadFixed(8);
        break;
    case ProtobufField::BYTES:
        field = ReadBytes();
        break;
    case ProtobufField::FIXED32:
        field.value = ReadFixed(4);
        break;
    default:
        throw std::invalid_argument("expected a field of type 0, 1, 2 or 5, found one of type " +
                                    std::to_string(key & 7));
    }
    if (key >> 3 == 0 || key >> 32 != 0)
    {
        throw std::invalid_argument("expected a field of number 1 to 536870911, found number " +
                                    std::to_string(key >> 3));
    }
    field.number = static_cast<uint32_t>(key >> 3);
    field.type = static_cast<ProtobufField::Type>(key & 7);
    return field;
}

} // namespace ns3::aidc
