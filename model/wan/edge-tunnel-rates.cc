/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-tunnel-rates.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// The source of rates that the PE itself tells: no device's, whose address would be
/// 255.255.255.255
constexpr uint64_t OWN_SOURCE = std::numeric_limits<uint64_t>::max();

/// How long packets wait for a limit before their flows are limited, in ns
constexpr double LONGEST_WAIT = 20'000;
/// The first measurements of flows, in ns: hosts may be much faster than the limit
constexpr int64_t FIRST_MEASUREMENT = 20'000;
/// In which time the queue of a limit gets shorter by the gain, in ns. It has an effect at once,
/// but a measurement takes some packets of each flow.
constexpr int64_t FEEDBACK = 500'000;

} // namespace

void
EdgeTunnelRates::NoteTold(EdgeTunnel& tunnel, int64_t now, const EdgeRateLaw::Told& told)
{
    if (told.rate == EdgeRateLaw::UNLIMITED)
    {
        return;
    }
    auto known =
        std::find_if(m_beginnings.begin(), m_beginnings.end(), [&tunnel](const auto& beginning) {
            return beginning.tunnel == &tunnel;
        });
    if (known == m_beginnings.end())
    {
        known = m_beginnings.insert(known, {&tunnel, told, 0});
    }
    known->told = told;
    known->end = now + told.validity;
}

const EdgeTunnelRates::Beginning*
EdgeTunnelRates::FindBeginning(const IpTunnelNetDevice& device, int64_t now)
{
    const auto known =
        std::find_if(m_beginnings.begin(), m_beginnings.end(), [&device](const auto& beginning) {
            return PeekPointer(beginning.tunnel->device) == &device;
        });
    if (known == m_beginnings.end())
    {
        return nullptr;
    }
    if (now >= known->end)
    {
        m_beginnings.erase(known);
        return nullptr;
    }
    return &*known;
}

void
EdgeTunnelRates::AddLimit(const std::vector<EdgeTunnel*>& tunnels,
                          uint32_t queue,
                          uint64_t rate,
                          uint32_t overhead)
{
    for (EdgeTunnel* const tunnel : tunnels)
    {
        tunnel->limit = static_cast<uint32_t>(m_limits.size());
    }
    auto& limit = m_limits.emplace_back();
    limit.queue = queue;
    limit.overhead = overhead;
    limit.settings.law.capacity = static_cast<double>(rate);
    limit.settings.law.feedback = FEEDBACK;
    limit.settings.interval = FIRST_MEASUREMENT;
    limit.threshold = LONGEST_WAIT * static_cast<double>(rate) / 8e9;
}

std::optional<EdgeRateLaw::Told>
EdgeTunnelRates::Count(const EdgeTunnel& tunnel,
                       const FlowKey& key,
                       uint32_t bytes,
                       uint64_t waiting,
                       int64_t now)
{
    auto& limit = m_limits[*tunnel.limit];
    const auto queue = static_cast<double>(waiting);
    PortShares::Arrival arrival;
    arrival.time = now;
    arrival.innerBytes = bytes;
    arrival.linkBytes = bytes + limit.overhead;
    arrival.queue = queue;
    arrival.severity =
        queue > limit.threshold ? CongestionSeverity::LIGHT : CongestionSeverity::NONE;
    if (limit.shares.Count(limit.settings, key, arrival) != PortShares::Verdict::TELL)
    {
        return std::nullopt;
    }
    const auto share = limit.shares.Tell(limit.settings);
    if (share.rate == NOTIFICATION_RATE_UNLIMITED)
    {
        return std::nullopt;
    }
    return EdgeRateLaw::Told{share.rate, share.validity, OWN_SOURCE, now, 0};
}

} // namespace ns3::aidc
