/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-host-flows.h"

#include "csig-tag.h"

#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <algorithm>

namespace ns3::aidc
{

CsigHostFlows::CsigHostFlows(const CsigHostSettings& settings,
                             const CsigRequestPlan& plan,
                             const CsigHostTraces& traces)
    : m_settings(settings),
      m_plan(plan),
      m_traces(traces)
{
}

CsigFlow*
CsigHostFlows::Find(const FlowKey& key)
{
    m_table.SetLimits(m_settings.maxFlows, m_settings.flowTimeout.GetNanoSeconds());
    return m_table.Find(key, Simulator::Now().GetNanoSeconds());
}

CsigFlow&
CsigHostFlows::Add(const FlowKey& key)
{
    m_table.SetLimits(m_settings.maxFlows, m_settings.flowTimeout.GetNanoSeconds());
    return m_table.Add(key, Simulator::Now().GetNanoSeconds());
}

void
CsigHostFlows::SetSink(const FlowKey& flow, SignalSink sink)
{
    if (sink.IsNull())
    {
        m_sinks.erase(flow);
        return;
    }
    m_sinks[flow] = sink;
}

bool
CsigHostFlows::MayTag(const Ptr<Packet>& packet,
                      const Ptr<Ipv4Route>& route,
                      const FlowKey& key) const
{
    const auto& devices = m_untaggedDevices;
    if (!devices.empty() && route &&
        std::find(devices.begin(), devices.end(), route->GetOutputDevice()) != devices.end())
    {
        return false;
    }
    if (m_settings.authorizeAll || m_rules.empty())
    {
        return m_settings.authorizeAll;
    }
    SocketIpTosTag tos;
    const uint8_t dscp = packet->PeekPacketTag(tos) ? tos.GetTos() >> 2 : 0;
    return std::any_of(m_rules.begin(), m_rules.end(), [&](const CsigFlowRule& rule) {
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
        const auto& codes = m_settings.codes;
        const auto signal =
            std::find_if(m_settings.signals.begin(),
                         m_settings.signals.end(),
                         [&](CsigSignal asked) { return codes.GetType(asked) == *type; });
        const auto request = MakeCsigRequest(m_settings.format, *signal, codes);
        CsigTag tag(request);
        tag.SetRequest(true);
        packet->AddPacketTag(tag);
        ++m_statistics.tagsSent;
        m_traces.tagSent(key, request);
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
        m_traces.capability(key, after);
    }
}

void
CsigHostFlows::RemoveForeignTag(Ptr<Packet> packet)
{
    CsigTag tag;
    if (packet->RemovePacketTag(tag))
    {
        ++m_statistics.foreignTags;
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
    ++m_statistics.tagsReceived;
    return tag.GetFields();
}

void
CsigHostFlows::NoteArrival(CsigFlow& flow, const std::optional<CsigFields>& tag)
{
    if (!tag)
    {
        ++m_statistics.untaggedReceived;
        flow.reflector.NoteUntagged();
        return;
    }
    auto summary = CsigSummary::LATEST;
    if (m_settings.mode == CsigHostSettings::SUMMARY)
    {
        if (const auto signal = m_settings.codes.Find(tag->type))
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
        ++m_statistics.reflectionsReceived;
        UpdateAverage(flow, *reflection.fields);
        flow.requester.NoteSignal(*reflection.fields, now);
        flow.requester.NoteOther(m_plan, reflection.fields->type, now, acknowledged);
    }
    else if (reflection.untagged)
    {
        ++m_statistics.emptyReceived;
        flow.requester.NoteEmpty(m_plan, now, acknowledged);
    }
    const auto after = flow.requester.GetCapability();

    // The users are called last, because they may remove the flow.
    TraceCapability(key, before, after);
    if (reflection.fields)
    {
        m_traces.signal(key, *reflection.fields);
        const auto sink = m_sinks.empty() ? m_sinks.end() : m_sinks.find(key);
        if (sink != m_sinks.end())
        {
            const auto callback = sink->second; // it may end itself
            callback(key, *reflection.fields);
        }
    }
}

void
CsigHostFlows::UpdateAverage(CsigFlow& flow, const CsigFields& fields) const
{
    const auto reading = m_domain ? m_domain->Read(fields) : std::nullopt;
    if (reading && reading->hasBottleneck)
    {
        auto& average = flow.averages[static_cast<std::size_t>(reading->signal)];
        const auto value = static_cast<double>(reading->GetValue());
        average = average ? *average + m_settings.averageWeight * (value - *average) : value;
    }
}

void
CsigHostFlows::Clear()
{
    m_table.Clear();
    m_sinks.clear();
    m_domain = nullptr;
}

} // namespace ns3::aidc
