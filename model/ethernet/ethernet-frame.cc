/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-frame.h"

#include "ethernet-frame-header.h"
#include "written-header.h"

#include "ns3/ipv4-header.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;

} // namespace

bool
ReadTransitHeader(const Packet& packet, TransitHeader& header)
{
    uint8_t bytes[sizeof(Ipv4Bytes) + FLOW_KEY_MAX_BYTES];
    const uint32_t nBytes = packet.CopyData(bytes, sizeof(bytes));
    const auto headerSize = static_cast<uint32_t>(header.bytes.size());
    if (nBytes < headerSize || bytes[Ipv4Offset::VERSION] != IPV4_PLAIN_VERSION)
    {
        return false;
    }
    const uint32_t size = load_big_u16(bytes + Ipv4Offset::LENGTH);
    if (size < headerSize || size > packet.GetSize())
    {
        return false;
    }
    std::copy_n(bytes, headerSize, header.bytes.begin());
    const bool isFragment = (load_big_u16(bytes + Ipv4Offset::FRAGMENT) & 0x3fff) != 0;
    header.flow = DecodeFlowKey(load_big_u32(bytes + Ipv4Offset::SOURCE),
                                load_big_u32(bytes + Ipv4Offset::DESTINATION),
                                bytes[Ipv4Offset::PROTOCOL],
                                isFragment,
                                bytes + headerSize,
                                std::min(nBytes, size) - headerSize);
    return true;
}

EthernetFrame
EthernetFrame::FromBytes(const Ptr<Packet>& bytes)
{
    EthernetFrame frame;
    frame.packet = bytes;
    frame.isWritten = true;
    return frame;
}

const Ptr<Packet>&
EthernetFrame::Write()
{
    if (isWritten)
    {
        return packet;
    }
    const uint32_t padding = GetPadding();
    WritePayload();
    MakeOwn();
    EthernetFrameHeader header;
    header.GetFields() = fields;
    packet->AddHeader(header);
    AddPadding(padding);
    isWritten = true;
    return packet;
}

const Ptr<Packet>&
EthernetFrame::WritePayload()
{
    if (hasTransit)
    {
        MakeOwn();
        packet->AddHeader(WrittenHeader<Ipv4Header>(transit.bytes.data(), transit.bytes.size()));
        hasTransit = false;
    }
    return packet;
}

void
EthernetFrame::ReadPayload(const TransitHeader& header)
{
    MakeOwn();
    const uint32_t size = GetIpv4Length(header.bytes);
    if (packet->GetSize() > size)
    {
        packet->RemoveAtEnd(packet->GetSize() - size); // padding
    }
    packet->RemoveAtStart(static_cast<uint32_t>(header.bytes.size()));
    transit = header;
    hasTransit = true;
}

bool
EthernetFrame::Read(const KnownTags& known)
{
    if (!isWritten && IsReadAsWritten(fields, known))
    {
        return true;
    }
    Write();
    // Not by RemoveHeader(): ns-3 reads headers byte by byte.
    uint8_t bytes[EthernetFields::MAX_SIZE];
    EthernetFields read;
    if (!DecodeEthernetHeader(bytes, packet->CopyData(bytes, sizeof(bytes)), known, read))
    {
        return false;
    }
    MakeOwn();
    packet->RemoveAtStart(static_cast<uint32_t>(read.GetSize()));
    fields = read;
    isWritten = false;
    return true;
}

Ptr<Packet>
EthernetFrame::TakePayload()
{
    const uint32_t padding = GetPadding();
    WritePayload();
    AddPadding(padding);
    return std::exchange(packet, nullptr);
}

uint32_t
EthernetFrame::GetPadding() const
{
    return GetSize() - static_cast<uint32_t>(fields.GetSize()) - GetPayloadSize();
}

void
EthernetFrame::AddPadding(uint32_t size)
{
    if (size > 0)
    {
        MakeOwn();
        // Not Packet::AddPaddingAtEnd(): its bytes are those that happen to be in memory, and
        // packets that are printed do not know of them.
        packet->AddAtEnd(Create<Packet>(size));
    }
}

void
EthernetFrame::MakeOwn()
{
    if (packet->GetReferenceCount() > 1)
    {
        packet = packet->Copy(); // somebody else has kept it
    }
}

} // namespace ns3::aidc
