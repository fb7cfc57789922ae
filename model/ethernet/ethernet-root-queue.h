/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_ROOT_QUEUE_H
#define AIDC_ETHERNET_ROOT_QUEUE_H

#include "ns3/port-queue.h"
#include "ns3/queue-disc.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The root queue disc of a port: used as a PortQueue if it is one, else as ns-3 does.
 */
class EthernetRootQueue
{
  public:
    /**
     * @brief Set the root queue disc.
     * @param queueDisc the queue disc, which has to outlive its use; null for none
     */
    void Set(QueueDisc* queueDisc)
    {
        m_queueDisc = queueDisc;
        m_portQueue = dynamic_cast<PortQueue*>(queueDisc);
        if (m_portQueue)
        {
            m_portQueue->Attach();
        }
    }

    /**
     * @brief Get the root queue disc.
     * @return the queue disc, null if there is none or it is not known yet
     */
    QueueDisc* Get() const
    {
        return m_queueDisc;
    }

    // The following need a queue disc.

    /**
     * @brief Queue a packet.
     * @param item the packet
     */
    void Enqueue(const Ptr<QueueDiscItem>& item)
    {
        m_portQueue ? m_portQueue->Push(item) : m_queueDisc->Enqueue(item);
    }

    /**
     * @brief Take the packet that is to be sent next.
     * @return the packet, null if none may be sent now
     */
    Ptr<QueueDiscItem> Dequeue()
    {
        return m_portQueue ? m_portQueue->Pop() : m_queueDisc->Dequeue();
    }

    /**
     * @brief Tell whether there are packets.
     * @return true if there are, even if none of them may be sent now
     */
    bool HasPackets() const
    {
        return m_portQueue ? m_portQueue->HasPackets() : m_queueDisc->GetNPackets() > 0;
    }

    /**
     * @brief Get what is queued.
     * @return bytes
     */
    uint64_t GetBytes() const
    {
        return m_portQueue ? m_portQueue->GetQueuedBytes() : m_queueDisc->GetNBytes();
    }

  private:
    QueueDisc* m_queueDisc{nullptr}; //!< the queue disc
    PortQueue* m_portQueue{nullptr}; //!< the same, if it is one
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_ROOT_QUEUE_H
