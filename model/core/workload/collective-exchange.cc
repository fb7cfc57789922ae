/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-exchange.h"

#include <algorithm>

namespace ns3::aidc
{

uint32_t
CollectiveExchange::GetNSteps(uint32_t, uint32_t) const
{
    const uint32_t nRounds = m_settings.nMembers - 1;
    return m_settings.algorithm == CollectiveAlgorithm::DIRECT ? std::min(nRounds, 1U) : nRounds;
}

CollectiveStep
CollectiveExchange::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const uint32_t n = m_settings.nMembers;
    const uint32_t g = m_settings.nPerServer;
    const uint32_t nServers = m_settings.GetNServers();
    const uint32_t nStreams = m_settings.GetNStreams();
    const uint32_t round = (nStreams > 1 ? lane % nStreams : step) + 1;
    const uint32_t outside = round / g;
    const uint32_t inside = round % g;
    const uint32_t to = (member / g + outside) % nServers * g + (member % g + inside) % g;
    const uint32_t from =
        (member / g + nServers - outside) % nServers * g + (member % g + g - inside) % g;
    CollectivePart sent;
    CollectivePart received;
    if (m_settings.sizes)
    {
        sent = m_settings.sizes->GetSent(member, to);
        received = m_settings.sizes->GetReceived(from, member);
    }
    else
    {
        // All members send as much to this one, so that their blocks stand one after another
        const CollectivePart all = {0, m_settings.bytes};
        sent = all.Divide(n, to);
        received = all.Divide(n, member);
        received.offset = from * received.bytes;
    }
    const uint32_t chunk = lane / nStreams;
    CollectiveStep result;
    // Both ends know the size, and no later step needs a message that brings nothing
    if (const auto part = sent.Divide(m_settings.nChunks, chunk); part.bytes > 0)
    {
        result.Send(to, part);
    }
    if (const auto part = received.Divide(m_settings.nChunks, chunk); part.bytes > 0)
    {
        result.Receive(from, part, false);
    }
    return result;
}

} // namespace ns3::aidc
