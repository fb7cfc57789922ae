// SPDX-License-Identifier: GPL-2.0-only

#include "link-failure-error-model.h"

#include "ns3/log.h"
#include "ns3/packet.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcLinkFailureErrorModel");

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

bool
LinkFailureErrorModel::DoCorrupt(Ptr<Packet> p)
{
    if (m_isFailed)
    {
        ++m_lostPackets;
        NS_LOG_LOGIC("Lost a packet of " << p->GetSize() << " bytes");
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
