/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_FRAME_HEADER_H
#define AIDC_ETHERNET_FRAME_HEADER_H

#include "../core/ethernet/ethernet-fields.h"

#include "ns3/header.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The header of an Ethernet II frame, with its VLAN tags and one tag after them.
 *
 * ns-3's own EthernetHeader knows no tags.
 */
class EthernetFrameHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    EthernetFrameHeader() = default;

    /// Constructor for reading frames. @param known the kinds of tags to look for after VLAN tags
    explicit EthernetFrameHeader(const KnownTags& known);

    /// @return the fields
    const EthernetFields& GetFields() const
    {
        return m_fields;
    }

    /// @return the fields, to set them
    EthernetFields& GetFields()
    {
        return m_fields;
    }

    /// @return whether the last Deserialize() has found a complete header
    bool IsValid() const
    {
        return m_isValid;
    }

    // From Header
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    EthernetFields m_fields; //!< the fields
    KnownTags m_known;       //!< the kinds of tags to look for
    bool m_isValid{false};   //!< whether the last header read is complete
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_FRAME_HEADER_H
