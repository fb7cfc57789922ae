/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spray-selector.h"

#include "../aidc-compat.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"

#include <memory>
#include <vector>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSpraySelector");

NS_OBJECT_ENSURE_REGISTERED(SpraySelector);

namespace
{

/// @ingroup aidc
/// @brief Whose turn it is in a group.
class SprayState : public NextHopGroupState
{
  public:
    std::size_t next{0};         //!< the place among the usable members
    std::vector<double> credits; //!< by weights: packets that each member has got too few
};

/// Get what is known of a group.
SprayState&
GetState(NextHopGroup& group)
{
    if (!group.state)
    {
        group.state = std::make_unique<SprayState>();
    }
    return static_cast<SprayState&>(*group.state);
}

/// Get the sum of the weights of usable members.
double
GetTotalWeight(const NextHopGroup& group)
{
    double total = 0;
    for (const uint32_t i : group.usable)
    {
        total += group.members[i].nextHop.weight;
    }
    return total;
}

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
                          MakeEnumChecker(RANDOM, "Random", ROUND_ROBIN, "RoundRobin"))
            .AddAttribute("Weighted",
                          "Whether next hops have shares by their weights, or equal ones",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SpraySelector::m_isWeighted),
                          MakeBooleanChecker());
    return tid;
}

SpraySelector::SpraySelector()
    : m_variable(CreateObject<UniformRandomVariable>())
{
}

uint32_t
SpraySelector::Select(NextHopGroup& group, const FlowKey&)
{
    if (m_isWeighted)
    {
        return SelectByWeight(group);
    }
    const auto nUsable = static_cast<uint32_t>(group.usable.size());
    if (m_mode == RANDOM)
    {
        return group.usable[m_variable->GetInteger(0, nUsable - 1)];
    }
    auto& next = GetState(group).next;
    next = next + 1 < nUsable ? next + 1 : 0;
    return group.usable[next];
}

uint32_t
SpraySelector::SelectByWeight(NextHopGroup& group) const
{
    const double total = GetTotalWeight(group);
    if (m_mode == RANDOM)
    {
        double left = m_variable->GetValue(0, total);
        for (const uint32_t i : group.usable)
        {
            left -= group.members[i].nextHop.weight;
            if (left < 0)
            {
                return i;
            }
        }
        return group.usable.back(); // where rounding has left something
    }
    auto& credits = GetState(group).credits;
    credits.resize(group.members.size());
    uint32_t chosen = group.usable.front();
    for (const uint32_t i : group.usable)
    {
        credits[i] += group.members[i].nextHop.weight / total;
        // Equal credits may differ by rounding.
        chosen = credits[i] > credits[chosen] + 1e-9 ? i : chosen;
    }
    credits[chosen] -= 1;
    return chosen;
}

void
SpraySelector::NotifyGroup(NextHopGroup& group)
{
    NS_LOG_FUNCTION(this << group.members.size());
    if (!group.state || GetState(group).credits.empty())
    {
        return;
    }
    // A member that becomes usable again gets the average of the others' credits, like a new one.
    auto& credits = GetState(group).credits;
    std::vector<double> kept(credits.size());
    double sum = 0;
    for (const uint32_t i : group.usable)
    {
        kept[i] = credits[i];
        sum += credits[i];
    }
    for (const uint32_t i : group.usable)
    {
        kept[i] -= sum / static_cast<double>(group.usable.size());
    }
    credits = kept;
}

int64_t
SpraySelector::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
}

} // namespace ns3::aidc
