// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-header-bytes.h"

#include "../ipv4-bytes.h"

#include "ns3/protocol-numbers.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

constexpr uint8_t END_OF_OPTIONS = 0;        //!< the kind that ends the list
constexpr uint8_t NO_OPERATION = 1;          //!< the kind that fills a byte
constexpr std::size_t WORD = 4;              //!< the data offset counts words of this size
constexpr std::size_t DATA_OFFSET = 12;      //!< where the data offset is
constexpr std::size_t EXPERIMENTAL_SIZE = 4; //!< kind, length and experiment identifier

/// What a walk over the options has found.
struct Walk
{
    bool isWellFormed{true};              //!< all lengths are possible
    std::size_t end{TCP_MIN_HEADER_SIZE}; //!< where the last option ends that is no padding
    TcpOptionPlace place;                 //!< the option that was looked for
};

/// @return whether the length of an option is within the room, and what the kind has to have
bool
IsLengthPossible(uint8_t kind, std::size_t length, std::size_t room)
{
    if (length < 2 || length > room)
    {
        return false;
    }
    switch (kind)
    {
    case 2: // maximum segment size (RFC 9293)
        return length == 4;
    case 3: // window scale (RFC 7323)
        return length == 3;
    case 4: // SACK permitted (RFC 2018)
        return length == 2;
    case 5: // SACK (RFC 2018)
        return length >= 10 && length % 8 == 2;
    case 8: // timestamps (RFC 7323)
        return length == 10;
    default:
        return true;
    }
}

/// Walk over the options of a header. option: what to look for, may be null.
Walk
WalkOptions(const TcpHeaderBytes& header, const TcpExperimentalOption* option)
{
    Walk walk;
    std::size_t at = TCP_MIN_HEADER_SIZE;
    while (at < header.size && header.bytes[at] != END_OF_OPTIONS)
    {
        if (header.bytes[at] == NO_OPERATION)
        {
            ++at;
            continue;
        }
        if (at + 1 >= header.size ||
            !IsLengthPossible(header.bytes[at], header.bytes[at + 1], header.size - at))
        {
            walk.isWellFormed = false;
            return walk;
        }
        const std::size_t length = header.bytes[at + 1];
        if (option && walk.place.length == 0 && header.bytes[at] == option->kind &&
            (!option->hasExId ||
             (length >= EXPERIMENTAL_SIZE &&
              (header.bytes[at + 2] << 8 | header.bytes[at + 3]) == option->exId)))
        {
            walk.place = {at, length};
        }
        at += length;
        walk.end = at;
    }
    return walk;
}

/// End the header after its options: pad to whole words and set the data offset.
void
Finish(TcpHeaderBytes& header, std::size_t end, uint8_t padding)
{
    header.size = (end + WORD - 1) / WORD * WORD;
    std::fill(header.bytes.begin() + end, header.bytes.begin() + header.size, padding);
    header.bytes[DATA_OFFSET] =
        static_cast<uint8_t>((header.bytes[DATA_OFFSET] & 0x0F) | header.size / WORD << 4);
}

} // namespace

std::optional<std::size_t>
DecodeTcpHeaderSize(const uint8_t* bytes, std::size_t size)
{
    if (size < TCP_MIN_HEADER_SIZE)
    {
        return std::nullopt;
    }
    const std::size_t headerSize = (bytes[DATA_OFFSET] >> 4) * WORD;
    return headerSize >= TCP_MIN_HEADER_SIZE && headerSize <= size ? std::optional(headerSize)
                                                                   : std::nullopt;
}

std::optional<TcpOptionPlace>
FindTcpOption(const TcpHeaderBytes& header, const TcpExperimentalOption& option)
{
    const auto walk = WalkOptions(header, &option);
    return walk.isWellFormed ? std::optional(walk.place) : std::nullopt;
}

bool
AppendTcpOption(TcpHeaderBytes& header, const uint8_t* option, std::size_t length)
{
    const auto end = WalkOptions(header, nullptr).end;
    if (length > TCP_MAX_HEADER_SIZE - end)
    {
        return false;
    }
    std::copy_n(option, length, header.bytes.begin() + end);
    Finish(header, end + length, NO_OPERATION);
    return true;
}

void
RemoveTcpOption(TcpHeaderBytes& header, const TcpOptionPlace& place)
{
    const auto next = header.bytes.begin() + place.offset + place.length;
    std::copy(next, header.bytes.begin() + header.size, header.bytes.begin() + place.offset);
    header.size -= place.length;
    Finish(header, WalkOptions(header, nullptr).end, END_OF_OPTIONS);
}

uint16_t
ComputeTcpChecksum(uint32_t source, uint32_t destination, const uint8_t* segment, std::size_t size)
{
    const uint64_t pseudoHeader = (source >> 16) + (source & 0xFFFF) + (destination >> 16) +
                                  (destination & 0xFFFF) + PROTOCOL_TCP + size;
    return static_cast<uint16_t>(~SumInternetWords(segment, size, pseudoHeader));
}

} // namespace ns3::aidc
