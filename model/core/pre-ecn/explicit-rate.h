/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPLICIT_RATE_H
#define AIDC_EXPLICIT_RATE_H

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/// The settings of ComputeExplicitRate().
struct ExplicitRateSettings
{
    double capacity{0};      //!< rate of the link, bit/s
    double utilization{1};   //!< the part of it that flows may have, above 0, at most 1
    double gain{0.25};       //!< the part of the queue that leaves in a feedback delay, above 0
    double queue{0};         //!< the queue that is aimed at, bytes
    int64_t feedback{1'000}; //!< the feedback delay D in ns, above 0
    double least{0.05}; //!< least rate, a part of the capacity: no queue, however long, stops flows
};

/**
 * @brief Compute the rate at which flows may arrive at a congested link.
 *
 * R = utilization * C - gain * (q - q0) / D: what the link sends, less what brings the queue q to
 * q0. D is the feedback delay: from the computation until packets arrive at the computed rate. Let
 * the rate be computed once per D. The queue then settles for a gain below 2, and without
 * overshoot for a gain of at most 1. If the effect comes another D later, these bounds are 1 and
 * 1/4, and after two more 0.618 and 4/27 (roots of z^(n+1) - z^n + gain). If the rate is computed
 * all the time, they are pi/2 and 1/e (roots of s + gain / D * exp(-s D)). So a gain of 1/4 is
 * without overshoot in each case of a delay that is at most D.
 *
 * @param settings the settings
 * @param queue the queue in bytes
 * @return the rate in bit/s
 */
inline double
ComputeExplicitRate(const ExplicitRateSettings& settings, double queue)
{
    const double excess = 8e9 * (queue - settings.queue) / static_cast<double>(settings.feedback);
    return std::max(settings.utilization * settings.capacity - settings.gain * excess,
                    settings.least * settings.capacity);
}

} // namespace ns3::aidc

#endif // AIDC_EXPLICIT_RATE_H
