/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWITCH_PORT_INFO_H
#define AIDC_SWITCH_PORT_INFO_H

#include "ns3/net-device.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"

namespace ns3
{
class QueueDisc;
} // namespace ns3

namespace ns3::aidc
{

class SharedBuffer;

/**
 * @brief Find the device that a queue disc serves.
 *
 * ns-3's traffic control layer tells a root its device. A child is searched for below the roots of
 * the node that is being initialized, at the cost of a walk over this node's queue discs.
 *
 * @param queueDisc the queue disc
 * @return the device, null if there is none
 */
Ptr<NetDevice> FindNetDevice(const QueueDisc* queueDisc);

/**
 * @brief Find the shared buffer that a device's queues draw on, or make one.
 * @param device the device, may be null
 * @param size the size of a new buffer, made where the device's node has none
 * @return the buffer
 */
Ptr<SharedBuffer> FindOrMakeSharedBuffer(Ptr<NetDevice> device, QueueSize size);

} // namespace ns3::aidc

#endif // AIDC_SWITCH_PORT_INFO_H
