/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-timeout-settings.h"

#include "../core/transport/roce-timing.h"

#include "ns3/warning.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// Bytes of a switch's buffer where the path is not known: the default of SharedBuffer.
constexpr double UNKNOWN_BUFFER = 12e6;

} // namespace

std::optional<RoceTimeout>
RoceTimeoutSettings::Make(RoceSettings::Recovery recovery,
                          const RoceConnection& connection,
                          const RocePath& path,
                          Time ackDelay) const
{
    if (ackTimeout == 0)
    {
        return std::nullopt;
    }
    RoceTimeout::Settings settings;
    if (path.baseRtt.IsStrictlyPositive())
    {
        settings.baseRtt = (path.baseRtt + ackDelay).GetNanoSeconds();
    }
    settings.queueing =
        path.queueing.IsStrictlyPositive()
            ? path.queueing.GetNanoSeconds()
            : static_cast<int64_t>(8e9 * UNKNOWN_BUFFER / static_cast<double>(connection.lineRate));
    settings.queueing = std::max(settings.queueing, path.pause.GetNanoSeconds());
    const bool isSelective = recovery == RoceSettings::SELECTIVE_REPEAT;
    // Receivers under go-back-N drop packets that overtake others, with pauses, too.
    settings.isLossless = path.isLossless && isSelective;
    settings.hasProbe = hasProbe && isSelective;
    settings.lowPackets = isSelective ? lowPackets : 0;
    settings.seed = (uint64_t{connection.localAddress} << 32) + connection.localQp;
    if (ackTimeout != DERIVED)
    {
        settings.high = static_cast<int64_t>(GetAckTimeoutNanoseconds(ackTimeout));
        WarnIfBelow("AckTimeout",
                    *settings.high,
                    settings.baseRtt == 0 || path.queueing.IsZero()
                        ? settings.baseRtt
                        : RoceTimeout::GetHigh(settings));
    }
    if (lowTimeout > 0)
    {
        settings.low = lowTimeout;
        WarnIfBelow("LowTimeout",
                    *settings.low,
                    settings.baseRtt > 0 && settings.lowPackets > 0 ? RoceTimeout::GetLow(settings)
                                                                    : 0);
    }
    return RoceTimeout(settings);
}

void
RoceTimeoutSettings::WarnIfBelow(const std::string& attribute, int64_t set, int64_t derived) const
{
    if (set < derived && warned->insert(attribute).second)
    {
        Warn("RoceNic: ",
             attribute,
             " of ",
             static_cast<double>(set) / 1e3,
             " us is below the ",
             static_cast<double>(derived) / 1e3,
             " us that the path takes, idle or with a full buffer: packets that only wait are sent "
             "again; left unset, it is derived from the path");
    }
}

} // namespace ns3::aidc
