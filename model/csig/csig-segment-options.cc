/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-segment-options.h"

#include "../core/ipv4-bytes.h"
#include "../ethernet/written-header.h"

#include "ns3/node.h"
#include "ns3/tcp-header.h"

#include <array>

namespace ns3::aidc
{

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

} // namespace ns3::aidc
