// SPDX-License-Identifier: GPL-2.0-only

#include "csig-flow-table.h"

#include <algorithm>

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

bool
CsigSentSegments::Note(uint32_t sequence, uint32_t size, uint32_t acknowledgment)
{
    const uint32_t end = sequence + size;
    if (!m_isKnown)
    {
        m_isKnown = true;
        m_end = end;
        m_acknowledgment = acknowledgment;
        return false;
    }
    // Sequence numbers wrap around.
    const bool hasOldData = static_cast<int32_t>(sequence - m_end) < 0;
    const bool isNewEnd = static_cast<int32_t>(end - m_end) > 0;
    const bool isNewAcknowledgment = static_cast<int32_t>(acknowledgment - m_acknowledgment) > 0;
    m_end = isNewEnd ? end : m_end;
    m_acknowledgment = isNewAcknowledgment ? acknowledgment : m_acknowledgment;
    return size > 0 ? hasOldData : !isNewAcknowledgment;
}

void
CsigFlowTable::SetLimits(std::size_t maxFlows, int64_t timeout)
{
    m_maxFlows = maxFlows;
    m_timeout = timeout;
    while (m_entries.size() > m_maxFlows)
    {
        RemoveOldest();
    }
}

CsigFlow*
CsigFlowTable::Find(const FlowKey& key, int64_t now)
{
    const auto found = m_index.find(key);
    if (found == m_index.end())
    {
        return nullptr;
    }
    m_entries.splice(m_entries.begin(), m_entries, found->second);
    found->second->lastTime = now;
    return &found->second->flow;
}

const CsigFlow*
CsigFlowTable::Peek(const FlowKey& key) const
{
    const auto found = m_index.find(key);
    return found == m_index.end() ? nullptr : &found->second->flow;
}

CsigFlow&
CsigFlowTable::Add(const FlowKey& key, int64_t now)
{
    auto flow = Find(key, now);
    if (flow)
    {
        return *flow;
    }
    while (!m_entries.empty() && now - m_entries.back().lastTime >= m_timeout)
    {
        RemoveOldest();
    }
    if (m_entries.size() >= m_maxFlows)
    {
        RemoveOldest();
    }
    m_entries.emplace_front();
    m_entries.front().key = key;
    m_entries.front().lastTime = now;
    m_index.emplace(key, m_entries.begin());
    return m_entries.front().flow;
}

std::vector<FlowKey>
CsigFlowTable::GetKeys() const
{
    std::vector<FlowKey> keys;
    for (const auto& entry : m_entries)
    {
        keys.push_back(entry.key);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

void
CsigFlowTable::RemoveOldest()
{
    m_index.erase(m_entries.back().key);
    m_entries.pop_back();
}

} // namespace ns3::aidc
