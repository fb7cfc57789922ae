/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BRIDGED_QUEUE_ITEM_H
#define AIDC_BRIDGED_QUEUE_ITEM_H

#include "../core/ethernet/ethernet-fields.h"

#include "ns3/packet.h"
#include "ns3/queue-item.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A packet from NetDevice::Send() or SendFrom() in a port's root queue disc.
 *
 * It keeps its addresses. An IP packet is classified by its DSCP. It cannot be marked, as bridges
 * do not change packets.
 */
class BridgedQueueItem final : public QueueDiscItem
{
  public:
    /// Constructor. packet: the packet with all of its headers.
    BridgedQueueItem(const Ptr<Packet>& packet,
                     const Address& destination,
                     const MacBytes& source,
                     uint16_t etherType);

    /// @return the source address
    const MacBytes& GetSource() const
    {
        return m_source;
    }

    // From QueueDiscItem
    void AddHeader() override;

    bool Mark() override
    {
        return false;
    }

    bool GetUint8Value(Uint8Values field, uint8_t& value) const override;

  private:
    MacBytes m_source; //!< the source address
};

} // namespace ns3::aidc

#endif // AIDC_BRIDGED_QUEUE_ITEM_H
