/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WRITTEN_HEADER_H
#define AIDC_WRITTEN_HEADER_H

#include "ns3/header.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief A header that exists as bytes already, to be added to a packet.
 *
 * It has the TypeId of the header class T, so that ns-3's metadata names the packet's headers.
 *
 * @tparam T the class of that header
 */
template <typename T>
class WrittenHeader : public Header
{
  public:
    WrittenHeader() = default;

    /// Constructor. bytes: the bytes of the header; size: the number of bytes.
    WrittenHeader(const uint8_t* bytes, std::size_t size)
    {
        SetBytes(bytes, size);
    }

    /// Set other bytes, which costs less than making another object. bytes: the bytes of the
    /// header; size: the number of bytes.
    void SetBytes(const uint8_t* bytes, std::size_t size)
    {
        m_bytes = bytes;
        m_size = static_cast<uint32_t>(size);
    }

    TypeId GetInstanceTypeId() const override
    {
        return T::GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return m_size;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes, m_size);
    }

    uint32_t Deserialize(Buffer::Iterator) override
    {
        return 0; // it is never read
    }

    void Print(std::ostream& os) const override
    {
        os << m_size << " bytes";
    }

  private:
    const uint8_t* m_bytes{nullptr}; //!< the header
    uint32_t m_size{0};              //!< its size
};

} // namespace ns3::aidc

#endif // AIDC_WRITTEN_HEADER_H
