/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_QUEUE_DISC_TOTALS_H
#define AIDC_QUEUE_DISC_TOTALS_H

#include "ns3/queue-disc.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Keeps the totals of a QueueDisc that is not told of each packet by trace sources.
 *
 * Packets are received, enqueued and dequeued all at once, when they leave. So all of the totals
 * agree with each other and with QueueDisc::GetNPackets(), which stays 0: QueueDisc asserts that.
 */
class QueueDiscTotals
{
  public:
    /**
     * @brief Keep the totals of a queue disc.
     * @param queueDisc the queue disc
     */
    void Attach(QueueDisc& queueDisc)
    {
        // The only way to them. They are no constants, GetStats() merely shows them as such.
        m_stats = &const_cast<QueueDisc::Stats&>(queueDisc.GetStats());
    }

    /**
     * @brief Tell whether totals are kept.
     * @return whether they are
     */
    bool IsAttached() const
    {
        return m_stats;
    }

    /**
     * @brief Count a packet that leaves.
     * @param bytes its size
     */
    void CountDeparture(uint32_t bytes)
    {
        ++m_stats->nTotalReceivedPackets;
        m_stats->nTotalReceivedBytes += bytes;
        ++m_stats->nTotalEnqueuedPackets;
        m_stats->nTotalEnqueuedBytes += bytes;
        ++m_stats->nTotalDequeuedPackets;
        m_stats->nTotalDequeuedBytes += bytes;
    }

    /**
     * @brief Count a packet that was received and dropped, of which the drop is counted already.
     * @param bytes its size
     */
    void CountRefusal(uint32_t bytes)
    {
        ++m_stats->nTotalReceivedPackets;
        m_stats->nTotalReceivedBytes += bytes;
    }

    /**
     * @brief Take back that QueueDisc::Enqueue() has counted a packet, which is queued.
     * @param bytes its size
     */
    void PutOff(uint32_t bytes)
    {
        --m_stats->nTotalReceivedPackets;
        m_stats->nTotalReceivedBytes -= bytes;
    }

  private:
    QueueDisc::Stats* m_stats{nullptr}; //!< the totals
};

} // namespace ns3::aidc

#endif // AIDC_QUEUE_DISC_TOTALS_H
