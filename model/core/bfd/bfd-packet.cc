// SPDX-License-Identifier: GPL-2.0-only

#include "bfd-packet.h"

#include <tuple>

namespace ns3::aidc
{

namespace
{

constexpr uint8_t VERSION = 1; //!< of the protocol

constexpr uint8_t AUTHENTICATION = 0x04; //!< a bit of the second octet
constexpr uint8_t MULTIPOINT = 0x01;     //!< the same

/// A bit of the second octet, and its member.
struct FlagMember
{
    uint8_t mask;            //!< the bit
    bool BfdPacket::* isSet; //!< the member
};

/// All bits that have a member.
constexpr FlagMember FLAG_MEMBERS[] = {{0x20, &BfdPacket::isPoll},
                                       {0x10, &BfdPacket::isFinal},
                                       {0x08, &BfdPacket::isControlPlaneIndependent},
                                       {AUTHENTICATION, &BfdPacket::isAuthenticated},
                                       {0x02, &BfdPacket::isDemand}};

/// The numbers from the fifth octet on, of four octets each.
constexpr uint32_t BfdPacket::* NUMBER_MEMBERS[] = {&BfdPacket::myDiscriminator,
                                                    &BfdPacket::yourDiscriminator,
                                                    &BfdPacket::desiredMinTx,
                                                    &BfdPacket::requiredMinRx,
                                                    &BfdPacket::requiredMinEchoRx};

uint32_t
Read32(const uint8_t* data)
{
    return static_cast<uint32_t>(data[0]) << 24 | static_cast<uint32_t>(data[1]) << 16 |
           static_cast<uint32_t>(data[2]) << 8 | data[3];
}

void
Write32(uint8_t* data, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        data[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
    }
}

} // namespace

const char*
GetBfdStateName(BfdState state)
{
    static constexpr std::array<const char*, 4> NAMES{"AdminDown", "Down", "Init", "Up"};
    return NAMES.at(static_cast<std::size_t>(state));
}

const char*
GetBfdDiscardName(BfdDiscard discard)
{
    static constexpr std::array<const char*, static_cast<std::size_t>(BfdDiscard::N_DISCARDS)>
        NAMES{"none",
              "wrong time to live",
              "wrong version",
              "length too short",
              "truncated",
              "detection multiplier 0",
              "multipoint",
              "no discriminator",
              "unknown session",
              "no session named by a sender that is not down",
              "unknown neighbor",
              "authenticated",
              "administratively down"};
    return NAMES.at(static_cast<std::size_t>(discard));
}

bool
operator==(const BfdPacket& a, const BfdPacket& b)
{
    const auto tie = [](const BfdPacket& p) {
        return std::tie(p.diagnostic,
                        p.state,
                        p.isPoll,
                        p.isFinal,
                        p.isControlPlaneIndependent,
                        p.isAuthenticated,
                        p.isDemand,
                        p.detectMultiplier,
                        p.myDiscriminator,
                        p.yourDiscriminator,
                        p.desiredMinTx,
                        p.requiredMinRx,
                        p.requiredMinEchoRx);
    };
    return tie(a) == tie(b);
}

std::array<uint8_t, BFD_PACKET_SIZE>
EncodeBfdPacket(const BfdPacket& packet)
{
    std::array<uint8_t, BFD_PACKET_SIZE> bytes{};
    bytes[0] = static_cast<uint8_t>(VERSION << 5 | (packet.diagnostic & 0x1f));
    bytes[1] = static_cast<uint8_t>(static_cast<uint8_t>(packet.state) << 6);
    for (const FlagMember& flag : FLAG_MEMBERS)
    {
        bytes[1] |= packet.*flag.isSet ? flag.mask : 0;
    }
    bytes[1] &= static_cast<uint8_t>(~AUTHENTICATION); // there is no such section
    bytes[2] = packet.detectMultiplier;
    bytes[3] = BFD_PACKET_SIZE;
    uint8_t* next = &bytes[4];
    for (const auto number : NUMBER_MEMBERS)
    {
        Write32(next, packet.*number);
        next += sizeof(uint32_t);
    }
    return bytes;
}

BfdDiscard
DecodeBfdPacket(const uint8_t* data, std::size_t size, BfdPacket& packet)
{
    if (size > 0 && data[0] >> 5 != VERSION)
    {
        return BfdDiscard::WRONG_VERSION;
    }
    if (size < 4)
    {
        return BfdDiscard::TRUNCATED;
    }
    const bool isAuthenticated = (data[1] & AUTHENTICATION) != 0;
    if (data[3] < (isAuthenticated ? BFD_MIN_AUTHENTICATED_SIZE : BFD_PACKET_SIZE))
    {
        return BfdDiscard::TOO_SHORT;
    }
    if (data[3] > size)
    {
        return BfdDiscard::TRUNCATED;
    }
    if (data[2] == 0)
    {
        return BfdDiscard::NO_MULTIPLIER;
    }
    if ((data[1] & MULTIPOINT) != 0)
    {
        return BfdDiscard::MULTIPOINT;
    }
    if (Read32(data + 4) == 0)
    {
        return BfdDiscard::NO_DISCRIMINATOR;
    }
    packet.diagnostic = data[0] & 0x1f;
    packet.state = static_cast<BfdState>(data[1] >> 6);
    for (const FlagMember& flag : FLAG_MEMBERS)
    {
        packet.*flag.isSet = (data[1] & flag.mask) != 0;
    }
    packet.detectMultiplier = data[2];
    const uint8_t* next = data + 4;
    for (const auto number : NUMBER_MEMBERS)
    {
        packet.*number = Read32(next);
        next += sizeof(uint32_t);
    }
    return BfdDiscard::NONE;
}

} // namespace ns3::aidc
