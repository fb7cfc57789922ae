/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "breakable-link-error-model.h"

#include "ns3/packet.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(BreakableLinkErrorModel);

TypeId
BreakableLinkErrorModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::BreakableLinkErrorModel")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Aidc")
                            .AddConstructor<BreakableLinkErrorModel>();
    return tid;
}

void
BreakableLinkErrorModel::SetOther(Ptr<ErrorModel> other)
{
    m_other = other;
}

void
BreakableLinkErrorModel::SetBroken(bool isBroken)
{
    m_isBroken = isBroken;
}

uint64_t
BreakableLinkErrorModel::GetLostPackets() const
{
    return m_lostPackets;
}

bool
BreakableLinkErrorModel::DoCorrupt(Ptr<Packet> p)
{
    if (m_isBroken)
    {
        ++m_lostPackets;
        return true;
    }
    return m_other && m_other->IsCorrupt(p);
}

void
BreakableLinkErrorModel::DoReset()
{
    m_isBroken = false;
    m_lostPackets = 0;
    if (m_other)
    {
        m_other->Reset();
    }
}

} // namespace ns3::aidc
