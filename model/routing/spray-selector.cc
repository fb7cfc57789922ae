/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spray-selector.h"

#include "ns3/aidc-compat.h"
#include "ns3/enum.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(SpraySelector);

namespace
{

/**
 * @ingroup aidc
 * @brief Whose turn it is in a group.
 */
class SprayState : public NextHopGroupState
{
  public:
    std::size_t next{0}; //!< the place among the usable members
};

} // namespace

TypeId
SpraySelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SpraySelector")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddConstructor<SpraySelector>()
            .AddAttribute("Mode",
                          "Whether each packet's next hop is random or the next in turn",
                          EnumValue(RANDOM),
                          MakeEnumAccessorFor<Mode>(&SpraySelector::m_mode),
                          MakeEnumChecker(RANDOM, "Random", ROUND_ROBIN, "RoundRobin"));
    return tid;
}

SpraySelector::SpraySelector()
    : m_variable(CreateObject<UniformRandomVariable>())
{
}

uint32_t
SpraySelector::Select(NextHopGroup& group, const FlowKey&)
{
    const auto nUsable = static_cast<uint32_t>(group.usable.size());
    if (m_mode == RANDOM)
    {
        return group.usable[m_variable->GetInteger(0, nUsable - 1)];
    }
    if (!group.state)
    {
        group.state = std::make_unique<SprayState>();
    }
    auto& next = static_cast<SprayState&>(*group.state).next;
    next = next + 1 < nUsable ? next + 1 : 0;
    return group.usable[next];
}

int64_t
SpraySelector::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
}

} // namespace ns3::aidc
