// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-link-failures.h"

#include "fabric-interface.h"
#include "local-node.h"

#include "ns3/aidc-input-error.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/mpi-processes.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricLinkFailures");

/// @return whether the first device that this process has, which is not null, is Ethernet's
static bool
HasEthernet(const std::vector<Ptr<NetDevice>>& devices)
{
    const auto known = std::find_if(devices.begin(), devices.end(), [](const auto& device) {
        return device != nullptr;
    });
    return known == devices.end() || DynamicCast<EthernetChannel>((*known)->GetChannel());
}

FabricLinkFailures::FabricLinkFailures(const FabricLinks& links,
                                       const NodeContainer& nodes,
                                       const std::vector<Ptr<NetDevice>>& devices,
                                       ConvergeCallback converge)
    : m_plan(links),
      m_nodes(nodes),
      m_devices(devices),
      m_converge(std::move(converge))
{
}

void
FabricLinkFailures::CheckLink(LinkIndex link) const
{
    if (!(link < m_plan.GetEnd()))
    {
        throw AidcInputError("links",
                             0,
                             "a link from 0 to " + std::to_string(m_plan.size() - 1),
                             std::to_string(link.value));
    }
}

void
FabricLinkFailures::CheckTimes(Time failure, Time restoration)
{
    if (failure.IsStrictlyNegative() || restoration <= failure)
    {
        std::ostringstream found;
        found << "a failure in " << failure.As(Time::US) << ", a restoration in "
              << restoration.As(Time::US);
        throw AidcInputError("links",
                             0,
                             "a failure from now on and a later restoration",
                             found.str());
    }
}

void
FabricLinkFailures::SetFailed(LinkIndex link, bool isFailed)
{
    NS_LOG_FUNCTION(this << link << isFailed);
    Link& changed = GetLink(link);
    if (changed.isFailed == isFailed)
    {
        return;
    }
    changed.isFailed = isFailed;
    Apply(changed);
    // A change that did not last has no consequences.
    changed.detection.Cancel();
    changed.convergence.Cancel();
    const Time noticed = GetDetectionDelay(changed);
    changed.detection = Simulator::Schedule(noticed, &FabricLinkFailures::Detect, this, link);
    changed.convergence = Simulator::Schedule(noticed + m_convergenceDelay,
                                              &FabricLinkFailures::Converge,
                                              this,
                                              link);
}

FabricLinkFailures::Link&
FabricLinkFailures::GetLink(LinkIndex link)
{
    const auto [found, isNew] = m_links.emplace(link, Link());
    for (uint32_t end = 0; isNew && end < 2; ++end)
    {
        const auto device = m_devices[2 * link.value + end];
        if (!device)
        {
            continue;
        }
        found->second.channel = DynamicCast<EthernetChannel>(device->GetChannel());
        if (found->second.channel)
        {
            continue;
        }
        PointerValue other;
        device->GetAttribute("ReceiveErrorModel", other);
        auto side = CreateObject<LinkFailureErrorModel>();
        side->SetOther(other.Get<ErrorModel>());
        device->SetAttribute("ReceiveErrorModel", PointerValue(side));
        found->second.sides[end] = side;
    }
    return found->second;
}

Time
FabricLinkFailures::GetDetectionDelay(const Link& link) const
{
    TimeValue delay(m_detectionDelay.value_or(Time()));
    if (!m_detectionDelay && link.channel)
    {
        link.channel->GetAttribute("DetectionDelay", delay);
    }
    return delay.Get();
}

void
FabricLinkFailures::Apply(const Link& link) const
{
    if (link.channel)
    {
        if (m_detectionDelay)
        {
            link.channel->SetAttribute("DetectionDelay", TimeValue(*m_detectionDelay));
        }
        link.isFailed ? link.channel->Fail() : link.channel->Restore();
    }
    else if (!link.sides[0] && !link.sides[1] && HasEthernet(m_devices))
    {
        // The channel of other processes schedules an event without a node, as each process has to.
        Simulator::Schedule(GetDetectionDelay(link), [] {});
    }
    for (const auto& side : link.sides)
    {
        if (side)
        {
            link.isFailed ? side->Fail() : side->Restore();
        }
    }
}

void
FabricLinkFailures::Detect(LinkIndex link)
{
    const bool isUp = !GetLink(link).isFailed;
    const FabricLink& plan = m_plan[link];
    NS_LOG_INFO("link " << link << " is " << (isUp ? "up" : "down"));
    for (const auto& [id, port] : {std::pair(plan.a, plan.aPort), std::pair(plan.b, plan.bPort)})
    {
        if (!IsLocalNode(m_nodes.Get(id.value)))
        {
            continue;
        }
        const auto ipv4 = m_nodes.Get(id.value)->GetObject<Ipv4>();
        const uint32_t interface = GetInterfaceOfPort(port);
        if (isUp && !ipv4->IsUp(interface))
        {
            ipv4->SetUp(interface);
        }
        else if (!isUp && ipv4->IsUp(interface))
        {
            ipv4->SetDown(interface);
        }
    }
}

uint64_t
FabricLinkFailures::GetLostPackets() const
{
    uint64_t lost = 0;
    for (const auto& [index, link] : m_links)
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            if (link.channel)
            {
                const auto device =
                    DynamicCast<EthernetNetDevice>(m_devices[2 * index.value + end]);
                lost += device->GetStatistics().inLost + device->GetStatistics().outLost;
            }
            else if (link.sides[end])
            {
                lost += link.sides[end]->GetLostPackets();
            }
        }
    }
    return static_cast<uint64_t>(MpiProcesses::Get().Sum(static_cast<double>(lost)));
}

} // namespace ns3::aidc
