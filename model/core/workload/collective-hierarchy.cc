/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-hierarchy.h"

#include "collective-ring.h"

namespace ns3::aidc
{

uint32_t
CollectiveHierarchy::GetNSteps(uint32_t, uint32_t) const
{
    return 2 * (m_settings.nPerServer - 1) + 2 * (m_settings.GetNServers() - 1);
}

CollectiveStep
CollectiveHierarchy::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const uint32_t g = m_settings.nPerServer;
    const uint32_t nServers = m_settings.GetNServers();
    const uint32_t server = member / g;
    const uint32_t inside = member % g;
    const uint32_t railBegin = g - 1;
    const uint32_t railEnd = railBegin + 2 * (nServers - 1);
    CollectiveStep result;
    if (step >= railBegin && step < railEnd)
    {
        const uint32_t round = step - railBegin;
        const bool reduces = round < nServers - 1;
        const CollectiveRingBlocks blocks(nServers, server, round % (nServers - 1), reduces);
        const CollectivePart own = m_settings.GetBlocks(lane, g, inside);
        result.Send((server + 1) % nServers * g + inside, own.Divide(nServers, blocks.sent));
        result.Receive((server + nServers - 1) % nServers * g + inside,
                       own.Divide(nServers, blocks.received),
                       reduces);
        result.stepsBefore = round == 0 ? railEnd : 0;
        return result;
    }
    const bool reduces = step < railBegin;
    const uint32_t round = reduces ? step : step - railEnd;
    const CollectiveRingBlocks blocks(g, inside, round, reduces);
    result.Send(server * g + (inside + 1) % g, m_settings.GetBlocks(lane, g, blocks.sent));
    result.Receive(server * g + (inside + g - 1) % g,
                   m_settings.GetBlocks(lane, g, blocks.received),
                   reduces);
    if (round == 0)
    {
        result.stepsBefore = reduces ? railBegin : GetNSteps(member, lane);
    }
    return result;
}

} // namespace ns3::aidc
