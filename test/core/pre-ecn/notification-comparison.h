/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NOTIFICATION_COMPARISON_H
#define AIDC_NOTIFICATION_COMPARISON_H

#include "ns3/congestion-notification.h"

#include <tuple>

namespace ns3::aidc
{

inline bool
operator==(const CongestionNotification& a, const CongestionNotification& b)
{
    const auto tie = [](const CongestionNotification& n) {
        return std::tie(n.flow,
                        n.severity,
                        n.authentication,
                        n.device,
                        n.port,
                        n.queue,
                        n.sequence,
                        n.time,
                        n.ingress,
                        n.egress,
                        n.isFalling,
                        n.rate,
                        n.validity,
                        n.keyId);
    };
    return tie(a) == tie(b);
}

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_COMPARISON_H
