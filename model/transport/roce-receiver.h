/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_RECEIVER_H
#define AIDC_ROCE_RECEIVER_H

#include "roce-arrivals.h"
#include "roce-nic-record.h"
#include "roce-nic-settings.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/roce-packet.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Takes the RoCEv2 packets out of the frames that arrive at a port of a RoceNic, and gives
 *        them to their queue pairs.
 *
 * A packet is dropped and counted if it is malformed, if it is for no queue pair, or if it does not
 * come from that queue pair's peer.
 */
class RoceReceiver : public EthernetFrameHandler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    RoceReceiver();
    ~RoceReceiver() override;

    /**
     * @brief Begin to take the frames of a port. All arguments outlive this.
     * @param device the port; all other frames go to its former handler, if it had one
     * @param address its IPv4 address, host byte order
     * @param arrivals gives packets to their queue pairs
     * @param settings the attributes of the adapter
     * @param record where packets that are dropped are counted
     */
    void Install(EthernetNetDevice& device,
                 uint32_t address,
                 RoceArrivals& arrivals,
                 const RoceNicSettings& settings,
                 RoceNicRecord& record);

    // From EthernetFrameHandler
    bool Handle(EthernetNetDevice& device,
                EthernetFrame& frame,
                const FrameContext& context) override;

  protected:
    void DoDispose() override;

  private:
    /// Tell whether a frame has a packet to UDP port 4791 of this port. If so, parse its IPv4
    /// header.
    bool ReadDestination(EthernetFrame& frame) const;

    /// Read the packet of a frame for which ReadDestination() has returned true. @return false if
    /// the packet has to be dropped, which is counted here
    bool ReadPacket(const EthernetFrame& frame, bool isVerified, RocePacket& packet) const;

    uint32_t m_address{0};                      //!< the IPv4 address of the port
    RoceArrivals* m_arrivals{nullptr};          //!< gives packets to their queue pairs
    const RoceNicSettings* m_settings{nullptr}; //!< the attributes of the adapter
    RoceNicRecord* m_record{nullptr};           //!< where packets that are dropped are counted
    Ptr<EthernetFrameHandler> m_next;           //!< takes all other frames
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_RECEIVER_H
