// SPDX-License-Identifier: GPL-2.0-only

#include "csig-host-flows.h"

#include "csig-tag.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigHostFlows");

CsigHostFlows::CsigHostFlows(const CsigHostSettings& hostSettings,
                             const CsigRequestPlan& requestPlan,
                             const CsigHostTraces& traceSources)
    : settings(hostSettings),
      traces(traceSources),
      m_plan(requestPlan)
{
}

CsigFlow*
CsigHostFlows::Find(const FlowKey& key)
{
    table.SetLimits(settings.maxFlows, settings.flowTimeout.GetNanoSeconds());
    return table.Find(key, Simulator::Now().GetNanoSeconds());
}

CsigFlow&
CsigHostFlows::Add(const FlowKey& key)
{
    table.SetLimits(settings.maxFlows, settings.flowTimeout.GetNanoSeconds());
    return table.Add(key, Simulator::Now().GetNanoSeconds());
}

bool
CsigHostFlows::MayTag(const Ptr<Packet>& packet,
                      const Ptr<Ipv4Route>& route,
                      const FlowKey& key) const
{
    const auto& devices = untaggedDevices;
    if (!devices.empty() && route &&
        std::find(devices.begin(), devices.end(), route->GetOutputDevice()) != devices.end())
    {
        return false;
    }
    if (settings.authorizeAll || rules.empty())
    {
        return settings.authorizeAll;
    }
    SocketIpTosTag tos;
    const uint8_t dscp = packet->PeekPacketTag(tos) ? tos.GetTos() >> 2 : 0;
    return std::any_of(rules.begin(), rules.end(), [&](const CsigFlowRule& rule) {
        return rule.Matches(key, dscp);
    });
}

void
CsigHostFlows::TagPacket(Ptr<Packet> packet,
                         const Ptr<Ipv4Route>& route,
                         const FlowKey& key,
                         CsigFlow& flow,
                         uint32_t end)
{
    if (!MayTag(packet, route, key))
    {
        return;
    }
    const auto before = flow.requester.GetCapability();
    const auto type = flow.requester.NextPacket(m_plan, Simulator::Now().GetNanoSeconds(), end);
    const auto after = flow.requester.GetCapability();
    if (type)
    {
        const auto& codes = settings.codes;
        const auto signal =
            std::find_if(settings.signals.begin(), settings.signals.end(), [&](CsigSignal asked) {
                return codes.GetType(asked) == *type;
            });
        const auto request = MakeCsigRequest(settings.format, *signal, codes);
        CsigTag tag(request);
        tag.SetRequest(true);
        packet->AddPacketTag(tag);
        ++statistics.tagsSent;
        traces.tagSent(key, request);
    }
    TraceCapability(key, before, after);
}

void
CsigHostFlows::NoteRepeat(const FlowKey& key, CsigFlow& flow, uint32_t size, uint32_t end)
{
    const auto before = flow.requester.GetCapability();
    flow.requester.NoteRepeat(m_plan, Simulator::Now().GetNanoSeconds(), size, end);
    TraceCapability(key, before, flow.requester.GetCapability());
}

void
CsigHostFlows::TraceCapability(const FlowKey& key,
                               CsigCapability before,
                               CsigCapability after) const
{
    if (after != before)
    {
        traces.capability(key, after);
    }
}

void
CsigHostFlows::RemoveForeignTag(Ptr<Packet> packet)
{
    CsigTag tag;
    if (packet->RemovePacketTag(tag))
    {
        ++statistics.foreignTags;
    }
}

std::optional<CsigFields>
CsigHostFlows::TakeTag(Ptr<Packet> packet)
{
    CsigTag tag;
    if (!packet->RemovePacketTag(tag))
    {
        return std::nullopt;
    }
    ++statistics.tagsReceived;
    return tag.GetFields();
}

void
CsigHostFlows::NoteArrival(CsigFlow& flow, const std::optional<CsigFields>& tag)
{
    if (!tag)
    {
        ++statistics.untaggedReceived;
        flow.reflector.NoteUntagged();
        return;
    }
    auto summary = CsigSummary::LATEST;
    if (settings.mode == CsigHostSettings::SUMMARY)
    {
        if (const auto signal = settings.codes.Find(tag->type))
        {
            summary = GetCsigAggregation(*signal) == CsigAggregation::MIN ? CsigSummary::SMALLEST
                                                                          : CsigSummary::LARGEST;
        }
    }
    flow.reflector.NoteTag(*tag, summary);
}

void
CsigHostFlows::NoteReflection(const FlowKey& key,
                              CsigFlow& flow,
                              const CsigReflection& reflection,
                              std::optional<uint32_t> acknowledged)
{
    const auto now = Simulator::Now().GetNanoSeconds();
    const auto before = flow.requester.GetCapability();
    if (reflection.fields)
    {
        ++statistics.reflectionsReceived;
        UpdateAverage(flow, *reflection.fields);
        flow.requester.NoteSignal(*reflection.fields, now);
        flow.requester.NoteOther(m_plan, reflection.fields->type, now, acknowledged);
    }
    else if (reflection.untagged)
    {
        ++statistics.emptyReceived;
        flow.requester.NoteEmpty(m_plan, now, acknowledged);
    }
    const auto after = flow.requester.GetCapability();

    // The users are called last, because they may remove the flow.
    TraceCapability(key, before, after);
    if (reflection.fields)
    {
        traces.signal(key, *reflection.fields);
        const auto sink = sinks.empty() ? sinks.end() : sinks.find(key);
        if (sink != sinks.end())
        {
            const auto callback = sink->second; // it may end itself
            callback(key, *reflection.fields);
        }
    }
}

void
CsigHostFlows::UpdateAverage(CsigFlow& flow, const CsigFields& fields) const
{
    const auto reading = domain ? domain->Read(fields) : std::nullopt;
    if (reading && reading->hasBottleneck)
    {
        auto& average = flow.averages[static_cast<std::size_t>(reading->signal)];
        const auto value = static_cast<double>(reading->GetValue());
        average = average ? *average + settings.averageWeight * (value - *average) : value;
    }
}

bool
CsigHostFlows::Drop(Ptr<const Packet> packet)
{
    NS_LOG_LOGIC("Dropped a malformed packet of " << packet->GetSize() << " bytes");
    ++statistics.malformedSegments;
    traces.drop(packet);
    return false;
}

} // namespace ns3::aidc
