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
 * @ingroup aidc
 * @brief Ties an EthernetNetDevice to its root queue disc.
 *
 * The queue disc sees the device's queue as stopped while the port transmits. The state is computed
 * when the queue disc asks for it, so that a port needs no event at the end of a transmission while
 * no queue disc waits. A port that was busy when asked wakes the queue disc at that end.
 */
class EthernetTransmitQueue : public NetDeviceQueue
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set the port. @param device the port, which outlives this; null when it is disposed of
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
