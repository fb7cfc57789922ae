// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_HEADER_H
#define AIDC_ROCE_HEADER_H

#include "../core/transport/invariant-crc.h"
#include "../core/transport/roce-bytes.h"

#include "ns3/header.h"
#include "ns3/protocol-numbers.h"
#include "ns3/roce-packet.h"
#include "ns3/trailer.h"

#include <array>
#include <cstdint>
#include <ostream>

namespace ns3::aidc
{

/// The UDP header of a RoCEv2 packet and the headers after it, to print and inspect packets.
///
/// To ns-3 they are one header: each header added to a packet takes some 500 instructions.
class RoceHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the source port of UDP
    uint16_t GetSourcePort() const
    {
        return m_sourcePort;
    }

    /// Get the contents of the headers after UDP.
    /// @return the packet; the size of its payload is known if it was read whole
    const RocePacket& GetPacket() const
    {
        return m_packet;
    }

    // From Header
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return UDP_HEADER_SIZE + GetRoceHeaderSize(m_packet);
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override; // 0 if these are other bytes
    void Print(std::ostream& os) const override;

  private:
    uint16_t m_sourcePort{0}; //!< the source port of UDP
    RocePacket m_packet;      //!< the contents of the headers after UDP
};

/// The invariant CRC at the end of a RoCEv2 packet.
///
/// It is a trailer rather than a packet appended to the payload. To append a packet, ns-3 would
/// allocate the payload, whose zeros take no memory until then.
class RoceTrailer : public Trailer
{
  public:
    /// The bytes as they are sent.
    using Bytes = std::array<uint8_t, INVARIANT_CRC_SIZE>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param bytes the bytes as they are sent
    void SetBytes(const Bytes& bytes)
    {
        m_bytes = bytes;
    }

    // From Trailer
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return INVARIANT_CRC_SIZE;
    }

    void Serialize(Buffer::Iterator end) const override;
    using Trailer::Deserialize;
    uint32_t Deserialize(Buffer::Iterator end) override;
    void Print(std::ostream& os) const override;

  private:
    Bytes m_bytes{}; //!< the bytes as they are sent
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_HEADER_H
