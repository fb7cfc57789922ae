/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-tcp-segments.h"

#include "../core/ipv4-bytes.h"

#include "ns3/ethernet-frame.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/tcp-header.h"

#include <array>
#include <boost/endian/conversion.hpp>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigTcpSegments");

namespace
{

constexpr std::size_t CHECKSUM = 16; //!< where it is in a TCP header

} // namespace

CsigSegmentOptions::CsigSegmentOptions(CsigHostStatistics& statistics)
    : m_statistics(statistics)
{
}

CsigSegmentOptions::Result
CsigSegmentOptions::Take(Ptr<Packet> segment,
                         TcpHeaderBytes& header,
                         const TcpExperimentalOption& option,
                         const FlowKey& flow,
                         std::optional<CsigReflection>& reflection)
{
    auto place = FindTcpOption(header, option);
    if (!place)
    {
        return Result::MALFORMED;
    }
    if (place->length == 0)
    {
        return Result::GOOD;
    }
    // A new checksum must not hide that the old one is wrong.
    if (Node::ChecksumEnabled())
    {
        m_bytes.resize(segment->GetSize());
        segment->CopyData(m_bytes.data(), segment->GetSize());
        if (ComputeTcpChecksum(flow.source, flow.destination, m_bytes.data(), m_bytes.size()) != 0)
        {
            return Result::CORRUPT;
        }
    }
    const auto oldSize = header.size;
    while (place && place->length > 0)
    {
        const auto decoded =
            DecodeCsigOption(header.bytes.data() + place->offset, place->length, option);
        if (decoded)
        {
            reflection = decoded;
        }
        else
        {
            ++m_statistics.malformedOptions;
        }
        RemoveTcpOption(header, *place);
        place = FindTcpOption(header, option);
    }
    ReplaceHeader(segment, oldSize, header, flow);
    return Result::GOOD;
}

bool
CsigSegmentOptions::Append(Ptr<Packet> segment,
                           TcpHeaderBytes& header,
                           const TcpExperimentalOption& option,
                           const std::optional<CsigFields>& fields,
                           const FlowKey& flow,
                           uint32_t mtu)
{
    std::array<uint8_t, CSIG_MAX_OPTION_SIZE> bytes{};
    const auto length = EncodeCsigOption(fields, option, bytes.data());
    const auto oldSize = header.size;
    TcpHeaderBytes longer = header;
    if (!AppendTcpOption(longer, bytes.data(), length))
    {
        ++m_statistics.noRoom;
        return false;
    }
    if (IPV4_HEADER_SIZE + segment->GetSize() + longer.size - oldSize > mtu)
    {
        ++m_statistics.overMtu;
        return false;
    }
    header = longer;
    ReplaceHeader(segment, oldSize, header, flow);
    return true;
}

void
CsigSegmentOptions::ReplaceHeader(Ptr<Packet> segment,
                                  std::size_t oldSize,
                                  TcpHeaderBytes& header,
                                  const FlowKey& flow)
{
    segment->RemoveAtStart(static_cast<uint32_t>(oldSize));
    if (Node::ChecksumEnabled())
    {
        header.bytes[CHECKSUM] = 0;
        header.bytes[CHECKSUM + 1] = 0;
        m_bytes.assign(header.bytes.begin(), header.bytes.begin() + header.size);
        m_bytes.resize(header.size + segment->GetSize());
        segment->CopyData(m_bytes.data() + header.size, segment->GetSize());
        const auto checksum =
            ComputeTcpChecksum(flow.source, flow.destination, m_bytes.data(), m_bytes.size());
        header.bytes[CHECKSUM] = static_cast<uint8_t>(checksum >> 8);
        header.bytes[CHECKSUM + 1] = static_cast<uint8_t>(checksum);
    }
    segment->AddHeader(WrittenHeader<TcpHeader>(header.bytes.data(), header.size));
}

namespace
{

using boost::endian::load_big_u32;

constexpr std::size_t SEQUENCE = 4;       //!< where it is in a TCP header
constexpr std::size_t ACKNOWLEDGMENT = 8; //!< likewise
constexpr std::size_t FLAGS = 13;         //!< likewise

/// Read the header of a TCP segment. @return whether it is whole
bool
ReadHeader(Ptr<const Packet> segment, TcpHeaderBytes& header)
{
    const auto size = segment->CopyData(header.bytes.data(), TCP_MAX_HEADER_SIZE);
    header.size = DecodeTcpHeaderSize(header.bytes.data(), size).value_or(0);
    return header.size != 0;
}

/// Get the MTU of the device of a packet's route; the largest number if the route is null.
uint32_t
GetMtu(const Ptr<Ipv4Route>& route)
{
    const auto device = route ? route->GetOutputDevice() : nullptr;
    return device ? device->GetMtu() : std::numeric_limits<uint32_t>::max();
}

} // namespace

CsigTcpSegments::CsigTcpSegments(CsigHostFlows& flows, const CsigHostSettings& settings)
    : m_flows(flows),
      m_settings(settings),
      m_options(flows.GetStatistics())
{
}

