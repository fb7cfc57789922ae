/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "domain-message-guard.h"

#include <algorithm>

namespace ns3::aidc
{

std::optional<DomainMessageGuard::Refusal>
DomainMessageGuard::Check(const Settings& settings,
                          const DomainMessage& message,
                          const uint8_t* bytes,
                          uint32_t sender,
                          int64_t now)
{
    switch (settings.keys.Verify(bytes, DOMAIN_MESSAGE_SIZE))
    {
    case NotificationKeys::Verdict::FORGED:
        return UNAUTHENTIC;
    case NotificationKeys::Verdict::UNKNOWN_KEY:
        return UNKNOWN_KEY;
    case NotificationKeys::Verdict::AUTHENTIC:
        break;
    }
    if (!settings.domain.Contains(message.device))
    {
        return OFF_DOMAIN;
    }
    const bool isMonitor = !settings.monitors.IsAll() && settings.monitors.Contains(sender);
    if (message.device != sender && !isMonitor)
    {
        return OTHER_DEVICE;
    }
    // The domain shares one key: what is authentic may have been sent to another PE.
    if (std::find(m_ingresses.begin(), m_ingresses.end(), message.ingress) == m_ingresses.end())
    {
        return OTHER_RECEIVER;
    }
    const auto time = static_cast<int64_t>(message.time);
    if (time > now)
    {
        return EARLY;
    }
    if (settings.maxAge > 0 && now - time > settings.maxAge)
    {
        return STALE;
    }
    // Numbers are noted of authentic messages only: a forged one could make its successors look
    // old.
    m_windows.SetLimits(settings.maxDevices, settings.maxAge);
    switch (m_windows.Accept(message.device, message.sequence, time, now, settings.keys.IsSet()))
    {
    case ReplayWindows::Verdict::NO_ROOM:
        return TOO_MANY_DEVICES;
    case ReplayWindows::Verdict::REPLAYED:
        return REPLAYED;
    case ReplayWindows::Verdict::FRESH:
        break;
    }
    return std::nullopt;
}

} // namespace ns3::aidc
