/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-queue-pair-table.h"

#include "../core/require-argument.h"

#include <utility>

namespace ns3::aidc
{

uint32_t
RoceQueuePairTable::Create(uint32_t port)
{
    m_entries.emplace_back();
    m_entries.back().port = port;
    return FIRST_QP + GetN() - 1;
}

uint32_t
RoceQueuePairTable::GetN() const
{
    return static_cast<uint32_t>(m_entries.size());
}

const RoceQueuePairTable::Entry&
RoceQueuePairTable::GetEntry(uint32_t qp) const
{
    AIDC_REFUSED_UNLESS(qp >= FIRST_QP && qp - FIRST_QP < m_entries.size(),
                        "RoceNic: there is no queue pair " << qp);
    return m_entries[qp - FIRST_QP];
}

RoceQueuePairTable::Entry&
RoceQueuePairTable::GetUnconnected(uint32_t qp)
{
    AIDC_REFUSED_IF(GetEntry(qp).pair, "RoceNic: queue pair " << qp << " is connected already");
    return m_entries[qp - FIRST_QP];
}

RoceQueuePair&
RoceQueuePairTable::Get(uint32_t qp) const
{
    RoceQueuePair* pair = Find(qp);
    AIDC_REFUSED_UNLESS(pair, "RoceNic: there is no queue pair " << qp << " that is connected");
    return *pair;
}

std::vector<uint32_t>
RoceQueuePairTable::Forget()
{
    std::vector<uint32_t> numbers;
    for (auto& entry : m_entries)
    {
        if (entry.pair)
        {
            numbers.push_back(entry.pair->GetConnection().localQp);
            entry.pair->Forget();
            m_former.push_back(std::move(entry.pair));
        }
    }
    return numbers;
}

} // namespace ns3::aidc
