// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_PACKET_H
#define AIDC_ROCE_PACKET_H

#include "int-header.h"

#include <array>
#include <cstddef>
#include <cstdint>

/// @file
/// The headers of a RoCEv2 packet as a value (InfiniBand Architecture Specification,
///        volume 1, chapter 9 and annex A17).

namespace ns3::aidc
{

/// The bits of a packet sequence number, a counter that wraps (section 9.7.2). Message sequence
/// numbers are counted in the same way.
constexpr uint32_t PSN_MASK = 0xffffff;

/// Half of the packet sequence numbers. A requester has fewer packets than that outstanding.
constexpr uint32_t PSN_HALF_TURN = (PSN_MASK + 1) / 2;

/// Get the distance from one packet sequence number to another.
///
/// Of two numbers that are exactly half a turn apart, each is earlier than the other, so that no
/// receiver takes such a packet for a new one.
/// @param a a number; only its lower 24 bits count
/// @param b another number, likewise
/// @return a - b, between -2^23 and 2^23 - 1; negative if a is earlier
constexpr int32_t
SubtractPsn(uint32_t a, uint32_t b)
{
    const uint32_t distance = (a - b) & PSN_MASK;
    return static_cast<int32_t>(distance ^ PSN_HALF_TURN) - static_cast<int32_t>(PSN_HALF_TURN);
}

/// @param psn a packet sequence number
/// @return a position in units of its own, for PathSignals: the number as the upper 24 bits of 32,
///         so that both wrap around together
constexpr uint32_t
GetPsnPosition(uint32_t psn)
{
    return psn << 8;
}

/// The opcodes of reliable connections, with their numbers on the wire.
enum class RoceOpcode : uint8_t
{
    SEND_FIRST = 0x00,
    SEND_MIDDLE = 0x01,
    SEND_LAST = 0x02,
    SEND_LAST_IMMEDIATE = 0x03,
    SEND_ONLY = 0x04,
    SEND_ONLY_IMMEDIATE = 0x05,
    WRITE_FIRST = 0x06,
    WRITE_MIDDLE = 0x07,
    WRITE_LAST = 0x08,
    WRITE_LAST_IMMEDIATE = 0x09,
    WRITE_ONLY = 0x0a,
    WRITE_ONLY_IMMEDIATE = 0x0b,
    READ_REQUEST = 0x0c,
    READ_RESPONSE_FIRST = 0x0d,
    READ_RESPONSE_MIDDLE = 0x0e,
    READ_RESPONSE_LAST = 0x0f,
    READ_RESPONSE_ONLY = 0x10,
    ACKNOWLEDGE = 0x11,
    CNP = 0x81 //!< congestion notification packet
};

/// The kinds of answers: the upper bits of the syndrome in an ACK extended transport header.
enum class RoceSyndrome : uint8_t
{
    ACK = 0x00, //!< the value is a code of credits
    RNR = 0x20, //!< receiver not ready; the value is a code of time
    NAK = 0x60  //!< the value is a RoceNakCode
};

/// @param kind the kind of answer
/// @param value its value, 5 bits
/// @return the byte
constexpr uint8_t
MakeRoceSyndrome(RoceSyndrome kind, uint8_t value)
{
    return static_cast<uint8_t>(static_cast<uint8_t>(kind) | value);
}

/// @param syndrome the byte
/// @return the kind of answer; a number that is not in RoceSyndrome is reserved
constexpr RoceSyndrome
GetRoceSyndrome(uint8_t syndrome)
{
    return static_cast<RoceSyndrome>(syndrome & 0x60);
}

/// @param syndrome the byte
/// @return the value, 5 bits
constexpr uint8_t
GetRoceSyndromeValue(uint8_t syndrome)
{
    return syndrome & 0x1f;
}

/// The reasons for which a receiver refuses a packet.
enum class RoceNakCode : uint8_t
{
    PSN_SEQUENCE_ERROR = 0,
    INVALID_REQUEST = 1,
    REMOTE_ACCESS_ERROR = 2,
    REMOTE_OPERATIONAL_ERROR = 3
};

/// The most bytes of reflection that an acknowledgment carries.
constexpr std::size_t ROCE_MAX_REFLECTION_SIZE = 8;

/// The headers of a packet after UDP, and the size of its payload.
///
/// The opcode decides which extended headers a packet has. The fields of the others are 0.
struct RocePacket
{
    // Base transport header
    RoceOpcode opcode{RoceOpcode::SEND_ONLY}; //!< the opcode
    bool isSolicited{false};                  //!< SE: the receiver is to be woken
    bool isMigrated{true};                    //!< M: the state of path migration
    bool fecn{false};                         //!< forward congestion notification
    bool becn{false};                         //!< backward congestion notification
    bool isAckRequested{false};               //!< A: an acknowledgment is asked for
    uint16_t pKey{0xffff};                    //!< the partition
    uint32_t destinationQp{0};                //!< the receiver's queue pair, 24 bits
    uint32_t psn{0};                          //!< packet sequence number, 24 bits

