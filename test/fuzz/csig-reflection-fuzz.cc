// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as a TCP segment whose header a host reads and changes, as an option of CSIG, and as
// the reflection header of other transports.

#include "fuzz-require.h"
#include "model/core/csig/csig-reflection.h"
#include "model/core/csig/tcp-header-bytes.h"

#include <array>

namespace
{

constexpr TcpExperimentalOption OPTION{253, CSIG_DEFAULT_EXID};

/// Whether a header is one that its own data offset describes.
bool
IsWhole(const TcpHeaderBytes& header)
{
    return header.size % 4 == 0 &&
           DecodeTcpHeaderSize(header.bytes.data(), header.size) == header.size;
}

/// Takes all options of CSIG out of a segment and puts one in, as a host does.
void
CheckSegment(const uint8_t* data, std::size_t size)
{
    const auto headerSize = DecodeTcpHeaderSize(data, size);
    if (!headerSize)
    {
        return;
    }
    Require(*headerSize >= TCP_MIN_HEADER_SIZE &&
                *headerSize <= std::min(size, TCP_MAX_HEADER_SIZE),
            "a header is within the segment");
    TcpHeaderBytes header;
    header.size = *headerSize;
    std::copy_n(data, header.size, header.bytes.begin());
    auto place = FindTcpOption(header, OPTION);
    if (!place)
    {
        return;
    }
    while (place->length > 0)
    {
        Require(place->offset >= TCP_MIN_HEADER_SIZE &&
                    place->offset + place->length <= header.size,
                "an option is within the header");
        DecodeCsigOption(header.bytes.data() + place->offset, place->length, OPTION);
        const auto before = header.size;
        RemoveTcpOption(header, *place);
        Require(header.size < before && IsWhole(header), "the header is shorter by an option");
        place = FindTcpOption(header, OPTION);
        Require(place.has_value(), "the other options are as they were");
    }
    std::array<uint8_t, CSIG_MAX_OPTION_SIZE> option{};
    const auto length = EncodeCsigOption(CsigFields(), OPTION, option.data());
    if (AppendTcpOption(header, option.data(), length))
    {
        Require(header.size <= TCP_MAX_HEADER_SIZE && IsWhole(header), "the header is whole");
        place = FindTcpOption(header, OPTION);
        Require(place && place->length == length, "the option is there");
    }
}

/// Decodes any bytes as an option.
void
CheckOption(const uint8_t* data, std::size_t size)
{
    const auto reflection = DecodeCsigOption(data, size, OPTION);
    if (reflection)
    {
        std::array<uint8_t, CSIG_MAX_OPTION_SIZE> bytes{};
        Require(EncodeCsigOption(reflection->fields, OPTION, bytes.data()) == size &&
                    std::equal(data, data + size, bytes.begin()),
                "an option comes back as it was");
    }
}

/// Decodes any bytes as the header of other transports.
void
CheckHeader(const uint8_t* data, std::size_t size)
{
    CsigReflection reflection;
    const auto headerSize = DecodeCsigReflection(data, size, reflection);
    Require(headerSize <= size, "a header is within the bytes");
    if (headerSize > 0)
    {
        std::array<uint8_t, CSIG_MAX_REFLECTION_SIZE> bytes{};
        const auto again = EncodeCsigReflection(reflection, bytes.data());
        CsigReflection decoded;
        Require(DecodeCsigReflection(bytes.data(), again, decoded) == again &&
                    decoded == reflection,
                "a header says the same again");
    }
}

} // namespace

/// What libFuzzer calls with each input.
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    CheckSegment(data, size);
    CheckOption(data, size);
    CheckHeader(data, size);
    return 0;
}
