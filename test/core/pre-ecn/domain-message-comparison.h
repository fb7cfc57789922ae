// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DOMAIN_MESSAGE_COMPARISON_H
#define AIDC_DOMAIN_MESSAGE_COMPARISON_H

#include "ns3/domain-message.h"

#include <tuple>

namespace ns3::aidc
{

inline bool
operator==(const DomainMessage& a, const DomainMessage& b)
{
    const auto tie = [](const DomainMessage& m) {
        return std::tie(m.authentication, m.keyId, m.port, m.device, m.ingress, m.sequence, m.time);
    };
    return tie(a) == tie(b);
}

inline bool
operator==(const CongestionNotification& a, const CongestionNotification& b)
{
    const auto tie = [](const CongestionNotification& n) {
        return std::tie(static_cast<const DomainMessage&>(n),
                        n.flow,
                        n.severity,
                        n.queue,
                        n.egress,
                        n.isFalling,
                        n.rate,
                        n.validity);
    };
    return tie(a) == tie(b);
}

inline bool
operator==(const LinkLoadReport& a, const LinkLoadReport& b)
{
    const auto tie = [](const LinkLoadReport& r) {
        return std::tie(static_cast<const DomainMessage&>(r), r.length, r.capacity, r.octets);
    };
    return tie(a) == tie(b);
}

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_COMPARISON_H
