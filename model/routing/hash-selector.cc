/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hash-selector.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcHashSelector");

NS_OBJECT_ENSURE_REGISTERED(HashSelector);

TypeId
HashSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::HashSelector")
                            .SetParent<NextHopSelector>()
                            .SetGroupName("Aidc")
                            .AddConstructor<HashSelector>();
    return tid;
}

HashSelector::HashSelector()
{
    NS_LOG_FUNCTION(this);
}

HashSelector::~HashSelector()
{
    NS_LOG_FUNCTION(this);
}

uint32_t
HashSelector::Select(NextHopGroup& group, const FlowKey& key)
{
    return group.usable[PickMember(Hash(key), static_cast<uint32_t>(group.usable.size()))];
}

} // namespace ns3::aidc
