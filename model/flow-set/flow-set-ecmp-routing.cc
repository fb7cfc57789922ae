/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-ecmp-routing.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowSetEcmpRouting");

NS_OBJECT_ENSURE_REGISTERED(FlowSetEcmpRouting);

TypeId
FlowSetEcmpRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::FlowSetEcmpRouting")
                            .SetParent<MultipathRouting>()
                            .SetGroupName("Aidc")
                            .AddConstructor<FlowSetEcmpRouting>();
    return tid;
}

FlowSetEcmpRouting::FlowSetEcmpRouting() = default;

void
FlowSetEcmpRouting::NotifyConstructionCompleted()
{
    NS_LOG_FUNCTION(this);
    MultipathRouting::NotifyConstructionCompleted();
    if (!GetSelector()) // none was set by attribute
    {
        SetSelector(CreateObject<FlowSetSelector>());
    }
}

} // namespace ns3::aidc
