/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-ring.h"

namespace ns3::aidc
{

uint32_t
CollectiveRingOrder::GetMember(uint32_t place) const
{
    const uint32_t g = m_nPerServer;
    const uint32_t server = place / g;
    const uint32_t inside = place % g;
    return server * g + (server % 2 == 0 ? m_leaving + 1 + inside : m_leaving + g - inside) % g;
}

uint32_t
CollectiveRingOrder::GetPlace(uint32_t member) const
{
    const uint32_t g = m_nPerServer;
    const uint32_t server = member / g;
    const uint32_t inside = member % g;
    return server * g +
           (server % 2 == 0 ? inside + 2 * g - m_leaving - 1 : m_leaving + g - inside) % g;
}

CollectiveRingBlocks::CollectiveRingBlocks(uint32_t n, uint32_t place, uint32_t step, bool reduces)
    : sent((place + 2 * n - step - (reduces ? 1 : 0)) % n),
      received((sent + n - 1) % n) // what a place has sent in a step, the next one has received
{
}

uint32_t
CollectiveRing::GetNSteps(uint32_t, uint32_t) const
{
    const uint32_t n = m_settings.nMembers - 1;
    return m_settings.kind == CollectiveKind::ALL_REDUCE ? 2 * n : n;
}

CollectiveStep
CollectiveRing::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    const uint32_t n = m_settings.nMembers;
    const CollectiveRingOrder order(m_settings.nPerServer, lane % m_settings.nChannels);
    const uint32_t place = order.GetPlace(member);
    const bool reduces = m_settings.kind == CollectiveKind::REDUCE_SCATTER ||
                         (m_settings.kind == CollectiveKind::ALL_REDUCE && step < n - 1);
    const CollectiveRingBlocks blocks(n, place, step % (n - 1), reduces);
    const auto getBlock = [&](uint32_t owner) {
        return m_settings.GetBlocks(lane, n, order.GetMember(owner));
    };
    CollectiveStep result;
    result.Send(order.GetMember((place + 1) % n), getBlock(blocks.sent));
    result.Receive(order.GetMember((place + n - 1) % n), getBlock(blocks.received), reduces);
    return result;
}

} // namespace ns3::aidc
