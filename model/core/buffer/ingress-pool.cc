/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ingress-pool.h"

namespace ns3::aidc
{

IngressPool::IngressPool(BufferPool& pool)
    : m_pool(pool)
{
}

IngressPool::AccountId
IngressPool::AddAccount(BufferPool::GroupId group)
{
    Account account;
    account.queue = m_pool.AddQueue();
    m_pool.SetGroup(account.queue, group);
    m_accounts.push_back(account);
    return static_cast<AccountId>(m_accounts.size() - 1);
}

bool
IngressPool::SetLimits(AccountId account, const IngressLimits& limits)
{
    BufferLimits inPool;
    inPool.alpha = limits.xoffAlpha;
    inPool.reserved = limits.reserved;
    inPool.headroom = limits.headroom;
    auto& a = m_accounts[account];
    if (!m_pool.SetLimits(a.queue, inPool))
    {
        return false;
    }
    a.xonOffset = limits.xonOffset;
    a.xon = limits.xon;
    return true;
}

} // namespace ns3::aidc
