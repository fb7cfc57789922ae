// SPDX-License-Identifier: GPL-2.0-only

#include "csig-l4-protocol.h"

#include "../core/ipv4-bytes.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/tcp-header.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigL4Protocol");

NS_OBJECT_ENSURE_REGISTERED(CsigReflectionHeader);

TypeId
CsigReflectionHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::CsigReflectionHeader")
                            .SetParent<Header>()
                            .SetGroupName("Aidc")
                            .AddConstructor<CsigReflectionHeader>();
    return tid;
}

CsigReflectionHeader::CsigReflectionHeader(const CsigReflection& reflection)
    : m_reflection(reflection),
      m_size(static_cast<uint32_t>(GetCsigReflectionSize(
          reflection.fields ? reflection.fields->format : CsigFormat::COMPACT)))
{
}

void
CsigReflectionHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, CSIG_MAX_REFLECTION_SIZE> bytes{};
    EncodeCsigReflection(m_reflection, bytes.data());
    start.Write(bytes.data(), m_size);
}

uint32_t
CsigReflectionHeader::Deserialize(Buffer::Iterator start)
{
    std::array<uint8_t, CSIG_MAX_REFLECTION_SIZE> bytes{};
    const auto size =
        std::min<uint32_t>(start.GetRemainingSize(), static_cast<uint32_t>(bytes.size()));
    start.Read(bytes.data(), size);
    m_size = static_cast<uint32_t>(DecodeCsigReflection(bytes.data(), size, m_reflection));
    if (m_size == 0)
    {
        NS_LOG_LOGIC("Found no reflection in " << size << " bytes");
    }
    return m_size;
}

void
CsigReflectionHeader::Print(std::ostream& os) const
{
    if (m_reflection.fields)
    {
        os << *m_reflection.fields;
    }
    else
    {
        os << "invalid";
    }
    os << (m_reflection.untagged ? " untagged" : "");
}

NS_OBJECT_ENSURE_REGISTERED(CsigL4Protocol);

TypeId
CsigL4Protocol::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::CsigL4Protocol").SetParent<TransportShim>().SetGroupName("Aidc");
    return tid;
}

void
CsigL4Protocol::Insert(Ptr<Ipv4> ipv4, Ptr<IpL4Protocol> transport)
{
    NS_LOG_FUNCTION(this << ipv4 << transport);
    SetTransport(transport);
    m_down = transport->GetDownTarget();
    transport->SetDownTarget(MakeCallback(&CsigL4Protocol::Send, this));
    ipv4->Insert(this); // replaces the transport, which has the same number
}

void
CsigL4Protocol::Send(Ptr<Packet> packet,
                     Ipv4Address source,
                     Ipv4Address destination,
                     uint8_t protocol,
                     Ptr<Ipv4Route> route)
{
    ChangeOutgoing(packet, source, destination, route);
    m_down(packet, source, destination, protocol, route);
}

IpL4Protocol::RxStatus
CsigL4Protocol::Receive(Ptr<Packet> p,
                        const Ipv4Header& header,
                        Ptr<Ipv4Interface> incomingInterface)
{
    // A checksum that fails is the one reason for IPv4 to drop a packet without an answer.
    return ChangeIncoming(p, header) ? TransportShim::Receive(p, header, incomingInterface)
                                     : RX_CSUM_FAILED;
}

void
CsigL4Protocol::DoDispose()
{
    m_down.Nullify();
    TransportShim::DoDispose();
}

namespace
{

using boost::endian::load_big_u32;

constexpr std::size_t SEQUENCE = 4;       //!< where it is in a TCP header
constexpr std::size_t ACKNOWLEDGMENT = 8; //!< likewise
constexpr std::size_t FLAGS = 13;         //!< likewise
constexpr std::size_t CHECKSUM = 16;      //!< likewise

/// Read the header of a TCP segment. @return whether it is whole
bool
ReadHeader(Ptr<const Packet> segment, TcpHeaderBytes& header)
{
    const auto size = segment->CopyData(header.bytes.data(), TCP_MAX_HEADER_SIZE);
    header.size = DecodeTcpHeaderSize(header.bytes.data(), size).value_or(0);
    return header.size != 0;
}

/// @return the flow of a datagram in its direction; none if its header is not whole
std::optional<FlowKey>
ReadKey(const Packet& datagram, Ipv4Address source, Ipv4Address destination)
{
    std::array<uint8_t, UDP_HEADER_SIZE> header{};
    if (datagram.CopyData(header.data(), UDP_HEADER_SIZE) < UDP_HEADER_SIZE)
    {
        return std::nullopt;
    }
    return DecodeFlowKey(source.Get(),
                         destination.Get(),
                         PROTOCOL_UDP,
                         false,
                         header.data(),
                         header.size());
}

/// Get the MTU of the device of a packet's route; the largest number if the route is null.
uint32_t
GetMtu(const Ptr<Ipv4Route>& route)
{
    const auto device = route ? route->GetOutputDevice() : nullptr;
    return device ? device->GetMtu() : std::numeric_limits<uint32_t>::max();
}

} // namespace

