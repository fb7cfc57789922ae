/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-graceful-restart.h"

#include <algorithm>
#include <tuple>

namespace ns3::aidc
{

/// R in the first two octets.
static constexpr uint16_t RESTARTING = 0x8000;

/// N in the first two octets.
static constexpr uint16_t ON_NOTIFICATION = 0x4000;

/// F in the flags of a family.
static constexpr uint8_t FORWARDING = 0x80;

bool
operator==(const BgpRestartFamily& a, const BgpRestartFamily& b)
{
    return a.family == b.family && a.isForwardingKept == b.isForwardingKept;
}

/// Get all members of a capability. @return references to them
static auto
Tie(const BgpGracefulRestart& a)
{
    return std::tie(a.isRestarting, a.keepsOnNotification, a.restartTime, a.families);
}

bool
operator==(const BgpGracefulRestart& a, const BgpGracefulRestart& b)
{
    return Tie(a) == Tie(b);
}

const BgpRestartFamily*
BgpGracefulRestart::Find(const BgpAddressFamily& family) const
{
    const auto found =
        std::find_if(families.begin(), families.end(), [&family](const BgpRestartFamily& entry) {
            return entry.family == family;
        });
    return found == families.end() ? nullptr : &*found;
}

BgpBytes
EncodeBgpGracefulRestart(const BgpGracefulRestart& restart)
{
    BgpBytes value;
    AppendBgp(value,
              static_cast<uint16_t>((restart.isRestarting ? RESTARTING : 0) |
                                    (restart.keepsOnNotification ? ON_NOTIFICATION : 0) |
                                    (restart.restartTime & BGP_MAX_RESTART_TIME)));
    for (const BgpRestartFamily& entry : restart.families)
    {
        AppendBgp(value, entry.family.afi);
        value.push_back(entry.family.safi);
        value.push_back(entry.isForwardingKept ? FORWARDING : 0);
    }
    return value;
}

std::optional<BgpGracefulRestart>
DecodeBgpGracefulRestart(BgpReader value)
{
    BgpGracefulRestart restart;
    const auto first = value.Read<uint16_t>();
    restart.isRestarting = (first & RESTARTING) != 0;
    restart.keepsOnNotification = (first & ON_NOTIFICATION) != 0;
    restart.restartTime = first & BGP_MAX_RESTART_TIME;
    while (value.IsWhole() && value.GetSize() > 0)
    {
        BgpRestartFamily entry;
        entry.family.afi = value.Read<uint16_t>();
        entry.family.safi = value.Read<uint8_t>();
        entry.isForwardingKept = (value.Read<uint8_t>() & FORWARDING) != 0;
        auto& families = restart.families;
        families.erase(std::remove_if(families.begin(),
                                      families.end(),
                                      [&entry](const BgpRestartFamily& other) {
                                          return other.family == entry.family;
                                      }),
                       families.end());
        families.push_back(entry);
    }
    return value.IsWhole() ? std::make_optional(restart) : std::nullopt;
}

} // namespace ns3::aidc
