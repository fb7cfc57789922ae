/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_ANSWER_HEADER_H
#define AIDC_CSIG_ANSWER_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <ostream>

namespace ns3::aidc
{

/// The answer of a CsigUdpSink after the reflection header: 8 bytes, big endian.
class CsigAnswerHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Constructor. @param receivedBytes the payload that has arrived, in bytes
    explicit CsigAnswerHeader(uint64_t receivedBytes = 0);

    /// @return the bytes of payload that have arrived
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    // From Header
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 8;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.WriteHtonU64(m_receivedBytes);
    }

    uint32_t Deserialize(Buffer::Iterator start) override; // 0 if the packet is too short

    void Print(std::ostream& os) const override
    {
        os << "received=" << m_receivedBytes;
    }

  private:
    uint64_t m_receivedBytes; //!< bytes of payload
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_ANSWER_HEADER_H
