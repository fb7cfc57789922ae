// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_FIELDS_H
#define AIDC_ETHERNET_FIELDS_H

#include "ns3/protocol-numbers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

/// @file
/// The header of an Ethernet II frame with its tags (IEEE 802.3, 802.1Q), bit for bit.

namespace ns3::aidc
{

/// The bytes of an EUI-48 address, in the order of transmission.
using MacBytes = std::array<uint8_t, 6>;

/// The smallest EtherType; lower numbers are lengths of IEEE 802.2 frames.
constexpr uint16_t MIN_ETHERTYPE = 0x0600;

/// A VLAN tag (IEEE 802.1Q, section 9.6).
struct VlanTag
{
    /// The priority of what has come without a VLAN tag.
    static constexpr uint8_t NO_PRIORITY = std::numeric_limits<uint8_t>::max();

    uint16_t tpid{TPID_C_VLAN}; //!< what kind of tag it is
    uint8_t priority{0};        //!< priority code point, from 0 to 7
    bool isDropEligible{false}; //!< drop eligible indicator
    uint16_t id{0};             //!< VLAN identifier, from 0 (priority only) to 4094

    /// @return whether all fields are equal
    bool operator==(const VlanTag& other) const
    {
        return tpid == other.tpid && priority == other.priority &&
               isDropEligible == other.isDropEligible && id == other.id;
    }
};

/// The fields of an Ethernet II header.
///
/// After the VLAN tags there may be one tag of another kind, of which the header knows only the
/// bytes: the tag of CSIG is always the last one (draft "Congestion Signaling", section 4.1).
struct EthernetFields
{
    /// The most VLAN tags, as in an 802.1ad tunnel (draft "Congestion Signaling", section 4.1).
    static constexpr std::size_t MAX_VLANS = 4;
    /// The most bytes of the last tag.
    static constexpr std::size_t MAX_TAG = 8;
    /// Bytes of a header without tags.
    static constexpr std::size_t MIN_SIZE = 14;
    /// The most bytes of a header.
    static constexpr std::size_t MAX_SIZE = MIN_SIZE + 4 * MAX_VLANS + MAX_TAG;

    MacBytes destination{};                 //!< destination address
    MacBytes source{};                      //!< source address
    std::array<VlanTag, MAX_VLANS> vlans{}; //!< VLAN tags, the outermost first
    uint8_t nVlans{0};                      //!< number of VLAN tags
    uint8_t tagSize{0};                     //!< bytes of the last tag, 0 without one
    std::array<uint8_t, MAX_TAG> tag{};     //!< the last tag, with its TPID
    uint16_t etherType{0};                  //!< EtherType of the payload

    /// Get the size on the wire. @return bytes
    std::size_t GetSize() const
    {
        return MIN_SIZE + 4 * nVlans + tagSize;
    }
};

/// The tags of other kinds than VLAN that a reader knows, by their TPIDs.
struct KnownTags
{
    /// A kind of tag.
    struct Kind
    {
        uint16_t tpid{0}; //!< its TPID
        uint8_t size{0};  //!< its bytes with the TPID, at most EthernetFields::MAX_TAG; 0 for none
    };

    std::array<Kind, 2> kinds{}; //!< the kinds

    /// Find out how long a tag is. @return its bytes with the TPID, 0 if it is not known
    uint8_t GetSize(uint16_t tpid) const
    {
        for (const auto& kind : kinds)
        {
            if (kind.size != 0 && kind.tpid == tpid)
            {
                return kind.size;
            }
        }
        return 0;
    }
};

/// Write a header. bytes: room for fields.GetSize() bytes.
void EncodeEthernetHeader(const EthernetFields& fields, uint8_t* bytes);

/// Read a header.
///
/// Any bytes are allowed. Tags beyond MAX_VLANS and tags of unknown kinds count as payload, whose
/// EtherType is then the tag's EtherType.
/// @param bytes the frame; may be null if size is 0
/// @param size the bytes that may be read there
/// @param known the kinds of tags to look for after the VLAN tags
/// @param [out] fields the header
/// @return whether the header is whole; nothing is to be read of fields otherwise
bool DecodeEthernetHeader(const uint8_t* bytes,
                          std::size_t size,
                          const KnownTags& known,
                          EthernetFields& fields);

/// Tell whether a station reads a header as its sender has written it.
///
/// It does not if it does not know the last tag, or takes the EtherType for one more tag.
/// @param fields what is written; all in range, and the last tag has no VLAN's TPID
/// @param known the tags that the station knows, none of them a VLAN's
/// @return whether it does; may be false for headers whose EtherType is a VLAN's TPID that do
inline bool
IsReadAsWritten(const EthernetFields& fields, const KnownTags& known)
{
    if (fields.etherType == TPID_C_VLAN || fields.etherType == TPID_S_VLAN)
    {
        return false;
    }
    const auto tpid = static_cast<uint16_t>(fields.tag[0] << 8 | fields.tag[1]);
    return fields.tagSize == 0 ? known.GetSize(fields.etherType) == 0
                               : known.GetSize(tpid) == fields.tagSize;
}

/// The VLANs that a port is in (IEEE 802.1Q and 802.1ad), and the tags that its frames have.
///
/// From the outside in, frames have the tags of a tunnel that ends at the port, the tag of the
/// service VLAN, and the tag of the VLAN. An identifier of 0 stands for no VLAN.
struct VlanMembership
{
    uint16_t vlanId{0};             //!< the VLAN
    uint16_t serviceVlanId{0};      //!< the service VLAN
    uint16_t outerVlanId{0};        //!< the VLAN of a tunnel that ends at the port
    uint16_t outerServiceVlanId{0}; //!< the service VLAN of that tunnel
    uint8_t priority{0};            //!< priority code point; not 0 gives frames a tag, too
    bool isPriorityKept{false};     //!< whether the priority of a frame's arrival goes first

    /// Tell whether frames have a VLAN's tag. @return false if they have none, or a priority only
    bool HasVlan() const
    {
        return (vlanId | serviceVlanId | outerVlanId | outerServiceVlanId) != 0;
    }

    /// Get the priority code point that a packet is sent with. arrived: the one that it has come
    /// with, or VlanTag::NO_PRIORITY. @return VlanTag::NO_PRIORITY if frames have no tag
    uint8_t GetPriority(uint8_t arrived) const
    {
        if (!HasVlan() && priority == 0)
        {
            return VlanTag::NO_PRIORITY;
        }
        return isPriorityKept && arrived != VlanTag::NO_PRIORITY ? arrived : priority;
    }

    /// Add the tags to a header without tags, with the priority of GetPriority(). arrived: the
    /// priority code point that the packet has come with.
    void AddTags(EthernetFields& fields, uint8_t arrived) const
    {
        if (HasVlan() || priority != 0)
        {
            DoAddTags(fields, arrived);
        }
    }

    /// @return whether a frame belongs to the port's VLAN; a tag with identifier 0 gives a priority
    ///         only, and more tags belong to a tunnel that ends elsewhere
    bool Includes(const EthernetFields& fields) const
    {
        return fields.nVlans == 0 ? !HasVlan() : DoIncludes(fields);
    }

  private:
    /// AddTags() for a port that adds tags.
    void DoAddTags(EthernetFields& fields, uint8_t arrived) const;

    /// Includes() for a frame with tags.
    bool DoIncludes(const EthernetFields& fields) const;
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_FIELDS_H
