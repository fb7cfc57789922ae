// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_TRIANGLE_H
#define AIDC_WAN_TRIANGLE_H

#include "wan-network.h"

#include "ns3/wan-plan.h"

namespace aidctest
{

/// Returns a WAN of three data centers with one PE each, and links of 100 Gb/s: a path of 1 ms from
/// a to b, one of 2 ms from b to c, and one of 2.5 ms from a to c.
inline WanSettings
MakeTriangle()
{
    WanSettings settings;
    settings.edgeRate = WanNetwork::RATE;
    settings.pairs = {{0, 1, {{1000000, WanNetwork::RATE, 2}}},
                      {1, 2, {{2000000, WanNetwork::RATE, 2}}},
                      {0, 2, {{2500000, WanNetwork::RATE, 2}}}};
    return settings;
}

} // namespace aidctest

#endif // AIDC_WAN_TRIANGLE_H
