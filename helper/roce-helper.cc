// SPDX-License-Identifier: GPL-2.0-only

#include "roce-helper.h"

#include "../model/core/require-argument.h"
#include "fabric-role.h"
#include "local-node.h"
#include "remote-host.h"
#include "user-default.h"

#include "ns3/boolean.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/int-port.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <memory>

namespace ns3::aidc
{

namespace
{

/// @return its own address, or its host's, as hosts with several links have; or 0.0.0.0
Ipv4Address
GetPortAddress(const Ipv4& ipv4, uint32_t interface)
{
    if (ipv4.GetNAddresses(interface) > 0)
    {
        return ipv4.GetAddress(interface, 0).GetLocal();
    }
    for (uint32_t i = 0; i < ipv4.GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; j < ipv4.GetNAddresses(i); ++j)
        {
            const auto address = ipv4.GetAddress(i, j).GetLocal();
            if (!address.IsLocalhost())
            {
                return address;
            }
        }
    }
    return Ipv4Address::GetAny();
}

/// One end of connections, whose host may be another process's.
class ConnectionEnd
{
  public:
    explicit ConnectionEnd(const Ptr<RoceNic>& nic)
        : m_nic(nic)
    {
    }

    explicit ConnectionEnd(const Ptr<Node>& host)
        : m_nic(RoceHelper::IsLocal(host) ? RoceHelper::GetNic(host) : nullptr),
          m_remote(m_nic ? nullptr : RemoteHost::Get(host))
    {
    }

    /// @return how many queue pairs each port has had
    const std::vector<uint32_t>& GetLoads() const
    {
        return m_nic ? m_nic->GetPortLoads() : m_remote->GetPortLoads();
    }

    /// @return the place of the port of this end
    uint32_t GetPort(uint32_t port) const
    {
        const auto nPorts = static_cast<uint32_t>(GetLoads().size());
        AIDC_REFUSED_IF(nPorts == 0, "RoceHelper: a queue pair needs a port at both ends");
        return port % nPorts;
    }

    /// Connect a queue pair at port i, as far as each end has so many. @return both numbers
    std::pair<uint32_t, uint32_t> Connect(const ConnectionEnd& other,
                                          uint32_t port,
                                          const RocePath& path) const
    {
        const uint32_t own = Create(port);
        const uint32_t others = other.Create(port);
        Connect(own, other, others, port, path);
        other.Connect(others, *this, own, port, path);
        return {own, others};
    }

  private:
    /// @return the number of a new queue pair there
    uint32_t Create(uint32_t port) const
    {
        return m_nic ? m_nic->CreateAt(GetPort(port)) : m_remote->CreateQueuePairAt(GetPort(port));
    }

    /// Connect a queue pair, if this is the process of the host.
    void Connect(uint32_t own,
                 const ConnectionEnd& other,
                 uint32_t others,
                 uint32_t port,
                 const RocePath& path) const
    {
        if (m_nic)
        {
            const uint32_t place = other.GetPort(port);
            m_nic->Connect(own,
                           other.m_nic ? other.m_nic->GetAddress(place)
                                       : other.m_remote->GetAddress(place),
                           others,
                           path);
        }
    }

