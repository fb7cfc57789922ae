/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-link-properties.h"

#include "ns3/channel.h"

namespace ns3::aidc
{

DataRate
GetLinkRate(Ptr<NetDevice> device)
{
    DataRateValue rate{DataRate(0)};
    if (device && !device->GetAttributeFailSafe("DataRate", rate) && device->GetChannel())
    {
        device->GetChannel()->GetAttributeFailSafe("DataRate", rate);
    }
    return rate.Get();
}

Time
GetLinkDelay(Ptr<NetDevice> device)
{
    TimeValue delay{Time(0)};
    if (device && device->GetChannel())
    {
        device->GetChannel()->GetAttributeFailSafe("Delay", delay);
    }
    return delay.Get();
}

} // namespace ns3::aidc
