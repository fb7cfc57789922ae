/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_BUFFER_H
#define AIDC_EDGE_BUFFER_H

#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer-queue.h"
#include "ns3/shared-buffer.h"
#include "ns3/tunnel-traffic-controller.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aidc
{

class SwitchPortQueueDisc;

/**
 * @brief The memory of a provider edge router in which packets wait before they enter a tunnel.
 *
 * It draws on the node's SharedBuffer as a queue of its own. But a packet of a lossless class is
 * charged to its ingress port and priority, as by SwitchPortQueueDisc, so that the peer is paused
 * in time and nothing is lost. The SwitchPortQueueDisc of the ingress port knows which classes are
 * lossless.
 */
class EdgeBuffer
{
  public:
    /// The class of packets that are not lossless.
    static constexpr uint8_t LOSSY = std::numeric_limits<uint8_t>::max();

    EdgeBuffer();

    /// Draw on the memory of a node from now on. size: the size in bytes of the buffer to make if
    /// the node has no SharedBuffer.
    void Install(Ptr<Node> node, const QueueSize& size);

    /// Forget the node and its memory.
    void Dispose();

    /// Get the lossless class of a packet. @return the class, or LOSSY
    uint8_t FindIngressClass(const TunnelPacket& packet);

    /// Take memory for a packet. bytes: its size; ingressClass: the class to charge it to, or
    /// LOSSY. @return why there is no room; null if there is
    const char* Admit(const TunnelPacket& packet, uint32_t bytes, uint8_t ingressClass);

    /// Give the memory of a packet back. bytes: its size; ingressClass: the class that it was
    /// charged to, or LOSSY.
    void Release(const TunnelPacket& packet, uint32_t bytes, uint8_t ingressClass);

    /// @return the share of the buffer of packets that are not lossless
    Ptr<SharedBufferQueue> GetQueue() const
    {
        return m_share;
    }

  private:
    /// The classes of an ingress port.
    struct Port
    {
        SwitchPortQueueDisc* classes{nullptr}; //!< classifies packets, null for none
        uint32_t lossless{0};                  //!< the classes that are lossless, a bit each
        bool isKnown{false};                   //!< whether these are known
    };

    Ptr<Node> m_node;               //!< the node
    Ptr<SharedBuffer> m_buffer;     //!< its memory
    Ptr<SharedBufferQueue> m_share; //!< the share of packets that are not lossless
    std::vector<Port> m_ports;      //!< the ingress ports, by the index of the device
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_BUFFER_H
