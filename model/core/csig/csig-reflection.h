/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_REFLECTION_H
#define AIDC_CSIG_REFLECTION_H

#include "csig-fields.h"
#include "tcp-header-bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>

/**
 * @file
 * @brief How a receiver reflects CSIG data fields to the sender: section 4.2 of
 * draft-ravi-ippm-csig-01 (February 2024), figures 3 and 4.
 *
 * In TCP, it is an option. The draft asks for a kind of its own, which is not assigned. So the
 * option has an experimental kind with an experiment identifier (RFC 6994), or a kind without
 * identifier (figure 3):
 * @verbatim
 * | Kind 253 or 254 |     Length      |               ExID                |
 * |   CSIG data fields: none, 2 bytes (compact) or 6 bytes (expanded)       |
 * @endverbatim
 * The draft's Length counts the data fields only. But decoders of TCP options rely on a length that
 * covers the whole option (RFC 9293, section 3.1), because they have to skip unknown options. So
 * the length covers the whole option here: 4, 6 or 10, and without an identifier 2, 4 or 8.
 *
 * Without data fields, the option offers or accepts CSIG in a SYN (section 6.3.3). In other
 * segments it is the draft's "empty" reflection: packets have arrived without a tag.
 *
 * In other transports, it is a flags byte and the data fields:
 * @verbatim
 * |V|F|U| zero    |   CSIG data fields: 2 bytes, 6 with F     |
 * @endverbatim
 * V: the data fields are valid; else they are 0 and mean nothing. F: they are expanded. U: packets
 * have arrived without a tag since the last reflection. The draft names V alone and leaves the bits
 * open.
 */

namespace ns3::aidc
{

/// The reflection of a receiver to the sender.
struct CsigReflection
{
    std::optional<CsigFields> fields; //!< the fields of a tag, if there are any to reflect
    bool untagged{false};             //!< packets arrived without a tag; not always set with fields
};

/// @return whether two reflections are equal
bool operator==(const CsigReflection& a, const CsigReflection& b);

/// The experiment identifier of the TCP option by default. Not registered.
constexpr uint16_t CSIG_DEFAULT_EXID = 0xC516;

/// The size in bytes of the TCP option without data fields: kind, length and identifier.
constexpr std::size_t CSIG_EMPTY_OPTION_SIZE = 4;

/// Get the size of the TCP option without data fields. @param option the kind and the experiment
/// identifier, if there is one @return bytes
constexpr std::size_t
GetCsigEmptyOptionSize(const TcpExperimentalOption& option)
{
    return option.hasExId ? CSIG_EMPTY_OPTION_SIZE : 2;
}

/// The size in bytes of the largest TCP option of CSIG.
constexpr std::size_t CSIG_MAX_OPTION_SIZE = CSIG_EMPTY_OPTION_SIZE + 6;

/// Encode the TCP option.
/// @param fields the data fields; none: the option for a SYN, or an empty reflection
/// @param option the kind and the experiment identifier
/// @param bytes where to write, up to CSIG_MAX_OPTION_SIZE bytes
/// @return how many bytes were written
/// @throws std::invalid_argument if a field does not fit its bits
std::size_t EncodeCsigOption(const std::optional<CsigFields>& fields,
                             const TcpExperimentalOption& option,
                             uint8_t* bytes);

/// Decode the TCP option.
/// @param bytes the option, from its kind on
/// @param length how many bytes it has, as its length says
/// @param option the kind and the experiment identifier
/// @return the reflection: fields, or else untagged; none if it is another option, if its length is
///         none of the three, or if its length byte differs from @p length
std::optional<CsigReflection> DecodeCsigOption(const uint8_t* bytes,
                                               std::size_t length,
                                               const TcpExperimentalOption& option);

/// The size in bytes of the largest reflection header.
constexpr std::size_t CSIG_MAX_REFLECTION_SIZE = 1 + 6;

/// Get the size of the reflection header of transports other than TCP.
/// @param format the format of the fields; compact if there are none
/// @return 3 or 7 bytes
constexpr std::size_t
GetCsigReflectionSize(CsigFormat format)
{
    return 1 + GetCsigDataSize(format);
}

/// Encode the reflection header of transports other than TCP.
/// @param reflection what to reflect
/// @param bytes where to write, up to CSIG_MAX_REFLECTION_SIZE bytes
/// @return how many bytes were written
/// @throws std::invalid_argument if a field does not fit its bits
std::size_t EncodeCsigReflection(const CsigReflection& reflection, uint8_t* bytes);

/**
 * @brief Decode the reflection header of transports other than TCP.
 *
 * Flag bits without a meaning are ignored.
 *
 * @param bytes the header and whatever follows it
 * @param length how many bytes there are
 * @param[out] reflection the reflection; only written if there is a whole header
 * @return how many bytes the header has; 0 if there are fewer
 */
std::size_t DecodeCsigReflection(const uint8_t* bytes,
                                 std::size_t length,
                                 CsigReflection& reflection);

} // namespace ns3::aidc

#endif // AIDC_CSIG_REFLECTION_H
