// SPDX-License-Identifier: GPL-2.0-only

#include "port-shares.h"

#include "../max-min-share.h"

#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The rate of a flow without a bound.
constexpr double INFINITE = std::numeric_limits<double>::infinity();

/// Measurements and refreshes in a feedback delay: what a measurement takes delays the reaction.
constexpr int64_t PARTS = 8;
/// Packets of the share in a measurement, so that a packet more or less does not matter
constexpr double PACKETS = 16;
/// Packets of a flow, on average, in the first measurement: with fewer, flows may be missed.
constexpr std::size_t FIRST_PACKETS = 2;
/// A flow that arrives with this part of its explicit rate could send more.
constexpr double GREEDY = 0.95;
/// A flow that arrives with this part of the share is notified of it.
constexpr double LARGE = 0.5;
/// A change of the share that is notified of at once.
constexpr double CHANGE = 0.05;
/// How many refreshes, which come with packets, may be lost.
constexpr int64_t REFRESHES = 4;

} // namespace

NotificationVerdict
PortShares::Count(const Settings& settings, const FlowKey& flow, const Arrival& arrival)
{
    m_arrival = arrival;
    const bool isMarked = arrival.severity != CongestionSeverity::NONE;
    if (m_largest == 0)
    {
        m_start = arrival.time; // the first packet of all
    }
    m_isCongested = m_isCongested || isMarked || arrival.isCongested;
    m_innerBytes += arrival.innerBytes;
    m_linkBytes += arrival.linkBytes;
    m_largest = std::max(m_largest, arrival.innerBytes);
    const auto found = m_flows.find(flow);
    m_current = found != m_flows.end()               ? &found->second
                : m_flows.size() < settings.maxFlows ? &m_flows[flow]
                                                     : nullptr;
    if (m_current)
    {
        ++m_nPackets;
        m_nActive += m_current->bytes == 0 ? 1 : 0;
    }
    (m_current ? m_current->bytes : m_otherBytes) += arrival.innerBytes;
    if (IsDone(settings, arrival.time))
    {
        Finish(settings, arrival.time, arrival.queue);
    }
    if (!m_current)
    {
        return isMarked ? NotificationVerdict::FULL : NotificationVerdict::SUPPRESSED;
    }
    const double share = GetShareOf(*m_current);
    if (!isMarked && share == INFINITE)
    {
        return NotificationVerdict::SUPPRESSED;
    }
    if (!m_current->notified)
    {
        return NotificationVerdict::SEND;
    }
    const int64_t since = arrival.time - *m_current->notified;
    const bool isWorse = arrival.severity > m_current->severity;
    const bool hasChanged =
        share < (1 - CHANGE) * m_current->share || share > (1 + CHANGE) * m_current->share;
    const int64_t refresh = GetRefreshTime(settings);
    // With as many flows as there may be notifications, changes wait for the refresh.
    const int64_t least =
        std::max(settings.interval,
                 static_cast<int64_t>(m_flows.size()) * settings.timeOfNotification);
    return since >= refresh || isWorse || (hasChanged && since >= least)
               ? NotificationVerdict::SEND
               : NotificationVerdict::SUPPRESSED;
}

PortShares::Share
PortShares::TakeShare(const Settings& settings)
{
    const double share = GetShareOf(*m_current);
    const auto ofPackets = static_cast<int64_t>(8e9 * m_largest / share);
    m_current->notified = m_arrival.time;
    m_current->share = share;
    m_current->severity = m_arrival.severity;
    return {share == INFINITE ? NOTIFICATION_RATE_UNLIMITED
                              : std::max<uint64_t>(static_cast<uint64_t>(share), 1),
            settings.law.feedback + REFRESHES * std::max(GetRefreshTime(settings), ofPackets)};
}

int64_t
PortShares::GetRefreshTime(const Settings& settings) const
{
    return std::max({settings.interval,
                     settings.law.feedback / PARTS,
                     static_cast<int64_t>(m_flows.size()) * settings.timeOfNotification});
}

bool
PortShares::IsDone(const Settings& settings, int64_t now) const
{
    const int64_t elapsed = now - m_start;
    // A slow link needs longer for as many packets.
    const auto some = static_cast<int64_t>(PACKETS * 8e9 * m_largest / settings.law.capacity);
    const int64_t shortest = std::max(settings.interval, some);
    if (m_share == INFINITE)
    {
        const bool isWhole =
            m_nPackets >= FIRST_PACKETS * m_nActive || elapsed >= settings.law.feedback;
        return isWhole && elapsed >= (m_isCongested ? shortest / 2 : shortest);
    }
    // The first shares come from short measurements. They are corrected soon.
    const bool isNew = now - m_begin < settings.law.feedback;
    const int64_t least = isNew ? shortest : std::max(shortest, settings.law.feedback / PARTS);
    const double packets = PACKETS * 8e9 * m_largest / m_share;
    return elapsed >= least && static_cast<double>(elapsed) >=
                                   std::min(packets, static_cast<double>(settings.law.feedback));
}

void
PortShares::Finish(const Settings& settings, int64_t now, double queue)
{
    const auto elapsed = static_cast<double>(now - m_start);
    const auto rate = [elapsed](uint64_t bytes) {
        return 8e9 * static_cast<double>(bytes) / elapsed;
    };
    const double least = GetLeastShare(m_start - settings.law.feedback);
    const double inner = static_cast<double>(m_innerBytes) / static_cast<double>(m_linkBytes);
    const double allowed = ComputeExplicitRate(settings.law, queue) * inner - rate(m_otherBytes);
    std::vector<double> demands;
    demands.reserve(m_flows.size());
    std::vector<std::pair<Flow*, double>> flows;
    for (auto& [key, flow] : m_flows)
    {
        const bool isGreedy =
            least < INFINITE && rate(flow.bytes + m_largest) >= GREEDY * least && flow.bytes > 0;
        demands.push_back(isGreedy ? INFINITE : rate(flow.bytes));
        flows.emplace_back(&flow, demands.back());
    }
    const double share = ComputeMaxMinShare(std::max(allowed, 1.0), std::move(demands));
    const bool wasCongested = m_share < INFINITE;
    m_share = wasCongested || m_isCongested ? share : INFINITE;
    m_begin = wasCongested ? m_begin : now;
    if (m_past.empty() || m_past.back().share != m_share)
    {
        m_past.push_back({now, m_share});
    }
    for (auto& [flow, demand] : flows)
    {
        flow->isLarge = demand >= LARGE * m_share;
    }
    const int64_t refresh = GetRefreshTime(settings);
    for (auto flow = m_flows.begin(); flow != m_flows.end();)
    {
        const auto& state = flow->second;
        const bool isSilent = state.bytes == 0 && &state != m_current &&
                              (!state.notified || now - *state.notified >= refresh);
        flow->second.bytes = 0;
        flow = isSilent ? m_flows.erase(flow) : std::next(flow);
    }
    m_start = now;
    m_innerBytes = 0;
    m_linkBytes = 0;
    m_otherBytes = 0;
    m_nPackets = 0;
    m_nActive = 0;
    m_isCongested = false;
}

double
PortShares::GetLeastShare(int64_t time)
{
    while (m_past.size() > 1 && m_past[1].time <= time)
    {
        m_past.pop_front();
    }
    double least = INFINITE;
    for (const auto& past : m_past)
    {
        least = std::min(least, past.share);
    }
    return least;
}

} // namespace ns3::aidc
