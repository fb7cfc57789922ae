// SPDX-License-Identifier: GPL-2.0-only

#include "path-bandwidth-routing.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/next-hop-selector.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

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
                MakeEnumChecker(FLOW, "Flow", PACKET, "Packet"))
            .AddAttribute("WeightScale",
                          "How weights are rounded before they reach the hardware: not at all; as "
                          "FRR 8.4, to whole percents of their sum, at least 1; or as later "
                          "releases of FRR, so that the greatest is 255, at least 1",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          EnumValue(NextHopTableSettings::EXACT),
                          MakeEnumAccessorFor<NextHopTableSettings::WeightScale>(
                              &PathBandwidthRouting::m_scale),
                          MakeEnumChecker(NextHopTableSettings::EXACT,
                                          "Exact",
                                          NextHopTableSettings::PERCENT,
                                          "Percent",
                                          NextHopTableSettings::BYTE,
                                          "Byte"))
            .AddAttribute("MaxEntries",
                          "The most entries of the table of a group of next hops, at least as many "
                          "as it has next hops: weights are reduced to numbers of entries (WCMP); "
                          "0: weights stay as they are",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&PathBandwidthRouting::m_table,
                                                              &NextHopTableSettings::maxEntries),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute(
                "MaxOversubscription",
                "With MaxEntries: the factor by which a next hop may get more than its "
                "weight says, if fewer entries are enough for this; 1: the best table "
                "that fits",
                TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                DoubleValue(1),
                MakeSettingsAccessor<DoubleValue>(&PathBandwidthRouting::m_table,
                                                  &NextHopTableSettings::maxOversubscription),
                MakeDoubleChecker<double>(1))
            .AddAttribute("MaxGroups",
                          "The most groups of several next hops, of which those with the same next "
                          "hops and weights are one; a group beyond them uses one of its next hops "
                          "until there is room; 0: any number",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&PathBandwidthRouting::m_table,
                                                              &NextHopTableSettings::maxGroups),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
PathBandwidthRouting::NotifyConstructionCompleted()
{
    NS_LOG_FUNCTION(this);
    MultipathRouting::NotifyConstructionCompleted();
    AIDC_REFUSED_IF(m_table.maxOversubscription > 1 && m_table.maxEntries == 0,
                    "PathBandwidthRouting: expected MaxEntries above 0 with MaxOversubscription, "
                    "which is "
                        << m_table.maxOversubscription);
    m_table.scale = m_scale;
    SetNextHopTable(m_table);
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
