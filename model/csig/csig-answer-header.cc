/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-answer-header.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigAnswerHeader");

NS_OBJECT_ENSURE_REGISTERED(CsigAnswerHeader);

TypeId
CsigAnswerHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigAnswerHeader")
                            .SetParent<Header>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CsigAnswerHeader>();
    return tid;
}

CsigAnswerHeader::CsigAnswerHeader(uint64_t receivedBytes)
    : m_receivedBytes(receivedBytes)
{
}

uint32_t
CsigAnswerHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < 8)
    {
        NS_LOG_LOGIC("Expected 8 bytes, found " << start.GetRemainingSize());
        return 0;
    }
    m_receivedBytes = start.ReadNtohU64();
    return 8;
}

} // namespace ns3::aidc
