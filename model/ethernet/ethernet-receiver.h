/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_RECEIVER_H
#define AIDC_ETHERNET_RECEIVER_H

#include "ethernet-mac.h"
#include "ethernet-port-settings.h"
#include "ethernet-tagger.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3::aidc
{

/// Checks the frames that arrive at a port, and gives them to the MAC control, to a frame handler,
/// or to ns-3's stack.
class EthernetReceiver
{
  public:
    /// Constructor. device: the port, for its hooks; mac: the port's end of the link; tagger: reads
    /// the tags of frames; settings: the settings, which outlive this object.
    EthernetReceiver(EthernetNetDevice& device,
                     EthernetMac& mac,
                     const EthernetTagger& tagger,
                     const EthernetPortSettings& settings);

    /// Set the port's index in its node, which frames keep in their context. @param index the index
    void SetIndex(uint32_t index)
    {
        m_index = static_cast<uint16_t>(index);
    }

    /// Set whether the node sees frames to other stations. @param isPromiscuous whether it does
    void SetPromiscuous(bool isPromiscuous)
    {
        m_isPromiscuous = isPromiscuous;
    }

    /**
     * @brief Take a frame.
     * @param [in,out] frame the frame; unusable if null is returned
     * @param epoch GetLinkEpoch() when it was sent
     * @param [out] whole the whole frame, null if nothing traces it
     * @return the payload with its context if the frame is for ns-3's stack; else null
     */
    Ptr<Packet> Take(EthernetFrame& frame, uint32_t epoch, Ptr<const Packet>& whole);

  private:
    /// Take a MAC control frame, or discard it. whole: the whole frame, null if nothing traces it.
    void TakeControl(const Ptr<const Packet>& whole, EthernetFrame& frame);

    EthernetMac& m_mac;                     //!< the port's end of the link
    const EthernetTagger& m_tagger;         //!< reads tags
    const EthernetPortSettings& m_settings; //!< the settings
    EthernetNetDevice& m_device;            //!< the port
    uint16_t m_index{0};                    //!< the port's index in its node
    bool m_isPromiscuous{false};            //!< whether the node sees frames to other stations
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_RECEIVER_H
