/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-negotiation.h"

namespace ns3::aidc
{

bool
CsigNegotiation::SendSyn(uint32_t maxOffers)
{
    if (m_isAnswered)
    {
        m_offers = 0;
        m_isAnswered = false;
    }
    m_isAgreed = false;
    if (m_offers == maxOffers)
    {
        return false;
    }
    ++m_offers;
    return true;
}

void
CsigNegotiation::ReceiveSyn(bool hasOption)
{
    m_peerOffers = hasOption;
    // One that repeats the offer may come late, after the answer.
    m_isAgreed = m_isAgreed && hasOption;
}

bool
CsigNegotiation::SendSynAck()
{
    m_isAgreed = m_peerOffers;
    return m_isAgreed;
}

void
CsigNegotiation::ReceiveSynAck(bool hasOption)
{
    m_isAgreed = hasOption && m_offers > 0;
    m_isAnswered = true;
}
} // namespace ns3::aidc
