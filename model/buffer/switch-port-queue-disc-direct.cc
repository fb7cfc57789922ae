/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer-queue-disc.h"
#include "switch-port-queue-disc.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * What a SwitchPortQueueDisc is to a port that knows it as a PortQueue.
 */

namespace ns3::aidc
{

void
SwitchPortQueueDisc::Attach()
{
    m_isAttached = true;
    TryCountOnDeparture();
}

void
SwitchPortQueueDisc::TryCountOnDeparture()
{
    if (!m_countOnDeparture || !m_isAttached || m_totals.IsAttached() || m_states.empty() ||
        m_waiting != 0)
    {
        return;
    }
    std::vector<SharedBufferQueueDisc*> children;
    for (const auto& state : m_states)
    {
        children.push_back(dynamic_cast<SharedBufferQueueDisc*>(state.queueDisc));
    }
    if (std::all_of(children.begin(), children.end(), [](SharedBufferQueueDisc* child) {
            return child && child->CountOnDeparture();
        }))
    {
        for (std::size_t i = 0; i < m_states.size(); ++i)
        {
            m_states[i].direct = children[i];
        }
        m_totals.Attach(*this);
    }
}

bool
SwitchPortQueueDisc::Push(const Ptr<QueueDiscItem>& item)
{
    if (!m_totals.IsAttached())
    {
        return Enqueue(item);
    }
    const bool queued = Accept(item);
    if (!queued)
    {
        m_totals.CountRefusal(item->GetSize());
    }
    return queued;
}

Ptr<QueueDiscItem>
SwitchPortQueueDisc::Pop()
{
    return m_totals.IsAttached() ? DoDequeue() : Dequeue();
}

bool
SwitchPortQueueDisc::HasPackets() const
{
    return m_waiting != 0;
}

uint64_t
SwitchPortQueueDisc::GetQueuedBytes() const
{
    uint64_t bytes = 0;
    for (const auto& state : m_states)
    {
        bytes += state.share->GetOccupancy();
    }
    return bytes;
}

Ptr<QueueDiscItem>
SwitchPortQueueDisc::ClassState::Take() const
{
    return direct ? direct->Pop() : queueDisc->Dequeue();
}

} // namespace ns3::aidc