    Ptr<RoceNic> m_nic;       //!< the adapter, null if the host is another process's
    Ptr<RemoteHost> m_remote; //!< what is known of the host then
};

/// @return how many ports the end with more of them has
uint32_t
CountPorts(const ConnectionEnd& a, const ConnectionEnd& b)
{
    return static_cast<uint32_t>(std::max(a.GetLoads().size(), b.GetLoads().size()));
}

/// Connect two ends at their ports with the fewest queue pairs. @return the numbers, a's first
std::pair<uint32_t, uint32_t>
ConnectInTurn(const ConnectionEnd& a, const ConnectionEnd& b, const RocePath& path)
{
    const auto getLoad = [&](uint32_t port) {
        return uint64_t{a.GetLoads().at(a.GetPort(port))} + b.GetLoads().at(b.GetPort(port));
    };
    uint32_t best = 0;
    for (uint32_t port = 1; port < CountPorts(a, b); ++port)
    {
        best = getLoad(port) < getLoad(best) ? port : best;
    }
    return a.Connect(b, best, path);
}

/// Add the members that a member of a collective sends to.
void
AddPairs(const RankCollective& collective,
         uint32_t rank,
         std::set<std::pair<uint32_t, uint32_t>>& pairs)
{
    const CollectiveSchedule& schedule = collective.schedule;
    // The lanes of each chunk have the same partners.
    for (uint32_t lane = 0; lane < schedule.GetNStreams(); ++lane)
    {
        for (uint32_t step = 0; step < schedule.GetNSteps(collective.member, lane); ++step)
        {
            const uint32_t to = schedule.GetStep(collective.member, lane, step).sendTo;
            if (to != CollectiveStep::NONE)
            {
                pairs.insert(std::minmax(rank, (*collective.ranks)[to]));
            }
        }
    }
}

} // namespace

RoceHelper::RoceHelper()
    : m_factory("ns3::aidc::RoceNic")
{
    SetDerived(m_factory,
               "CongestionControl",
               ObjectFactoryValue(ObjectFactory("ns3::aidc::DcqcnControl")));
}

void
RoceHelper::Install(const NodeContainer& hosts) const
{
    const auto warned = std::make_shared<RoceTimeoutSettings::Warned>();
    for (auto it = hosts.Begin(); it != hosts.End(); ++it)
    {
        const Ptr<Node> host = *it;
        FabricRole::Check(host, FabricRole::HOST, "RoceHelper");
        const auto nic = m_factory.Create<RoceNic>();
        nic->ShareWarned(warned);
        nic->Install(host);
        const auto ipv4 = host->GetObject<Ipv4>();
        for (uint32_t i = 0; ipv4 && i < host->GetNDevices(); ++i)
        {
            const auto device = DynamicCast<EthernetNetDevice>(host->GetDevice(i));
            const int32_t interface = device ? ipv4->GetInterfaceForDevice(device) : -1;
            const auto address = interface < 0
                                     ? Ipv4Address::GetAny()
                                     : GetPortAddress(*ipv4, static_cast<uint32_t>(interface));
            if (!address.IsAny())
            {
                nic->AddPort(device, address);
            }
        }
        AIDC_REFUSED_IF(nic->GetNPorts() == 0,
                        "RoceHelper: node " << host->GetId()
                                            << " has no Ethernet port with an IPv4 address");
    }
}

Ptr<RoceNic>
RoceHelper::GetNic(Ptr<Node> host)
{
    const auto nic = host->GetObject<RoceNic>();
    AIDC_REFUSED_UNLESS(nic, "RoceHelper: node " << host->GetId() << " has no RoceNic");
    return nic;
}

std::pair<uint32_t, uint32_t>
RoceHelper::Connect(Ptr<RoceNic> a, Ptr<RoceNic> b, const RocePath& path)
{
    return ConnectInTurn(ConnectionEnd(a), ConnectionEnd(b), path);
}

std::pair<uint32_t, uint32_t>
RoceHelper::Connect(Ptr<Node> a, Ptr<Node> b, const RocePath& path)
{
    return ConnectInTurn(ConnectionEnd(a), ConnectionEnd(b), path);
}

std::vector<std::pair<uint32_t, uint32_t>>
RoceHelper::ConnectPorts(Ptr<Node> a, Ptr<Node> b, const RocePath& path)
{
    const ConnectionEnd first(a);
    const ConnectionEnd second(b);
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t port = 0; port < CountPorts(first, second); ++port)
    {
        pairs.push_back(first.Connect(second, port, path));
    }
    return pairs;
}

uint32_t
RoceHelper::GetNPorts(Ptr<Node> host)
{
    return static_cast<uint32_t>(ConnectionEnd(host).GetLoads().size());
}

bool
RoceHelper::IsLocal(Ptr<Node> host)
{
    return IsLocalNode(host);
}

