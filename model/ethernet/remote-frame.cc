/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "remote-frame.h"

#include "ns3/socket.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace ns3::aidc
{

namespace
{

/// What precedes the packet.
struct RemoteFrameHeader
{
    EthernetFields fields; //!< EthernetFrame::fields
    TransitHeader transit; //!< EthernetFrame::transit
    uint32_t epoch;        //!< RemoteFrame::epoch
    uint32_t packetSize;   //!< bytes of the packet
    bool hasTransit;       //!< EthernetFrame::hasTransit
    bool isWritten;        //!< EthernetFrame::isWritten
};

static_assert(std::is_trivially_copyable_v<RemoteFrameHeader>);

/// Have ns-3 know the types of tags that sockets add to packets, which it registers when they are
/// first used: it reads only those that it knows.
void
RegisterSocketTags()
{
    static const bool isDone = [] {
        SocketIpTosTag::GetTypeId();
        SocketIpTtlTag::GetTypeId();
        SocketIpv6HopLimitTag::GetTypeId();
        SocketIpv6TclassTag::GetTypeId();
        SocketPriorityTag::GetTypeId();
        SocketSetDontFragmentTag::GetTypeId();
        return true;
    }();
    static_cast<void>(isDone);
}

} // namespace

void
WriteRemoteFrame(uint32_t epoch, const EthernetFrame& frame, std::vector<uint8_t>& bytes)
{
    RemoteFrameHeader header{};
    header.fields = frame.fields;
    header.transit = frame.transit;
    header.epoch = epoch;
    header.packetSize = frame.packet->GetSerializedSize();
    header.hasTransit = frame.hasTransit;
    header.isWritten = frame.isWritten;
    bytes.resize(sizeof(header) + header.packetSize);
    std::memcpy(bytes.data(), &header, sizeof(header));
    if (frame.packet->Serialize(bytes.data() + sizeof(header), header.packetSize) == 0)
    {
        throw std::runtime_error("ns-3 could not write a packet for another process");
    }
}

RemoteFrame
ReadRemoteFrame(const uint8_t* bytes, std::size_t size)
{
    RegisterSocketTags();
    RemoteFrameHeader header;
    if (size < sizeof(header))
    {
        throw std::runtime_error("what another process has sent is no frame");
    }
    std::memcpy(&header, bytes, sizeof(header));
    if (size != sizeof(header) + header.packetSize)
    {
        throw std::runtime_error("what another process has sent is no whole frame");
    }
    RemoteFrame remote;
    remote.epoch = header.epoch;
    remote.frame.fields = header.fields;
    remote.frame.transit = header.transit;
    remote.frame.hasTransit = header.hasTransit;
    remote.frame.isWritten = header.isWritten;
    remote.frame.packet = Create<Packet>(bytes + sizeof(header), header.packetSize, true);
    return remote;
}

} // namespace ns3::aidc
