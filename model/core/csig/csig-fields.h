// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_FIELDS_H
#define AIDC_CSIG_FIELDS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>

/// @file
/// The CSIG tag, bit by bit: sections 4.1.1 and 4.1.2 of draft-ravi-ippm-csig-01
/// (February 2024), figures 1 and 2.
///
/// Compact, 2 bytes of data, 4 with the TPID:
/// @verbatim
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |             TPID              |  T  |R|    S    |      LM     |
/// @endverbatim
/// Expanded, 6 bytes of data, 8 with the TPID:
/// @verbatim
/// |             TPID              |               LM              |
/// |   T   |                  S                    |       R       |
/// @endverbatim
///
/// Decoding checks the length, and the TPID where there is one. It does not check whether the type
/// is known, and whether the reserved bits are 0: a device has to forward both unchanged.

namespace ns3::aidc
{

/// Holds CsigFormat, which ns-3's attributes want unscoped.
struct CsigFormats
{
    /// The two variants of the CSIG tag.
    enum Format : uint8_t
    {
        COMPACT, //!< 2 bytes of data: a 5-bit value in configurable buckets, a 7-bit locator
        EXPANDED //!< 6 bytes of data: a 20-bit value in uniform steps, a 16-bit locator
    };
};

using CsigFormat = CsigFormats::Format; //!< the two variants of the CSIG tag

/// The widths of the fields of a format in bits.
struct CsigWidths
{
    uint32_t type;     //!< of T, the signal type
    uint32_t reserved; //!< of R, the reserved bits
    uint32_t value;    //!< of S, the signal value
    uint32_t locator;  //!< of LM, the locator metadata
};

/// Get the widths of the fields of a format, in bits.
constexpr CsigWidths
GetCsigWidths(CsigFormat format)
{
    return format == CsigFormat::COMPACT ? CsigWidths{3, 1, 5, 7} : CsigWidths{4, 8, 20, 16};
}

/// @return the largest number that a field can hold. width: its width in bits, at most 31.
constexpr uint32_t
GetCsigMaximum(uint32_t width)
{
    return (uint32_t{1} << width) - 1;
}

/// Get the largest signal value that a format can carry. @return 31 or 0xFFFFF
constexpr uint32_t
GetCsigMaxValue(CsigFormat format)
{
    return GetCsigMaximum(GetCsigWidths(format).value);
}

/// The size of a TPID in bytes.
constexpr std::size_t CSIG_TPID_SIZE = 2;

/// The size in bytes of the larger format's tag.
constexpr std::size_t CSIG_MAX_TAG_SIZE = 8;

/// Get the size of the data fields: the tag without the TPID. @return 2 or 6 bytes
constexpr std::size_t
GetCsigDataSize(CsigFormat format)
{
    return format == CsigFormat::COMPACT ? 2 : 6;
}

/// Get the size of the whole tag. @return 4 or 8 bytes
constexpr std::size_t
GetCsigTagSize(CsigFormat format)
{
    return CSIG_TPID_SIZE + GetCsigDataSize(format);
}

/// The TPIDs that tell a tag's format. None is assigned yet; the defaults are IEEE 802's two
/// EtherTypes for local experiments.
struct CsigTpids
{
    uint16_t compact{0x88B5};  //!< of the compact format
    uint16_t expanded{0x88B6}; //!< of the expanded format

    /// @return the TPID of the format
    uint16_t Get(CsigFormat format) const
    {
        return format == CsigFormat::COMPACT ? compact : expanded;
    }

    /// @return the format of a TPID, or any EtherType; none if it is neither of the two
    std::optional<CsigFormat> Find(uint16_t tpid) const
    {
        return tpid == compact    ? std::optional(CsigFormat::COMPACT)
               : tpid == expanded ? std::optional(CsigFormat::EXPANDED)
                                  : std::nullopt;
    }
};

/// @return whether an EtherType is the TPID of another tag: of IEEE 802.1, or of the VLAN tags that
/// switches had before 802.1ad. The CSIG tag is the last tag (section 4.1), so none of them follows
/// it
bool IsTpidOfOtherTag(uint16_t etherType);

/// Check that a TPID distinguishes CSIG's tags from everything else.
/// @throws std::invalid_argument if it is below 0x0600 and thus a length, or if it is the EtherType
///         or TPID of another protocol, whose frames would be taken for tagged ones
void CheckCsigTpid(uint16_t tpid);

/// Check that TPIDs distinguish the two formats, and CSIG's tags from everything else.
/// @throws std::invalid_argument if both are the same, or CheckCsigTpid() refuses one
void CheckCsigTpids(const CsigTpids& tpids);

/// The CSIG data fields: the fields of the tag except the TPID, for a tag and for reflection.
struct CsigFields
{
    CsigFormat format{CsigFormat::COMPACT}; //!< how the fields are laid out
    uint8_t type{0};                        //!< T, the signal type
    uint8_t reserved{0};                    //!< R, the reserved bits
    uint16_t locator{0};                    //!< LM, the locator metadata of the bottleneck
    uint32_t value{0};                      //!< S, the quantized signal value
};

/// Compare fields. @return whether format and all fields are the same
bool operator==(const CsigFields& a, const CsigFields& b);

/// @return whether the format or any field differs
bool operator!=(const CsigFields& a, const CsigFields& b);

/// Print fields, as "compact T=0 R=0 S=31 LM=5". os: the stream. @return the stream
std::ostream& operator<<(std::ostream& os, const CsigFields& fields);

/// Check whether each field fits its bits. @return whether they can be encoded
bool CanEncodeCsig(const CsigFields& fields);

/// Encode the data fields, without a TPID. bytes: where to write. @return how many bytes were
/// written: GetCsigDataSize(fields.format)
/// @throws std::invalid_argument if a field does not fit its bits; nothing is written then
std::size_t EncodeCsigData(const CsigFields& fields, uint8_t* bytes);

/// Encode a tag: the TPID and the data fields. bytes: where to write. @return how many bytes were
/// written: GetCsigTagSize(fields.format)
/// @throws std::invalid_argument if a field does not fit its bits; nothing is written then
std::size_t EncodeCsigTag(const CsigFields& fields, const CsigTpids& tpids, uint8_t* bytes);

/// Decode data fields without a TPID. bytes: the data fields and nothing else; length: how many
/// bytes they are, which tells the format. @return the fields; none if it is of neither format
std::optional<CsigFields> DecodeCsigData(const uint8_t* bytes, std::size_t length);

/// Decode a tag. bytes: the tag and whatever follows it; length: how many bytes there are.
/// @return the fields; none if the bytes begin with neither TPID, or end before the tag does
std::optional<CsigFields> DecodeCsigTag(const uint8_t* bytes,
                                        std::size_t length,
                                        const CsigTpids& tpids);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FIELDS_H
