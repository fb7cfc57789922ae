/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_HEADER_H
#define AIDC_ROCE_HEADER_H

#include "ns3/header.h"
#include "ns3/roce-packet.h"

#include <cstdint>
#include <ostream>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The UDP header of a RoCEv2 packet and the headers after it, to print and inspect packets.
 *
 * To ns-3 they are one header: each header added to a packet takes some 500 instructions.
 */
class RoceHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the source port of UDP
    uint16_t GetSourcePort() const;

    /// Get the contents of the headers after UDP.
    /// @return the packet; the size of its payload is known if it was read whole
    const RocePacket& GetPacket() const;

    // From Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override; // 0 if these are other bytes
    void Print(std::ostream& os) const override;

  private:
    uint16_t m_sourcePort{0}; //!< the source port of UDP
    RocePacket m_packet;      //!< the contents of the headers after UDP
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_HEADER_H
