// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_PACKETS_H
#define AIDC_TEST_PACKETS_H

#include "test/test-case.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/protocol-numbers.h"
#include "ns3/queue-item.h"

// Packets as queue discs see them, for the test suites.

namespace aidctest
{

/// ECN codepoints: the two lower bits of the byte that follows the version (RFC 3168, section 5).
enum EcnBits : uint8_t
{
    NOT_ECT = 0, //!< not ECN-capable
    ECT1 = 1,    //!< ECN-capable, L4S
    ECT0 = 2,    //!< ECN-capable
    CE = 3,      //!< congestion experienced
};

/// An EtherType for experiments.
constexpr uint16_t OTHER_ETHERTYPE = 0x88b5;
/// A protocol number for experiments (RFC 3692): no header that a hash would look for.
constexpr uint8_t OTHER_PROTOCOL = 253;

/// A packet that is neither IPv4 nor IPv6.
class NonIpItem : public QueueDiscItem
{
  public:
    explicit NonIpItem(uint32_t size)
        : QueueDiscItem(Create<Packet>(size), Address(), OTHER_ETHERTYPE)
    {
    }

    void AddHeader() override
    {
    }

    bool Mark() override
    {
        return false;
    }
};

/// Make an IPv4 packet. size: bytes, its header of 20 bytes included.
inline Ptr<QueueDiscItem>
MakeIpv4Item(uint32_t size, uint8_t tos)
{
    Ipv4Header header;
    header.SetTos(tos);
    header.SetProtocol(OTHER_PROTOCOL);
    header.SetPayloadSize(static_cast<uint16_t>(size - header.GetSerializedSize()));
    return Create<Ipv4QueueDiscItem>(Create<Packet>(size - header.GetSerializedSize()),
                                     Address(),
                                     ETHERTYPE_IPV4,
                                     header);
}

/// Make an IPv6 packet. size: bytes, its header of 40 bytes included.
inline Ptr<QueueDiscItem>
MakeIpv6Item(uint32_t size, uint8_t tos)
{
    Ipv6Header header;
    header.SetTrafficClass(tos);
    header.SetNextHeader(OTHER_PROTOCOL);
    header.SetPayloadLength(static_cast<uint16_t>(size - header.GetSerializedSize()));
    return Create<Ipv6QueueDiscItem>(Create<Packet>(size - header.GetSerializedSize()),
                                     Address(),
                                     ETHERTYPE_IPV6,
                                     header);
}

/// Make a packet that is neither IPv4 nor IPv6.
inline Ptr<QueueDiscItem>
MakeNonIpItem(uint32_t size)
{
    return Create<NonIpItem>(size);
}

/// Get DSCP and ECN codepoint of a packet. Returns the byte, 0 if it is not IP.
inline uint8_t
GetTos(Ptr<const QueueDiscItem> item)
{
    uint8_t tos = 0;
    item->GetUint8Value(QueueItem::IP_DSFIELD, tos);
    return tos;
}

/// Get the ECN codepoint of a packet. Returns the codepoint, NOT_ECT if it is not IP.
inline uint8_t
GetEcn(Ptr<const QueueDiscItem> item)
{
    return GetTos(item) & 3;
}

} // namespace aidctest

#endif // AIDC_TEST_PACKETS_H
