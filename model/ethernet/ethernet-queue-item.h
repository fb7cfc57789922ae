/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_QUEUE_ITEM_H
#define AIDC_ETHERNET_QUEUE_ITEM_H

#include "ethernet-frame.h"
#include "frame-context.h"

#include "ns3/ipv4-queue-disc-item.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Makes ns-3's IPv4 headers from the bytes of transit packets.
 *
 * It sets only the fields that differ from those of the packet before. Setting all fields takes a
 * tenth of the instructions of a packet-hop.
 */
class TransitHeaderReader
{
  public:
    /// Make a header. @param bytes its bytes, without options @return the header, valid until the
    /// next call
    const Ipv4Header& Read(const Ipv4Bytes& bytes);

  private:
    Ipv4Bytes m_bytes{};  //!< the bytes of the last header, without the checksum
    Ipv4Header m_header;  //!< the last header
    bool m_isFirst{true}; //!< whether there has been none
};

/**
 * @brief A transit packet in the queue of a port, with its context.
 *
 * Queue discs see the same IPv4 packet as if it had come through ns-3's stack. Its header has no
 * options. The item also keeps the bytes of the header, for the frame that it becomes.
 */
class EthernetQueueItem final : public Ipv4QueueDiscItem
{
  public:
    /**
     * @brief Constructor.
     * @param packet the packet without its IPv4 header
     * @param destination the address of the other end of the link
     * @param etherType the EtherType
     * @param header the IPv4 header with which it leaves
     * @param transit the same header as bytes
     * @param context the context of the packet
     */
    EthernetQueueItem(const Ptr<Packet>& packet,
                      const Address& destination,
                      uint16_t etherType,
                      const Ipv4Header& header,
                      const TransitHeader& transit,
                      const FrameContext& context);

    /// Get memory for an item. Each packet has an item, so a pool keeps the memory. @return the
    /// memory
    static void* operator new(std::size_t size);

    /// Give the memory of an item back.
    static void operator delete(void* memory);

    /// Get the context of the packet. @return the context
    FrameContext& GetContext()
    {
        return m_context;
    }

    /// Get the context of the packet. @return the context
    const FrameContext& GetContext() const
    {
        return m_context;
    }

    /**
     * @brief Make another item of the same packet, with another DSCP or ECN codepoint.
     *
     * ns-3 changes an item's header only by Mark(), which sets the codepoint CE only.
     *
     * @param tos the type of service of its header
     * @return the item to queue instead of this one
     */
    Ptr<EthernetQueueItem> CopyWithTos(uint8_t tos) const;

    /// Write the type of service and the checksum of the header, before the packet leaves.
    /// hasChecksum: whether nodes compute checksums; if not, the field is 0.
    const TransitHeader& FinishHeader(bool hasChecksum);

    // From QueueDiscItem
    uint32_t GetSize() const override;
    void AddHeader() override;

  private:
    FrameContext m_context; //!< the context of the packet
    TransitHeader m_header; //!< the header with which it came, until FinishHeader()
};

/**
 * @brief Get the port by which a queued packet has come into its node.
 *
 * For a packet on its way through ns-3's stack, it is known only if the ingress port keeps
 * contexts (EthernetNetDevice::SetKeepContext()).
 *
 * @param item the packet
 * @return the index of the device, FrameContext::NO_PORT if it is not known
 */
uint32_t GetIngressPort(const QueueDiscItem& item);

/**
 * @brief Get the context of a queued packet.
 *
 * For a packet on its way through ns-3's stack, it is known only if the ingress port keeps
 * contexts (EthernetNetDevice::SetKeepContext()).
 *
 * @param item the packet
 * @return the context, an empty one if it is not known
 */
FrameContext GetFrameContext(const QueueDiscItem& item);

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_QUEUE_ITEM_H
