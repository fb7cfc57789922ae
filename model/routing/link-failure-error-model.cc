/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-failure-error-model.h"

#include "ns3/packet.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(LinkFailureErrorModel);

TypeId
LinkFailureErrorModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::LinkFailureErrorModel")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Aidc")
                            .AddConstructor<LinkFailureErrorModel>();
    return tid;
}

void
LinkFailureErrorModel::SetOther(Ptr<ErrorModel> other)
{
    m_other = other;
}

void
LinkFailureErrorModel::Fail()
{
    m_isFailed = true;
}

void
LinkFailureErrorModel::Restore()
{
    m_isFailed = false;
}

uint64_t
LinkFailureErrorModel::GetLostPackets() const
{
    return m_lostPackets;
}

bool
LinkFailureErrorModel::DoCorrupt(Ptr<Packet> p)
{
    if (m_isFailed)
    {
        ++m_lostPackets;
        return true;
    }
    return m_other && m_other->IsCorrupt(p);
}

void
LinkFailureErrorModel::DoReset()
{
    m_isFailed = false;
    m_lostPackets = 0;
    if (m_other)
    {
        m_other->Reset();
    }
}

} // namespace ns3::aidc
