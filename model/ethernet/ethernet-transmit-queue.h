/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_TRANSMIT_QUEUE_H
#define AIDC_ETHERNET_TRANSMIT_QUEUE_H

#include "ethernet-port.h"

#include "ns3/net-device-queue-interface.h"

namespace ns3
{
class QueueDisc;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @brief Connects an EthernetNetDevice with its root queue disc.
 *
 * The queue disc sees the device's queue as stopped while the port transmits. The state is computed
 * when the queue disc asks for it, so the end of a transmission needs an event only if the queue
 * disc has found the port busy: that event wakes the queue disc.
 */
class EthernetTransmitQueue : public NetDeviceQueue
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set the port. @param device the port, which outlives this object; null once it is disposed
    void SetPort(EthernetPort* device)
    {
        m_port = device;
    }

    /// Find the root queue disc, or its child if ns-3 queues packets there. @return the queue disc
    Ptr<QueueDisc> FindQueueDisc() const;

    // From NetDeviceQueue
    bool IsStopped() const override;
    void Wake() override;
    void SetWakeCallback(WakeCallback cb) override;

  private:
    EthernetPort* m_port{nullptr}; //!< the port
    WakeCallback m_wake;           //!< runs the root queue disc
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_TRANSMIT_QUEUE_H
