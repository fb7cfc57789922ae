/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_REFLECTION_HEADER_H
#define AIDC_CSIG_REFLECTION_HEADER_H

#include "../core/csig/csig-reflection.h"

#include "ns3/header.h"

namespace ns3::aidc
{

/// The reflection header of transports other than TCP, for the beginning of a payload (section
/// 4.2.2 of draft-ravi-ippm-csig-01, figure 4).
class CsigReflectionHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Constructor. @param reflection what to reflect; each field within its bits
    explicit CsigReflectionHeader(const CsigReflection& reflection = CsigReflection());

    /// @return what is reflected
    const CsigReflection& GetReflection() const
    {
        return m_reflection;
    }

    // From Header
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return m_size;
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override; // 0 if the packet is too short
    void Print(std::ostream& os) const override;

  private:
    CsigReflection m_reflection; //!< what is reflected
    uint32_t m_size;             //!< of the header in bytes
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_REFLECTION_HEADER_H
