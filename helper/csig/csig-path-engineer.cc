// SPDX-License-Identifier: GPL-2.0-only

#include "csig-path-engineer.h"

#include "../../model/core/require-argument.h"
#include "../local-node.h"

#include "ns3/csig-host.h"
#include "ns3/csig-signal.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// All of a port's capacity, in the unit of min(ABW/C): millionths.
constexpr uint64_t WHOLE = 1'000'000;

} // namespace

CsigPathEngineer::CsigPathEngineer(Ptr<CsigDomain> domain, Time period, double gain)
    : m_domain(domain),
      m_period(period),
      m_gain(gain)
{
    AIDC_REFUSED_IF(!period.IsStrictlyPositive(),
                    "CsigPathEngineer: expected a period above 0, not " << period);
}

CsigPathEngineer::~CsigPathEngineer()
{
    m_event.Cancel();
}

void
CsigPathEngineer::AddSwitch(const FabricHelper& network, NodeIndex id, const CsigFabricPorts& names)
{
    const FabricPlan& fabric = network.GetFabric();
    const auto& ports = fabric.GetPorts(id);
    const auto table = network.GetRoutes().GetTable(id);
    std::vector<bool> isKnown(table.groups.size());
    for (const auto& route : table.routes)
    {
        if (route.group == FabricTable::DISCARD || isKnown[route.group])
        {
            continue;
        }
        isKnown[route.group] = true;
        const auto& members = table.groups[route.group];
        const bool leadsUp = std::all_of(members.begin(), members.end(), [&](PortIndex port) {
            return fabric.GetNode(ports[port].peer).tier > fabric.GetNode(id).tier;
        });
        if (!leadsUp || members.size() < 2)
        {
            continue;
        }
        for (std::size_t i = 0; i < members.size(); ++i)
        {
            for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
            {
                if (const auto locator = names.GetLocator(id, members[i], format))
                {
                    m_members.emplace(std::make_pair(format, *locator),
                                      std::make_pair(m_groups.size(), i));
                }
            }
        }
        const uint32_t mask = route.length == 0 ? 0 : ~uint32_t{0} << (32 - route.length);
        m_groups.push_back({network.IsLocal(id)
                                ? MultipathRoutingHelper::GetRouting(network.GetNode(id))
                                : nullptr,
                            Ipv4Address(route.network),
                            Ipv4Mask(mask),
                            CsigPathWeights(members.size(), m_gain),
                            std::vector<Shares>(members.size())});
    }
}

void
CsigPathEngineer::AddHost(Ptr<Node> host)
{
    if (!IsLocalNode(host))
    {
        return;
    }
    const auto csig = host->GetObject<CsigHost>();
    AIDC_REFUSED_IF(!csig,
                    "CsigPathEngineer: expected node " << host->GetId() << " to have a CsigHost");
    csig->TraceConnectWithoutContext("Signal", MakeCallback(&CsigPathEngineer::NoteSignal, this));
}

void
CsigPathEngineer::Start()
{
    m_event.Cancel();
    m_event = Simulator::Schedule(m_period, &CsigPathEngineer::Update, this);
}

double
CsigPathEngineer::GetWeight(uint16_t locator) const
{
    const auto found = m_members.find({CsigFormat::EXPANDED, locator});
    if (found == m_members.end())
    {
        return 0;
    }
    const auto [group, member] = found->second;
    return m_groups[group].weights.GetWeights()[member];
}

uint64_t
CsigPathEngineer::GetNUpdates() const
{
    return SumOverProcesses(m_nUpdates);
}

void
CsigPathEngineer::NoteSignal(const FlowKey&, const CsigFields& fields)
{
    const auto reading = m_domain->Read(fields);
    if (!reading || !reading->hasBottleneck || reading->signal != CsigSignal::ABW_RATIO)
    {
        return;
    }
    const auto share = std::min(WHOLE, reading->GetValue());
    const auto [begin, end] = m_members.equal_range({fields.format, fields.locator});
    for (auto named = begin; named != end; ++named)
    {
        Shares& shares = m_groups[named->second.first].shares[named->second.second];
        shares.sum += share;
        ++shares.n;
    }
}

void
CsigPathEngineer::Update()
{
    NoteEndlessTimer();

    /// The signals of an uplink.
    struct Item
    {
        std::size_t group;
        std::size_t member;
        Shares shares;
    };

    std::vector<Item> items;
    for (std::size_t group = 0; group < m_groups.size(); ++group)
    {
        auto& shares = m_groups[group].shares;
        for (std::size_t member = 0; member < shares.size(); ++member)
        {
            if (shares[member].n > 0)
            {
                items.push_back({group, member, std::exchange(shares[member], {})});
            }
        }
    }
    for (const auto& item : GatherItems(items))
    {
        Shares& shares = m_groups[item.group].shares[item.member];
        shares.sum += item.shares.sum;
        shares.n += item.shares.n;
    }
    for (auto& group : m_groups)
    {
        for (std::size_t member = 0; member < group.shares.size(); ++member)
        {
            const auto [sum, n] = std::exchange(group.shares[member], {});
            if (n > 0)
            {
                group.weights.Note(member,
                                   static_cast<double>(sum) / static_cast<double>(n * WHOLE));
            }
        }
        if (!group.weights.Update())
        {
            continue;
        }
        // After a failure the route may have other next hops, or be gone: then it is left alone.
        if (group.routing &&
            group.routing->SetWeights(group.network, group.mask, group.weights.GetWeights()))
        {
            ++m_nUpdates;
        }
    }
    m_event = Simulator::Schedule(m_period, &CsigPathEngineer::Update, this);
}

} // namespace ns3::aidc
