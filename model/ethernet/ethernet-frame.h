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

/// The IPv4 header of a packet, without options, as switches have parsed it.
struct TransitHeader
{
    Ipv4Bytes bytes{}; //!< the header
    FlowKey flow;      //!< the flow of the packet
};

/**
 * @brief Parse the IPv4 header of a packet.
 * @param packet the packet with its header
 * @param [out] header the header and its flow; set if the header can be used
 * @return whether the header is complete and has no options
 */
bool ReadTransitHeader(const Packet& packet, TransitHeader& header);

/**
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

    /// Make a frame from its bytes. @param bytes the whole frame @return the frame, for Read() to
    /// parse
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
        // Not from the packet, whose memory a hop does not need otherwise.
        return hasTransit ? GetIpv4Length(transit.bytes) : packet->GetSize();
    }

    /// Write all headers, so that the packet is the whole frame, as captures show it. @return the
    /// packet; packet tags that are added to it stay with the frame
    const Ptr<Packet>& Write();

    /// Write the IPv4 header, so that the packet is the payload without padding. @return the
    /// packet; packet tags that are added to it stay with the frame
    const Ptr<Packet>& WritePayload();

    /// Move the IPv4 header from the packet into transit, and remove padding: the inverse of
    /// WritePayload(). @param header the header at the beginning of the packet
    void ReadPayload(const TransitHeader& header);

    /// Parse the Ethernet header. @param known the tags that the station knows @return false if the
    /// frame is too short; then it is unchanged
    bool Read(const KnownTags& known);

    /// Take the payload out of the frame. @return the payload with its padding
    Ptr<Packet> TakePayload();

    Ptr<Packet> packet;      //!< what follows the parsed headers
    EthernetFields fields;   //!< the Ethernet header
    TransitHeader transit{}; //!< the IPv4 header, if hasTransit
    bool hasTransit{false};  //!< whether the IPv4 header is parsed, too
    bool isWritten{false};   //!< whether the packet is the whole frame; then only it counts

  private:
    /// Get the padding that is still to be written. @return bytes
    uint32_t GetPadding() const;

    /// Append zeros to the packet.
    void AddPadding(uint32_t size);

    /// Copy the packet if somebody else has it, too.
    void MakeOwn();
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_FRAME_H
