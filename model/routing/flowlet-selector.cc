/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowlet-selector.h"

#include "../core/routing/flowlet-table.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowletSelector");

NS_OBJECT_ENSURE_REGISTERED(FlowletSelector);

namespace
{

/// @ingroup aidc
/// @brief The flowlets of a group.
class FlowletState : public NextHopGroupState
{
  public:
    /// Constructor. @param nEntries the number of entries
    explicit FlowletState(uint32_t nEntries)
        : table(nEntries)
    {
    }

    FlowletTable table; //!< the flowlets
};

} // namespace

TypeId
FlowletSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::FlowletSelector")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddConstructor<FlowletSelector>()
            .AddAttribute("Gap",
                          "Silence after which a flow may change its next hop",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&FlowletSelector::m_gap),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("TableSize",
                          "The number of flowlets a group, rounded up to a power of two",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&FlowletSelector::m_tableSize),
                          MakeUintegerChecker<uint32_t>(1, 1U << 24));
    return tid;
}

FlowletSelector::FlowletSelector()
    : m_variable(CreateObject<UniformRandomVariable>())
{
}

uint32_t
FlowletSelector::Select(NextHopGroup& group, const FlowKey& key)
{
    if (!group.state)
    {
        uint32_t nEntries = 1;
        while (nEntries < m_tableSize)
        {
            nEntries *= 2;
        }
        NS_LOG_LOGIC("A group of " << group.members.size() << " next hops: " << nEntries
                                   << " flowlets");
        group.state = std::make_unique<FlowletState>(nEntries);
    }
    const auto choose = [this, &group] {
        const auto last = static_cast<uint32_t>(group.usable.size() - 1);
        return group.usable[m_variable->GetInteger(0, last)];
    };
    const auto isUsable = [&group](uint32_t member) { return group.members[member].IsUsable(); };
    return static_cast<FlowletState&>(*group.state)
        .table.Select(Hash(key),
                      Simulator::Now().GetNanoSeconds(),
                      m_gap.GetNanoSeconds(),
                      choose,
                      isUsable);
}

int64_t
FlowletSelector::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
}

} // namespace ns3::aidc