void
IntHelper::Install(const NodeContainer& switches)
{
    for (auto it = switches.Begin(); it != switches.End(); ++it)
    {
        FabricRole::Check(*it, FabricRole::SWITCH, "IntHelper");
        if ((*it)->GetSystemId() != Simulator::GetSystemId())
        {
            continue;
        }
        for (uint32_t i = 0; i < (*it)->GetNDevices(); ++i)
        {
            if (const auto device = DynamicCast<EthernetNetDevice>((*it)->GetDevice(i)))
            {
                CreateObject<IntPort>()->Install(device);
            }
        }
    }
}

std::set<std::pair<uint32_t, uint32_t>>
RoceRankHelper::GetPairs(const WorkloadPlan& plan)
{
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        const RankProgram& program = plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            const RankOperation& operation = program.Get(i);
            if (operation.kind == RankOperationKind::SEND)
            {
                pairs.insert(std::minmax(rank, operation.peer));
            }
            else if (operation.kind == RankOperationKind::COLLECTIVE)
            {
                AddPairs(program.GetCollective(i), rank, pairs);
            }
        }
    }
    return pairs;
}

ObjectFactory
RoceRankHelper::MakeFactory(const NodeContainer& hosts,
                            uint32_t nQueuePairs,
                            std::optional<bool> isStriped)
{
    uint32_t nPorts = 1;
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        nPorts = std::max(nPorts, RoceHelper::GetNPorts(*host));
    }
    ObjectFactory factory("ns3::aidc::RoceMessageEndpoint");
    const auto users = GetUserDefault(factory.GetTypeId(), "Striped");
    const auto* wanted = dynamic_cast<const BooleanValue*>(PeekPointer(users));
    AIDC_REFUSED_IF(wanted && wanted->Get() && nPorts * nQueuePairs == 1,
                    "expected several queue pairs of two ranks, or hosts with several links, for "
                    "ns3::aidc::RoceMessageEndpoint::Striped=true, found one queue pair");
    SetDerived(factory, "Striped", BooleanValue(nPorts > 1));
    if (isStriped)
    {
        factory.Set("Striped", BooleanValue(*isStriped));
    }
    return factory;
}

Ptr<RoceMessageEndpoint>
RoceRankHelper::MakeEndpoint(const ObjectFactory& factory, Ptr<Node> host)
{
    const auto endpoint = factory.Create<RoceMessageEndpoint>();
    if (RoceHelper::IsLocal(host))
    {
        endpoint->SetNic(RoceHelper::GetNic(host));
    }
    return endpoint;
}

void
RoceRankHelper::Connect(const End& a, const End& b, const RocePath& path)
{
    for (const auto& [first, second] : RoceHelper::ConnectPorts(a.host, b.host, path))
    {
        if (RoceHelper::IsLocal(a.host))
        {
            a.endpoint.AddPeer(a.peer, first);
        }
        if (RoceHelper::IsLocal(b.host))
        {
            b.endpoint.AddPeer(b.peer, second);
        }
    }
}

std::vector<Ptr<MessageEndpoint>>
RoceRankHelper::Connect(const WorkloadPlan& plan, const NodeContainer& hosts, const RocePath& path)
{
    AIDC_REFUSED_IF(hosts.GetN() != plan.GetNRanks(),
                    "RoceRankHelper: expected "
                        << plan.GetNRanks() << " hosts, one for each rank, found " << hosts.GetN());
    const ObjectFactory factory = MakeFactory(hosts);
    std::vector<Ptr<RoceMessageEndpoint>> endpoints;
    for (uint32_t rank = 0; rank < hosts.GetN(); ++rank)
    {
        endpoints.push_back(MakeEndpoint(factory, hosts.Get(rank)));
    }
    for (const auto& [a, b] : GetPairs(plan))
    {
        Connect({*endpoints[a], hosts.Get(a), b}, {*endpoints[b], hosts.Get(b), a}, path);
    }
    return {endpoints.begin(), endpoints.end()};
}

} // namespace ns3::aidc
