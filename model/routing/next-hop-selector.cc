// SPDX-License-Identifier: GPL-2.0-only

#include "next-hop-selector.h"

#include "../aidc-compat.h"
#include "../core/require-argument.h"
#include "../core/routing/flowlet-table.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/next-hop-weights.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <memory>
#include <vector>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcNextHopSelector");

NS_OBJECT_ENSURE_REGISTERED(NextHopSelector);
NS_OBJECT_ENSURE_REGISTERED(HashSelector);
NS_OBJECT_ENSURE_REGISTERED(WeightedSelector);
NS_OBJECT_ENSURE_REGISTERED(FlowletSelector);
NS_OBJECT_ENSURE_REGISTERED(SpraySelector);

namespace
{

/// The table of a group, of so many entries.
template <typename Table>
struct TableState : public NextHopGroupState
{
    /// Constructor. @param size the number of entries
    explicit TableState(uint32_t size)
        : table(size)
    {
    }

    Table table; //!< the table
};

/// Whose turn it is in a group.
struct SprayState : public NextHopGroupState
{
    std::size_t next{0};         //!< the place among the usable members
    std::vector<double> credits; //!< by weights: how many packets too few each member has got
};

/// Get the state of a group.
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
NextHopSelector::SetIpv4(Ptr<Ipv4> ipv4)
{
    const auto node = ipv4->GetObject<Node>();
    m_switchSeed = m_seed == 0 && node ? node->GetId() + 1 : m_seed;
    NS_LOG_LOGIC("Seed " << m_switchSeed);
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

TypeId
WeightedSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::WeightedSelector")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddConstructor<WeightedSelector>()
            .AddAttribute("Buckets",
                          "The number of buckets of a group, at least as many as it has members; a "
                          "share is exact to one of them",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&WeightedSelector::m_nBuckets),
                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

void
WeightedSelector::NotifyGroup(NextHopGroup& group)
{
    NS_LOG_FUNCTION(this << group.members.size());
    AIDC_REFUSED_IF(group.members.size() > m_nBuckets,
                    "WeightedSelector: expected at most "
                        << m_nBuckets << " next hops (attribute Buckets), found "
                        << group.members.size());
    if (group.members.size() < 2)
    {
        return; // never asked
    }
    if (!group.state)
    {
        group.state = std::make_unique<TableState<ResilientBuckets>>(m_nBuckets);
    }
    std::vector<double> weights;
    for (const auto& member : group.members)
    {
        weights.push_back(member.IsUsable() ? member.nextHop.weight : 0);
    }
    static_cast<TableState<ResilientBuckets>&>(*group.state).table.SetWeights(weights);
}

uint32_t
WeightedSelector::Select(NextHopGroup& group, const FlowKey& key)
{
    return static_cast<const TableState<ResilientBuckets>&>(*group.state).table.Get(Hash(key));
}

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
        group.state = std::make_unique<TableState<FlowletTable>>(nEntries);
    }
    const auto choose = [this, &group] {
        const auto last = static_cast<uint32_t>(group.usable.size() - 1);
        return group.usable[m_variable->GetInteger(0, last)];
    };
    const auto isUsable = [&group](uint32_t member) { return group.members[member].IsUsable(); };
    return static_cast<TableState<FlowletTable>&>(*group.state)
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