    // RDMA extended transport header: of a write's first packet, and of a request to read
    uint64_t virtualAddress{0}; //!< address in the receiver's memory
    uint32_t remoteKey{0};      //!< key of that memory
    uint32_t dmaLength{0};      //!< bytes of the whole message

    // ACK extended transport header: of acknowledgments, and of all but middle read responses
    uint8_t syndrome{0}; //!< RoceSyndrome and a value of 5 bits
    uint32_t msn{0};     //!< message sequence number, 24 bits

    uint32_t immediate{0}; //!< immediate data, of opcodes that have it

    /// Of an acknowledgment with hasSelective: the newest packet that has arrived out of order.
    uint32_t selectivePsn{0};
    bool hasSelective{false}; //!< whether selectivePsn is set; not standard: IRN (SIGCOMM 2018)

    /// Of an acknowledgment: how many bytes of reflection it carries; not standard.
    uint8_t reflectionSize{0};
    std::array<uint8_t, ROCE_MAX_REFLECTION_SIZE> reflection{}; //!< signals of the path, as bytes

    uint32_t payloadSize{0}; //!< bytes of payload, without padding

    /// Whether in-band telemetry follows the base transport header; not standard. Data collects it
    /// on the way; an acknowledgment returns what data has collected.
    bool hasTelemetry{false};
    /// In-band telemetry, as bytes; not set without it, so that other packets do not pay for it.
    IntBytes telemetry;
};

/// The parts of a packet of an opcode.
struct RoceOpcodeInfo
{
    const char* name;   //!< as in "WRITE first"
    bool isKnown;       //!< whether it is in RoceOpcode; if not, all others are false
    bool isRequest;     //!< from requester to responder
    bool isResponse;    //!< from responder to requester
    bool startsMessage; //!< first or only packet of a message
    bool endsMessage;   //!< last or only packet of a message
    bool hasReth;       //!< has an RDMA extended transport header
    bool hasImmediate;  //!< has immediate data
    bool hasAeth;       //!< has an ACK extended transport header
    bool hasPayload;    //!< may have a payload
    uint8_t headerSize; //!< bytes of all headers after UDP, without extensions of ACKs
};

// clang-format off
/// Opcodes by their numbers, which have no gaps but one before CNP; at last, what is none.
inline constexpr std::array<RoceOpcodeInfo, 20> ROCE_OPCODES{{
    // name                     known request respon first  last   RETH   imm    AETH  payload size
    {"SEND first",              true, true,  false, true,  false, false, false, false, true,  12},
    {"SEND middle",             true, true,  false, false, false, false, false, false, true,  12},
    {"SEND last",               true, true,  false, false, true,  false, false, false, true,  12},
    {"SEND last immediate",     true, true,  false, false, true,  false, true,  false, true,  16},
    {"SEND only",               true, true,  false, true,  true,  false, false, false, true,  12},
    {"SEND only immediate",     true, true,  false, true,  true,  false, true,  false, true,  16},
    {"WRITE first",             true, true,  false, true,  false, true,  false, false, true,  28},
    {"WRITE middle",            true, true,  false, false, false, false, false, false, true,  12},
    {"WRITE last",              true, true,  false, false, true,  false, false, false, true,  12},
    {"WRITE last immediate",    true, true,  false, false, true,  false, true,  false, true,  16},
    {"WRITE only",              true, true,  false, true,  true,  true,  false, false, true,  28},
    {"WRITE only immediate",    true, true,  false, true,  true,  true,  true,  false, true,  32},
    {"READ request",            true, true,  false, true,  true,  true,  false, false, false, 28},
    {"READ response first",     true, false, true,  true,  false, false, false, true,  true,  16},
    {"READ response middle",    true, false, true,  false, false, false, false, false, true,  12},
    {"READ response last",      true, false, true,  false, true,  false, false, true,  true,  16},
    {"READ response only",      true, false, true,  true,  true,  false, false, true,  true,  16},
    {"ACK",                     true, false, true,  false, false, false, false, true,  false, 16},
    {"CNP",                     true, false, false, false, false, false, false, false, false, 28},
    {"unknown",                 false, false, false, false, false, false, false, false, false, 0},
}};
// clang-format on

/// @param opcode the opcode, or any other number from the wire
/// @return the parts of such packets; isKnown tells whether there is such an opcode
constexpr const RoceOpcodeInfo&
GetRoceOpcodeInfo(RoceOpcode opcode)
{
    if (opcode <= RoceOpcode::ACKNOWLEDGE)
    {
        return ROCE_OPCODES[static_cast<std::size_t>(opcode)];
    }
    return ROCE_OPCODES[opcode == RoceOpcode::CNP ? 18 : 19];
}

} // namespace ns3::aidc

#endif // AIDC_ROCE_PACKET_H
