/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "next-hop-selector.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcNextHopSelector");

NS_OBJECT_ENSURE_REGISTERED(NextHopSelector);
NS_OBJECT_ENSURE_REGISTERED(HashSelector);

TypeId
NextHopSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::NextHopSelector")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddAttribute("Seed",
                          "Seed of the hash of flows; 0 takes the number of the node, so that each "
                          "switch has its own",
                          UintegerValue(0),
                          MakeUintegerAccessor(&NextHopSelector::m_seed),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
NextHopSelector::NotifyGroup(NextHopGroup&)
{
}

void
NextHopSelector::SetIpv4(Ptr<Ipv4> ipv4)
{
    const auto node = ipv4->GetObject<Node>();
    m_switchSeed = m_seed == 0 && node ? node->GetId() + 1 : m_seed;
    NS_LOG_LOGIC("Seed " << m_switchSeed);
}

void
NextHopSelector::NotifyInterface(uint32_t, bool)
{
}

int64_t
NextHopSelector::AssignStreams(int64_t)
{
    return 0;
}

uint32_t
NextHopSelector::Hash(const FlowKey& key) const
{
    return HashFlow(key, m_switchSeed);
}

TypeId
HashSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::HashSelector")
                            .SetParent<NextHopSelector>()
                            .SetGroupName("Aidc")
                            .AddConstructor<HashSelector>();
    return tid;
}

uint32_t
HashSelector::Select(NextHopGroup& group, const FlowKey& key)
{
    return group.usable[PickMember(Hash(key), static_cast<uint32_t>(group.usable.size()))];
}

} // namespace ns3::aidc
