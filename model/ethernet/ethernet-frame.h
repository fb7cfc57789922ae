/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_FRAME_H
#define AIDC_ETHERNET_FRAME_H

#include "../core/ethernet/ethernet-fields.h"
#include "../core/ipv4-bytes.h"

#include "ns3/flow-key.h"
#include "ns3/packet.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What switches have found out of a packet's IPv4 header, which has no options.
 */
struct TransitHeader
{
    Ipv4Bytes bytes{}; //!< the header
    FlowKey flow;      //!< the flow of the packet
};

/**
 * @ingroup aidc
 * @brief Find out what there is to know of a packet's IPv4 header.
 * @param packet the packet with its header
 * @param [out] header the header, and its flow, if it is whole and without options
 * @return whether it is
 */
bool ReadTransitHeader(const Packet& packet, TransitHeader& header);

/**
 * @ingroup aidc
 * @brief A frame on a link or in a port, without its check sequence.
 *
 * Its headers are parsed fields. They are added to an ns-3 packet only where a trace source or a
 * handler needs the whole frame, and parsed only where a frame arrives as bytes. Otherwise each hop
 * would remove two headers from an ns-3 packet and add two.
 */
struct EthernetFrame
{
    /// The least bytes of a frame (IEEE 802.3, section 3.2.8); shorter ones are padded.
    static constexpr uint32_t MIN_SIZE = 60;

    /// Bytes of the gap between a frame and the next one (IEEE 802.3, section 4.4.2).
    static constexpr uint32_t GAP_SIZE = 12;

    /**
     * @brief Make a frame of its bytes.
     * @param bytes the whole frame
     * @return the frame, to be read by Read()
     */
    static EthernetFrame FromBytes(const Ptr<Packet>& bytes);

    /// @return the size in bytes, with padding
    uint32_t GetSize() const
    {
        return isWritten
                   ? packet->GetSize()
                   : std::max(MIN_SIZE, static_cast<uint32_t>(fields.GetSize()) + GetPayloadSize());
    }

    /// @return the size of the payload in bytes, without the padding that is still to be written
    uint32_t GetPayloadSize() const
    {
        // Not of the packet, which a hop has no other reason to look at.
        return hasTransit ? GetIpv4Length(transit.bytes) : packet->GetSize();
    }

    /**
     * @brief Write all headers, so that the packet is the whole frame, as captures show it.
     * @return the packet; tags that are put on it go with the frame
     */
    const Ptr<Packet>& Write();

    /**
     * @brief Write the IPv4 header, so that the packet is the payload without padding.
     * @return the packet; tags that are put on it go with the frame
     */
    const Ptr<Packet>& WritePayload();

    /**
     * @brief Make the IPv4 header a value, and leave padding behind; the other way than
     *        WritePayload().
     * @param header what the packet begins with
     */
    void ReadPayload(const TransitHeader& header);

    /**
     * @brief Find out what the header means to a station.
     * @param known the tags that the station knows
     * @return false if it is too short; the frame is as before then
     */
    bool Read(const KnownTags& known);

    /// Take the payload out of the frame. @return the payload with its padding
    Ptr<Packet> TakePayload();

    Ptr<Packet> packet;      //!< what follows the headers that are values
    EthernetFields fields;   //!< the Ethernet header
    TransitHeader transit{}; //!< the IPv4 header, if hasTransit
    bool hasTransit{false};  //!< whether the IPv4 header is a value, too
    bool isWritten{false};   //!< whether the packet is the whole frame, and nothing else counts

  private:
    /// Get the padding that is still to be written. @return bytes
    uint32_t GetPadding() const;

    /**
     * @brief Put zeros behind the packet.
     * @param size how many
     */
    void AddPadding(uint32_t size);

    /// Copy the packet, unless it is the frame's alone.
    void MakeOwn();
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_FRAME_H
