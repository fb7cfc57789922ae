// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_REFLECTION_H
#define AIDC_CSIG_REFLECTION_H

#include "csig-fields.h"
#include "tcp-header-bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

/// @file
/// How a receiver reflects CSIG data fields to the sender: section 4.2 of
/// draft-ravi-ippm-csig-01 (February 2024), figures 3 and 4.
///
/// In TCP, it is an option. The draft asks for a kind of its own, which is not assigned. So the
/// option has an experimental kind with an experiment identifier (RFC 6994), or a kind without
/// identifier (figure 3):
/// @verbatim
/// | Kind 253 or 254 |     Length      |               ExID                |
/// |   CSIG data fields: none, 2 bytes (compact) or 6 bytes (expanded)       |
/// @endverbatim
/// The draft's Length counts the data fields only. But decoders of TCP options rely on a length
/// that covers the whole option (RFC 9293, section 3.1), because they have to skip unknown options.
/// So the length covers the whole option here: 4, 6 or 10, and without an identifier 2, 4 or 8.
///
/// Without data fields, the option offers or accepts CSIG in a SYN (section 6.3.3). In other
/// segments it is the draft's "empty" reflection: packets have arrived without a tag.
///
/// In other transports, it is a flags byte and the data fields:
/// @verbatim
/// |V|F|U| zero    |   CSIG data fields: 2 bytes, 6 with F     |
/// @endverbatim
/// V: the data fields are valid; else they are 0 and mean nothing. F: they are expanded. U: packets
/// have arrived without a tag since the last reflection. The draft names V alone and leaves the
/// bits open.

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

/// @return the size of the TCP option without data fields in bytes
constexpr std::size_t
GetCsigEmptyOptionSize(const TcpExperimentalOption& option)
{
    return option.hasExId ? CSIG_EMPTY_OPTION_SIZE : 2;
}

/// The size in bytes of the largest TCP option of CSIG.
constexpr std::size_t CSIG_MAX_OPTION_SIZE = CSIG_EMPTY_OPTION_SIZE + 6;

/// Encode the TCP option. fields: the data fields; none: the option for a SYN, or an empty
/// reflection; bytes: where to write, up to CSIG_MAX_OPTION_SIZE bytes. @return how many bytes were
/// written @throws std::invalid_argument if a field does not fit its bits
std::size_t EncodeCsigOption(const std::optional<CsigFields>& fields,
                             const TcpExperimentalOption& option,
                             uint8_t* bytes);

/// Decode the TCP option. bytes: the option, from its kind on; length: how many bytes it has.
/// @return the reflection: fields, or else untagged; none if it is another option, if its length is
/// none of the three, or if its length byte differs from `length`
std::optional<CsigReflection> DecodeCsigOption(const uint8_t* bytes,
                                               std::size_t length,
                                               const TcpExperimentalOption& option);

/// The size in bytes of the largest reflection header.
constexpr std::size_t CSIG_MAX_REFLECTION_SIZE = 1 + 6;

/// @return the size of the reflection header of transports other than TCP, 3 or 7 bytes. format:
/// the format of the fields; compact if there are none.
constexpr std::size_t
GetCsigReflectionSize(CsigFormat format)
{
    return 1 + GetCsigDataSize(format);
}

/// Encode the reflection header of transports other than TCP. bytes: where to write, up to
/// CSIG_MAX_REFLECTION_SIZE bytes. @return how many bytes were written @throws
/// std::invalid_argument if a field does not fit its bits
std::size_t EncodeCsigReflection(const CsigReflection& reflection, uint8_t* bytes);

/// Decode the reflection header of transports other than TCP. Flag bits without a meaning are
/// ignored. bytes: the header and whatever follows it; length: how many bytes there are;
/// reflection: only written if there is a whole header. @return how many bytes the header has; 0 if
/// there are fewer
std::size_t DecodeCsigReflection(const uint8_t* bytes,
                                 std::size_t length,
                                 CsigReflection& reflection);

/// Which of the fields that arrive between two reflections is reflected.
enum class CsigSummary : uint8_t
{
    LATEST,   //!< the newest
    SMALLEST, //!< the fields with the smallest value, the newest of several
    LARGEST   //!< the fields with the largest value, the newest of several
};

/// A receiver's memory of the tags of a flow, until it has reflected them (sections 4.2 and
/// 4.3.2 of draft-ravi-ippm-csig-01).
///
/// A packet that acknowledges several packets can reflect only one signal. So there is a slot for
/// each signal type of each format (sections 4.2 and 6.3.2). Slots with new fields take turns in
/// ascending order, so that no type starves, whatever the order of the sender's requests. Fields
/// that are not reflected yet wait for their next turn.
///
/// Packets without a tag are only reported if there are no fields to reflect (section 6.3.3).
class CsigReflector
{
  public:
    /// Remember the fields of a packet that has arrived. fields: the fields, each within its bits;
    /// summary: which fields to keep if fields of the same type wait.
    void NoteTag(const CsigFields& fields, CsigSummary summary);

    /// Remember that a packet has arrived without a tag.
    void NoteUntagged()
    {
        m_untagged = true;
    }

    /// @return whether there is something to reflect
    bool HasNews() const
    {
        return m_waiting != 0 || m_untagged;
    }

    /// Get the next reflection, and keep it.
    /// @return the reflection; neither fields nor untagged if there is no news
    CsigReflection Peek() const;

    /// Remove the reflection of Peek(). The next turn is another type's.
    void Advance();

  private:
    /// Types of the compact format, then types of the expanded format.
    static constexpr uint32_t SLOTS = 8 + 16;

    /// Find the waiting slot whose turn it is. @return the slot; SLOTS if none waits
    uint32_t FindNext() const;

    std::array<CsigFields, SLOTS> m_fields{}; //!< the waiting fields of each type
    uint32_t m_waiting{0};                    //!< bit by bit, the slots that wait
    uint32_t m_last{SLOTS - 1};               //!< the slot that was reflected last
    bool m_untagged{false};                   //!< packets arrived without a tag
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_REFLECTION_H
