/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_TRAILER_H
#define AIDC_ROCE_TRAILER_H

#include "../core/transport/invariant-crc.h"

#include "ns3/trailer.h"

#include <array>
#include <cstdint>
#include <ostream>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The invariant CRC at the end of a RoCEv2 packet.
 *
 * It is a trailer rather than a packet appended to the payload. To append a packet, ns-3 would
 * allocate the payload, whose zeros take no memory until then.
 */
class RoceTrailer : public Trailer
{
  public:
    /// The bytes as they are sent.
    using Bytes = std::array<uint8_t, INVARIANT_CRC_SIZE>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Constructor.
     * @param bytes the bytes as they are sent
     */
    explicit RoceTrailer(const Bytes& bytes = Bytes());

    /// @param bytes the bytes as they are sent
    void SetBytes(const Bytes& bytes)
    {
        m_bytes = bytes;
    }

    /// @return the bytes as they are sent
    const Bytes& GetBytes() const;

    // From Trailer
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator end) const override;
    using Trailer::Deserialize;
    uint32_t Deserialize(Buffer::Iterator end) override;
    void Print(std::ostream& os) const override;

  private:
    Bytes m_bytes; //!< the bytes as they are sent
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_TRAILER_H
