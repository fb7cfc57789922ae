/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_PORT_H
#define AIDC_ETHERNET_PORT_H

#include "ethernet-frame.h"

#include "ns3/net-device.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief An EthernetNetDevice, as its link and its transmit queue see it.
 */
class EthernetPort : public NetDevice
{
  public:
    /**
     * @brief Set the other end's address, which the link does.
     * @param address the address
     */
    virtual void SetRemoteAddress(const Address& address) = 0;

    /**
     * @brief Take a frame from the link.
     * @param [in,out] frame the frame, the last bit of which has arrived; of no more use then
     * @param epoch what GetLinkEpoch() was when it was sent
     */
    virtual void Receive(EthernetFrame& frame, uint32_t epoch) = 0;

    /**
     * @brief Note that the link has failed or is restored.
     * @param isFailed whether it has failed
     */
    virtual void NotifyLinkFailed(bool isFailed) = 0;

    /**
     * @brief Notice the state of the link.
     * @param isUp whether the link is up
     */
    virtual void NotifyLinkState(bool isUp) = 0;

    /**
     * @brief Say whether a packet would have to wait, and if so wake the queue disc in time.
     * @return whether the port is busy
     */
    virtual bool MustWait() = 0;

    /**
     * @brief Note that a root queue disc has been installed or removed.
     * @param isInstalled whether there is one
     */
    virtual void NotifyQueueDisc(bool isInstalled) = 0;

    /**
     * @brief TracedCallback signature for a link that goes down or comes up.
     * @param [in] isUp whether it is up
     */
    typedef void (*LinkStateTracedCallback)(bool isUp);
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_H
