/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-bandwidth-routing.h"

#include "../aidc-compat.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/spray-selector.h"
#include "ns3/weighted-selector.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcPathBandwidthRouting");
NS_OBJECT_ENSURE_REGISTERED(PathBandwidthRouting);

TypeId
PathBandwidthRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::PathBandwidthRouting")
            .SetParent<MultipathRouting>()
            .SetGroupName("Aidc")
            .AddConstructor<PathBandwidthRouting>()
            .AddAttribute(
                "Granularity",
                "Whether flows or packets have shares by the weights of next hops, unless "
                "another selector is set",
                TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                EnumValue(FLOW),
                MakeEnumAccessorFor<Granularity>(&PathBandwidthRouting::m_granularity),
                MakeEnumChecker(FLOW, "Flow", PACKET, "Packet"));
    return tid;
}

PathBandwidthRouting::PathBandwidthRouting() = default;

void
PathBandwidthRouting::NotifyConstructionCompleted()
{
    NS_LOG_FUNCTION(this);
    MultipathRouting::NotifyConstructionCompleted();
    if (GetSelector()) // set by attribute
    {
        return;
    }
    if (m_granularity == FLOW)
    {
        SetSelector(CreateObject<WeightedSelector>());
        return;
    }
    SetSelector(CreateObjectWithAttributes<SpraySelector>("Mode",
                                                          EnumValue(SpraySelector::ROUND_ROBIN),
                                                          "Weighted",
                                                          BooleanValue(true)));
}

} // namespace ns3::aidc
