/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DEVICE_LINK_PROPERTIES_H
#define AIDC_DEVICE_LINK_PROPERTIES_H

#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

/**
 * @file
 * What a device's link is like, whichever kind of device it is.
 */

namespace ns3::aidc
{

/**
 * @brief Get the rate at which a device sends: its own or its channel's DataRate attribute.
 * @param device the device, may be null
 * @return the rate, 0 if the device does not say
 */
DataRate GetLinkRate(Ptr<NetDevice> device);

/**
 * @brief Get the propagation delay of a device's channel: its Delay attribute.
 * @param device the device, may be null
 * @return the delay, 0 if the channel does not say
 */
Time GetLinkDelay(Ptr<NetDevice> device);

} // namespace ns3::aidc

#endif // AIDC_DEVICE_LINK_PROPERTIES_H
