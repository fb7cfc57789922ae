// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INT_HEADER_H
#define AIDC_INT_HEADER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

/// @file
/// The header of in-band telemetry (INT) of HPCC: Li et al., "HPCC: High Precision Congestion
///        Control", SIGCOMM 2019, section 4.1, with the widths of its authors' simulator.
///
/// It has room for five hops, and the same size however many there are. All fields are in network
/// byte order, the most significant bit first:
///
///      a hop, 8 bytes                          after the five hops, 2 bytes
///      3 bits   code of the link's rate        4 bits    how many hops have written, up to 15
///      24 bits  time in ns                     12 bits   exclusive or of the switches' numbers
///      20 bits  bytes sent, in 128 bytes
///      17 bits  bytes queued, in 80 bytes
///
/// Times and bytes sent wrap around, after 16.777216 ms and 134,217,728 bytes. A queue of more than
/// 10,485,680 bytes counts as that.

namespace ns3::aidc
{

/// The hops that a header has room for.
constexpr std::size_t INT_MAX_HOPS = 5;

/// The bytes of a header.
constexpr std::size_t INT_HEADER_SIZE = 8 * INT_MAX_HOPS + 2;

/// The most hops that a header counts; more count as that.
constexpr uint8_t INT_MAX_COUNT = 15;

/// The time after which times wrap around, in ns.
constexpr int64_t INT_TIME_WRAP = int64_t{1} << 24;

/// The bytes sent after which their number wraps around.
constexpr uint64_t INT_BYTES_WRAP = uint64_t{128} << 20;

/// The unit of bytes queued.
constexpr uint64_t INT_QUEUE_UNIT = 80;

/// A header as bytes.
using IntBytes = std::array<uint8_t, INT_HEADER_SIZE>;

/// What a switch writes of the port that a packet leaves by, as the wire has it.
struct IntHop
{
    uint8_t rateCode{0}; //!< of the link's rate, 3 bits
    uint32_t time{0};    //!< when the packet left its queue, in ns, 24 bits
    uint32_t bytes{0};   //!< sent before the packet, in 128 bytes, 20 bits
    uint32_t queue{0};   //!< bytes after the packet in its queue, in 80 bytes, 17 bits

    /// @param other another hop @return whether all fields are the same
    bool operator==(const IntHop& other) const
    {
        return rateCode == other.rateCode && time == other.time && bytes == other.bytes &&
               queue == other.queue;
    }
};

/// The contents of a header.
struct IntHeader
{
    std::array<IntHop, INT_MAX_HOPS> hops{}; //!< in the order of the path
    uint8_t nHops{0};                        //!< how many have written, up to INT_MAX_COUNT
    uint16_t pathId{0};                      //!< exclusive or of the switches' numbers, 12 bits
};

/// @param rate a link's rate in bit/s @return its code; none if there is none: 25, 50, 100, 200 and
/// 400 Gbit/s have codes in the authors' simulator, 800 Gbit/s here
std::optional<uint8_t> FindIntRateCode(uint64_t rate);

/// @return the rate in bit/s, twice the rate of the code before; 0 if the code stands for none
constexpr uint64_t
GetIntRate(uint8_t code)
{
    return code < 6 ? 25000000000 << code : 0;
}

/// Make a hop. rateCode: the code of the link's rate; now: the time in ns; sent: the bytes that the
/// port has ever sent, without this packet; queued: the bytes in its queue, without this packet.
IntHop MakeIntHop(uint8_t rateCode, int64_t now, uint64_t sent, uint64_t queued);

/// later: a hop of a later packet; earlier: the same hop of an earlier packet. @return the time
/// between them in ns, if it is less than INT_TIME_WRAP
int64_t GetIntTimeBetween(const IntHop& later, const IntHop& earlier);

/// later: a hop of a later packet; earlier: the same hop of an earlier packet. @return the bytes
/// sent between them, if they are less than INT_BYTES_WRAP
uint64_t GetIntBytesBetween(const IntHop& later, const IntHop& earlier);

/// @return the bytes in its queue
constexpr uint64_t
GetIntQueue(const IntHop& hop)
{
    return hop.queue * INT_QUEUE_UNIT;
}

/// @param bytes a header @return how many hops have written, up to INT_MAX_COUNT
constexpr uint8_t
GetIntHopCount(const IntBytes& bytes)
{
    return bytes[INT_HEADER_SIZE - 2] >> 4;
}

/// Write a header. @param header the header; upper bits of fields that are too wide are left out
/// @return its bytes
IntBytes EncodeIntHeader(const IntHeader& header);

/// Read a header. @param bytes its bytes, any
IntHeader DecodeIntHeader(const IntBytes& bytes);

/// Add a hop to a header, as a switch does. Without room for it, only its number is added.
/// @param [in,out] bytes the header
/// @param hop the hop
/// @param switchId the switch's number, of which 12 bits count
/// @return whether there was room
bool AddIntHop(IntBytes& bytes, const IntHop& hop, uint32_t switchId);

} // namespace ns3::aidc

#endif // AIDC_INT_HEADER_H
