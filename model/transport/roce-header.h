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
 * @brief The headers of a RoCEv2 packet behind UDP, for packets that are printed or looked at.
 */
class RoceHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Constructor.
     * @param packet what the headers say
     */
    explicit RoceHeader(const RocePacket& packet = RocePacket());

    /**
     * @brief Get what the headers say.
     * @return that; the size of the payload is known if the header was read from a whole packet
     */
    const RocePacket& GetPacket() const;

    // From Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override; // 0 if the bytes are no such headers
    void Print(std::ostream& os) const override;

  private:
    RocePacket m_packet; //!< what the headers say
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_HEADER_H
