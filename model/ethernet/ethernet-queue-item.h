/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_QUEUE_ITEM_H
#define AIDC_ETHERNET_QUEUE_ITEM_H

#include "frame-context.h"

#include "ns3/ipv4-queue-disc-item.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A transit packet in the queue of a port, with its context.
 *
 * To queue discs it is the IPv4 packet that it would be if it had come through ns3's stack.
 */
class EthernetQueueItem final : public Ipv4QueueDiscItem
{
  public:
    /**
     * @brief Constructor.
     * @param packet the packet without its IPv4 header
     * @param destination the address of the other end of the link
     * @param etherType the EtherType
     * @param header the IPv4 header
     * @param context what is known of the packet
     */
    EthernetQueueItem(Ptr<Packet> packet,
                      const Address& destination,
                      uint16_t etherType,
                      const Ipv4Header& header,
                      const FrameContext& context)
        : Ipv4QueueDiscItem(packet, destination, etherType, header),
          m_context(context)
    {
    }

    /**
     * @brief Get what is known of the packet.
     * @return the context
     */
    FrameContext& GetContext()
    {
        return m_context;
    }

    /**
     * @brief Get what is known of the packet.
     * @return the context
     */
    const FrameContext& GetContext() const
    {
        return m_context;
    }

  private:
    FrameContext m_context; //!< what is known of the packet
};

/**
 * @ingroup aidc
 * @brief Get the port by which a queued packet has come into its node.
 *
 * What goes through ns-3's stack tells it only if its ingress port keeps contexts.
 *
 * @param item the packet
 * @return the index of the device, FrameContext::NO_PORT if it is not known
 */
uint32_t GetIngressPort(const QueueDiscItem& item);

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_QUEUE_ITEM_H
