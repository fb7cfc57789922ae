/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CONGESTION_NOTIFIER_STATISTICS_H
#define AIDC_CONGESTION_NOTIFIER_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What has become of the marks that a CongestionNotifier or a CongestionMonitor has seen.
 *
 * A mark is in one of these, but that a CongestionMonitor makes one notification of all marks of a
 * flow in an interval: then the others count as suppressed.
 */
struct CongestionNotifierStatistics
{
    uint64_t light{0};       //!< notifications of light congestion that were sent
    uint64_t severe{0};      //!< notifications of severe congestion that were sent
    uint64_t suppressed{0};  //!< marks of flows that have been notified of within the interval
    uint64_t full{0};        //!< marks of other flows than there is room for
    uint64_t notTunneled{0}; //!< marks of packets that no ingress PE has encapsulated
    uint64_t malformed{0};   //!< marks of packets whose inner headers cannot be read
    uint64_t offDomain{0};   //!< marks of packets whose outer source is not of the domain
    uint64_t failed{0};      //!< notifications that could not be sent: there is no route
};

} // namespace ns3::aidc

#endif // AIDC_CONGESTION_NOTIFIER_STATISTICS_H