CsigTcpSegments::Options
CsigTcpSegments::TakeOptions(Ptr<Packet> segment,
                             TcpHeaderBytes& header,
                             const FlowKey& flow,
                             std::optional<CsigReflection>& reflection)
{
    const auto option = m_flows.settings.GetOption();
    auto place = FindTcpOption(header, option);
    if (!place)
    {
        return Options::MALFORMED;
    }
    if (place->length == 0)
    {
        return Options::GOOD;
    }
    // A new checksum must not hide that the old one is wrong.
    if (Node::ChecksumEnabled())
    {
        m_bytes.resize(segment->GetSize());
        segment->CopyData(m_bytes.data(), segment->GetSize());
        if (ComputeTcpChecksum(flow.source, flow.destination, m_bytes.data(), m_bytes.size()) != 0)
        {
            return Options::CORRUPT;
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
            ++m_flows.statistics.malformedOptions;
        }
        RemoveTcpOption(header, *place);
        place = FindTcpOption(header, option);
    }
    ReplaceHeader(segment, oldSize, header, flow);
    return Options::GOOD;
}

bool
CsigTcpSegments::AppendOption(Ptr<Packet> segment,
                              TcpHeaderBytes& header,
                              const std::optional<CsigFields>& fields,
                              const FlowKey& flow,
                              const Ptr<Ipv4Route>& route)
{
    std::array<uint8_t, CSIG_MAX_OPTION_SIZE> bytes{};
    const auto length = EncodeCsigOption(fields, m_flows.settings.GetOption(), bytes.data());
    const auto oldSize = header.size;
    TcpHeaderBytes longer = header;
    if (!AppendTcpOption(longer, bytes.data(), length))
    {
        ++m_flows.statistics.noRoom;
        return false;
    }
    if (IPV4_HEADER_SIZE + segment->GetSize() + longer.size - oldSize > GetMtu(route))
    {
        ++m_flows.statistics.overMtu;
        return false;
    }
    header = longer;
    ReplaceHeader(segment, oldSize, header, flow);
    return true;
}

void
CsigTcpSegments::ReplaceHeader(Ptr<Packet> segment,
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

void
CsigTcpSegments::ChangeOutgoing(Ptr<Packet> segment,
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
        if (AppendOption(segment, header, fields, key, route))
        {
            flow->reflector.Advance();
            auto& statistics = m_flows.statistics;
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
    if (data == 0 && !m_flows.settings.tagAcks)
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
        hasOption = flow.negotiation.SendSyn(m_flows.settings.maxOffers);
        flow.RestartSending();
    }
    NS_LOG_LOGIC("A SYN leaves port " << key.sourcePort << (hasOption ? " with" : " without")
                                      << " the option");
    if (hasOption)
    {
        AppendOption(segment, header, std::nullopt, key, route);
    }
}

bool
CsigTcpSegments::ChangeIncoming(Ptr<Packet> segment, const Ipv4Header& ipHeader)
{
    TcpHeaderBytes header;
    if (!ReadHeader(segment, header))
    {
        return m_flows.Drop(segment);
    }
    const auto incoming = DecodeFlowKey(ipHeader.GetSource().Get(),
                                        ipHeader.GetDestination().Get(),
                                        PROTOCOL_TCP,
                                        false,
                                        header.bytes.data(),
                                        header.size);
    m_arriving = ReverseFlow(incoming);
    std::optional<CsigReflection> reflection;
    if (header.size > TCP_MIN_HEADER_SIZE)
    {
        switch (TakeOptions(segment, header, incoming, reflection))
        {
        case Options::MALFORMED:
            return m_flows.Drop(segment);
        case Options::CORRUPT:
            ++m_flows.statistics.corruptSegments;
            return true;
        case Options::GOOD:
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
        ++m_flows.statistics.unexpectedOptions;
    }
    if (tag)
    {
        m_flows.traces.tag(key, *tag);
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

void
CsigUdpDatagrams::ChangeOutgoing(Ptr<Packet> datagram,
                                 const Ipv4Address& source,
                                 const Ipv4Address& destination,
                                 const Ptr<Ipv4Route>& route)
{
    m_flows.RemoveForeignTag(datagram);
    if (m_flows.settings.tagUdp && !destination.IsMulticast() && !destination.IsBroadcast())
    {
        if (const auto key = ReadKey(*datagram, source, destination))
        {
            m_flows.TagPacket(datagram, route, *key, m_flows.Add(*key), 0);
        }
    }
}

bool
CsigUdpDatagrams::ChangeIncoming(Ptr<Packet> datagram, const Ipv4Header& ipHeader)
{
    const auto incoming = ReadKey(*datagram, ipHeader.GetSource(), ipHeader.GetDestination());
    if (!incoming)
    {
        return m_flows.Drop(datagram);
    }
    const auto tag = m_flows.TakeTag(datagram);
    const auto key = ReverseFlow(*incoming);
    if (auto flow = tag ? &m_flows.Add(key) : m_flows.Find(key))
    {
        m_flows.NoteArrival(*flow, tag);
    }
    if (tag)
    {
        m_flows.traces.tag(key, *tag);
    }
    return true;
}

} // namespace ns3::aidc
