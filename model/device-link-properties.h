// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DEVICE_LINK_PROPERTIES_H
#define AIDC_DEVICE_LINK_PROPERTIES_H

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

/// @file
/// What a device's link is like, whichever kind of device it is.

namespace ns3::aidc
{

/// @param device a device, may be null
/// @return the rate at which it sends: its own or its channel's DataRate attribute; 0 if the device
///         does not say
inline DataRate
GetLinkRate(Ptr<NetDevice> device)
{
    DataRateValue rate{DataRate(0)};
    if (device && !device->GetAttributeFailSafe("DataRate", rate) && device->GetChannel())
    {
        device->GetChannel()->GetAttributeFailSafe("DataRate", rate);
    }
    return rate.Get();
}

/// @param device a device, may be null
/// @return the propagation delay of its channel: its Delay attribute; 0 if the channel does not say
inline Time
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

#endif // AIDC_DEVICE_LINK_PROPERTIES_H