void
CsigTcpSegments::Send(Ptr<Packet> segment,
                      const Ipv4Address& source,
                      const Ipv4Address& destination,
                      const Ptr<Ipv4Route>& route)
{
    m_flows.RemoveForeignTag(segment);
    TcpHeaderBytes header;
    if (!ReadHeader(segment, header))
    {
        return;
    }
    const auto key = DecodeFlowKey(source.Get(),
                                   destination.Get(),
                                   PROTOCOL_TCP,
                                   false,
                                   header.bytes.data(),
                                   header.size);
    if ((header.bytes[FLAGS] & TcpHeader::SYN) != 0)
    {
        SendSyn(segment, header, key, route);
        return;
    }
    auto flow = m_flows.Find(key);
    if (!flow || !flow->negotiation.IsAgreed())
    {
        return;
    }
    const auto data = static_cast<uint32_t>(segment->GetSize() - header.size);
    if (flow->reflector.HasNews())
    {
        const auto fields = flow->reflector.Peek().fields;
        if (m_options.Append(segment, header, m_settings.GetOption(), fields, key, GetMtu(route)))
        {
            flow->reflector.Advance();
            auto& statistics = m_flows.GetStatistics();
            ++(fields ? statistics.reflectionsSent : statistics.emptySent);
        }
        else
        {
            NS_LOG_LOGIC("No room for a reflection in a segment of " << segment->GetSize()
                                                                     << " bytes");
        }
    }
    const auto sequence = load_big_u32(header.bytes.data() + SEQUENCE);
    const auto acknowledgment = load_big_u32(header.bytes.data() + ACKNOWLEDGMENT);
    const bool isRepeat = flow->sent.Note(sequence, data, acknowledgment);
    if (data == 0 && !m_settings.tagAcks)
    {
        return;
    }
    if (isRepeat)
    {
        m_flows.NoteRepeat(key, *flow, data, sequence + data);
        return;
    }
    m_flows.TagPacket(segment, route, key, *flow, sequence + data);
}

void
CsigTcpSegments::SendSyn(Ptr<Packet> segment,
                         TcpHeaderBytes& header,
                         const FlowKey& key,
                         const Ptr<Ipv4Route>& route)
{
    bool hasOption = false;
    if ((header.bytes[FLAGS] & TcpHeader::ACK) != 0)
    {
        auto flow = m_flows.Find(key);
        if (flow)
        {
            hasOption = flow->negotiation.SendSynAck();
            flow->RestartSending();
        }
    }
    else
    {
        auto& flow = m_flows.Add(key);
        hasOption = flow.negotiation.SendSyn(m_settings.maxOffers);
        flow.RestartSending();
    }
    NS_LOG_LOGIC("A SYN leaves port " << key.sourcePort << (hasOption ? " with" : " without")
                                      << " the option");
    if (hasOption)
    {
        m_options.Append(segment, header, m_settings.GetOption(), std::nullopt, key, GetMtu(route));
    }
}

bool
CsigTcpSegments::Receive(Ptr<Packet> segment, const Ipv4Header& ipHeader)
{
    TcpHeaderBytes header;
    if (!ReadHeader(segment, header))
    {
        return Drop(segment);
    }
    const auto incoming = DecodeFlowKey(ipHeader.GetSource().Get(),
                                        ipHeader.GetDestination().Get(),
                                        PROTOCOL_TCP,
                                        false,
                                        header.bytes.data(),
                                        header.size);
    m_arriving = ReverseFlow(incoming);
    std::optional<CsigReflection> reflection;
    auto& statistics = m_flows.GetStatistics();
    if (header.size > TCP_MIN_HEADER_SIZE)
    {
        switch (m_options.Take(segment, header, m_settings.GetOption(), incoming, reflection))
        {
        case CsigSegmentOptions::Result::MALFORMED:
            return Drop(segment);
        case CsigSegmentOptions::Result::CORRUPT:
            ++statistics.corruptSegments;
            return true;
        case CsigSegmentOptions::Result::GOOD:
            break;
        }
    }

    const auto tag = m_flows.TakeTag(segment);
    const auto key = m_arriving;
    const auto flags = header.bytes[FLAGS];
    if ((flags & TcpHeader::SYN) != 0)
    {
        ReceiveSyn(key, (flags & TcpHeader::ACK) != 0, reflection && !reflection->fields);
        return true;
    }
    auto flow = m_flows.Find(key);
    const bool isAgreed = flow && flow->negotiation.IsAgreed();
    if (isAgreed && (tag || segment->GetSize() > header.size))
    {
        m_flows.NoteArrival(*flow, tag);
    }
    if (reflection && isAgreed)
    {
        const auto acknowledged =
            (flags & TcpHeader::ACK) != 0
                ? std::optional(load_big_u32(header.bytes.data() + ACKNOWLEDGMENT))
                : std::nullopt;
        m_flows.NoteReflection(key, *flow, *reflection, acknowledged);
    }
    else if (reflection)
    {
        ++statistics.unexpectedOptions;
    }
    if (tag)
    {
        m_flows.GetTraces().tag(key, *tag);
    }
    return true;
}

void
CsigTcpSegments::ReceiveSyn(const FlowKey& key, bool isAnswer, bool hasOption)
{
    NS_LOG_LOGIC("A SYN arrives at port " << key.sourcePort << (hasOption ? " with" : " without")
                                          << " the option");
    if (isAnswer)
    {
        auto flow = m_flows.Find(key);
        if (flow)
        {
            flow->negotiation.ReceiveSynAck(hasOption);
        }
    }
    else if (hasOption)
    {
        m_flows.Add(key).negotiation.ReceiveSyn(true);
    }
    else if (auto flow = m_flows.Find(key))
    {
        flow->negotiation.ReceiveSyn(false);
    }
}

bool
CsigTcpSegments::Drop(Ptr<const Packet> segment)
{
    NS_LOG_LOGIC("Dropped a malformed segment of " << segment->GetSize() << " bytes");
    ++m_flows.GetStatistics().malformedSegments;
    m_flows.GetTraces().drop(segment);
    return false;
}

} // namespace ns3::aidc
