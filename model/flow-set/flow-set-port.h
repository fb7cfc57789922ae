/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_PORT_H
#define AIDC_FLOW_SET_PORT_H

#include "../core/buffer/port-buffer.h"
#include "../core/flow-set/congestion-index.h"

#include "ns3/net-device.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"

#include <cstdint>

namespace ns3::aidc
{

/// An egress port as a FlowSetSelector assesses it.
class FlowSetPort
{
  public:
    /// Constructor of a port without a queue, which is never congested.
    /// @param settings how the CQI is computed
    explicit FlowSetPort(const CongestionIndexSettings& settings);

    /// Find the queue of the port. @param device the device
    void FindQueue(Ptr<NetDevice> device);

    /// Set how the CQI is computed.
    void SetSettings(const CongestionIndexSettings& settings)
    {
        m_index.SetSettings(settings);
    }

    /// @return whether the port has a queue disc
    bool HasQueue() const
    {
        return m_queueDisc != nullptr;
    }

    /// Tell whether the capacity of the port's queue is known.
    /// @return whether it does; true without a queue disc
    bool HasCapacity() const
    {
        return !m_queueDisc || m_buffer || m_capacity > 0;
    }

    /// Get the depth of the queue now. @return bytes
    uint64_t GetDepth() const
    {
        return m_queueDisc ? m_queueDisc->GetNBytes() : 0;
    }

    /// Read the port, which has a queue disc. @param capacity the capacity of the queue in bytes, 0
    /// to ask the queue disc @return the reading from which the CQI is computed
    PortReading Read(uint64_t capacity) const;

    /// Compute the CQI.
    uint32_t UpdateCqi(const PortReading& reading)
    {
        return m_index.Update(reading);
    }

    /// @return the bytes that the port, which has a queue disc, has sent since the last call
    uint64_t CountSentBytes();

    /// Get the rate of the link. @return bit/s, 0 if unknown
    uint64_t GetRate() const
    {
        return m_rate;
    }

  private:
    CongestionIndex m_index;             //!< turns readings into the CQI
    Ptr<QueueDisc> m_queueDisc;          //!< the egress queue, null if there is none
    const PortBuffer* m_buffer{nullptr}; //!< its use of the shared buffer, or null
    uint64_t m_capacity{0};              //!< capacity in bytes without a buffer; 0 if unknown
    uint64_t m_rate{0};                  //!< of the link in bit/s, 0 if unknown
    uint64_t m_sentBytes{0};             //!< bytes sent up to the last CountSentBytes()
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_PORT_H
