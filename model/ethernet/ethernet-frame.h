// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_FRAME_H
#define AIDC_ETHERNET_FRAME_H

#include "../core/ethernet/ethernet-fields.h"
#include "../core/ipv4-bytes.h"

#include "ns3/address.h"
#include "ns3/flow-key.h"
#include "ns3/header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/tag.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

/// @file
/// Frames, in a port and on a link: their headers, and what a node knows of them.

namespace ns3::aidc
{

/// The broadcast address.
constexpr MacBytes MAC_BROADCAST{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// @return the bytes of an address
inline MacBytes
ToMacBytes(const Address& address)
{
    MacBytes bytes;
    Mac48Address::ConvertFrom(address).CopyTo(bytes.data());
    return bytes;
}

/// @return the address of these bytes
inline Mac48Address
ToMac48Address(const MacBytes& bytes)
{
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

/// @return whether two addresses are equal; inlined, unlike the operator == of arrays
inline bool
IsSameAddress(const MacBytes& a, const MacBytes& b)
{
    return std::memcmp(a.data(), b.data(), a.size()) == 0;
}

/// @return whether it is a group address, as the broadcast address is
inline bool
IsGroup(const MacBytes& address)
{
    return (address[0] & 1) != 0;
}

/// A header that exists as bytes already, to be added to a packet.
///
/// It has the TypeId of the header class T, so that ns-3's metadata names the packet's headers.
/// @tparam T the class of that header
template <typename T>
class WrittenHeader : public Header
{
  public:
    WrittenHeader() = default;

    /// Constructor. bytes: the bytes of the header; size: the number of bytes.
    WrittenHeader(const uint8_t* bytes, std::size_t size)
    {
        SetBytes(bytes, size);
    }

    /// Set other bytes, which costs less than making another object. bytes: the bytes of the
    /// header; size: the number of bytes.
    void SetBytes(const uint8_t* bytes, std::size_t size)
    {
        m_bytes = bytes;
        m_size = static_cast<uint32_t>(size);
    }

    TypeId GetInstanceTypeId() const override
    {
        return T::GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return m_size;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes, m_size);
    }

    uint32_t Deserialize(Buffer::Iterator) override
    {
        return 0; // it is never read
    }

    void Print(std::ostream& os) const override
    {
        os << m_size << " bytes";
    }

  private:
    const uint8_t* m_bytes{nullptr}; //!< the header
    uint32_t m_size{0};              //!< its size
};

/// The header of an Ethernet II frame, with its VLAN tags and one tag after them.
///
/// ns-3's own EthernetHeader knows no tags.
class EthernetFrameHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    EthernetFrameHeader() = default;

    /// Constructor for reading frames. @param known the kinds of tags to look for after VLAN tags
    explicit EthernetFrameHeader(const KnownTags& known);

    /// @return the fields
    const EthernetFields& GetFields() const
    {
        return m_fields;
    }

    /// @return the fields, to set them
    EthernetFields& GetFields()
    {
        return m_fields;
    }

    /// @return whether the last Deserialize() has found a complete header
    bool IsValid() const
    {
        return m_isValid;
    }

    // From Header
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    EthernetFields m_fields; //!< the fields
    KnownTags m_known;       //!< the kinds of tags to look for
    bool m_isValid{false};   //!< whether the last header read is complete
};

/// The IPv4 header of a packet, without options, as switches have parsed it.
struct TransitHeader
{
    Ipv4Bytes bytes{}; //!< the header
    FlowKey flow;      //!< the flow of the packet
};

/// Parse the IPv4 header of a packet.
/// @param packet the packet with its header
/// @param [out] header the header and its flow; set if the header can be used
/// @return whether the header is complete and has no options
bool ReadTransitHeader(const Packet& packet, TransitHeader& header);

/// A frame on a link or in a port, without its check sequence.
///
/// Its headers are parsed fields. They are added to an ns-3 packet only where a trace source or a
/// handler needs the whole frame, and parsed only where a frame arrives as bytes. Otherwise each
/// hop would remove two headers from an ns-3 packet and add two.
struct EthernetFrame
{
    /// The least bytes of a frame (IEEE 802.3, section 3.2.8); shorter ones are padded.
    static constexpr uint32_t MIN_SIZE = 60;

    /// Bytes of the gap between a frame and the next one (IEEE 802.3, section 4.4.2).
    static constexpr uint32_t GAP_SIZE = 12;

    /// Make a frame from its bytes. @param bytes the whole frame @return the frame, for Read() to
    /// parse
    static EthernetFrame FromBytes(const Ptr<Packet>& bytes);

    /// @return the size in bytes, with padding
    uint32_t GetSize() const
    {
        return isWritten
                   ? packet->GetSize()
                   : std::max(MIN_SIZE, static_cast<uint32_t>(fields.GetSize()) + GetPayloadSize());
    }

    /// @return the size of the payload in bytes, without the padding that is still to be written
    uint32_t GetPayloadSize() const
    {
        // Not from the packet, whose memory a hop does not need otherwise.
        return hasTransit ? GetIpv4Length(transit.bytes) : packet->GetSize();
    }

    /// Write all headers, so that the packet is the whole frame, as captures show it. @return the
    /// packet; packet tags that are added to it stay with the frame
    const Ptr<Packet>& Write();

    /// Write the IPv4 header, so that the packet is the payload without padding. @return the
    /// packet; packet tags that are added to it stay with the frame
    const Ptr<Packet>& WritePayload();

    /// Move the IPv4 header from the packet into transit, and remove padding: the inverse of
    /// WritePayload(). @param header the header at the beginning of the packet
    void ReadPayload(const TransitHeader& header);

    /// Parse the Ethernet header. @param known the tags that the station knows @return false if the
    /// frame is too short; then it is unchanged
    bool Read(const KnownTags& known);

    /// Take the payload out of the frame. @return the payload with its padding
    Ptr<Packet> TakePayload();

    Ptr<Packet> packet;      //!< what follows the parsed headers
    EthernetFields fields;   //!< the Ethernet header
    TransitHeader transit{}; //!< the IPv4 header, if hasTransit
    bool hasTransit{false};  //!< whether the IPv4 header is parsed, too
    bool isWritten{false};   //!< whether the packet is the whole frame; then only it counts

  private:
    /// Get the padding that is still to be written. @return bytes
    uint32_t GetPadding() const;

    /// Append zeros to the packet.
    void AddPadding(uint32_t size);

    /// Copy the packet if somebody else has it, too.
    void MakeOwn();
};

/// What a node knows of a packet in addition to its bytes, from the port of arrival to the port of
/// departure.
struct FrameContext
{
    /// The ingress port of a packet that was made in the node.
    static constexpr uint16_t NO_PORT = std::numeric_limits<uint16_t>::max();
    /// The priority of a packet that has not arrived with a VLAN tag.
    static constexpr uint8_t NO_PRIORITY = VlanTag::NO_PRIORITY;

    int64_t arrival{0}; //!< when its last bit has arrived, in time steps
    std::array<uint8_t, EthernetFields::MAX_TAG> tag{}; //!< the frame's last tag, with its TPID
    uint8_t tagSize{0};                                 //!< bytes of that tag, 0 without one
    bool isOwnTag{false};                               //!< whether the tag was made in this node
    uint8_t priority{NO_PRIORITY};                      //!< of the frame's outermost VLAN tag
    uint16_t ingressPort{NO_PORT};                      //!< the index of the device
};

/// Carries a FrameContext through ns-3's stack, as a packet tag. It leaves out isOwnTag, because
/// tags that are made in a node do not pass its stack.
class FrameContextTag : public Tag
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Constructor. @param context what to carry
    explicit FrameContextTag(const FrameContext& context = FrameContext());

    /// Get what it carries. @return the context
    const FrameContext& GetContext() const
    {
        return m_context;
    }

    // From Tag
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer i) const override;
    void Deserialize(TagBuffer i) override;
    void Print(std::ostream& os) const override;

  private:
    FrameContext m_context; //!< what it carries
};

/// Makes ns-3's IPv4 headers from the bytes of transit packets.
///
/// It sets only the fields that differ from the packet before. Setting all fields takes a tenth of
/// the instructions of a packet-hop.
class TransitHeaderReader
{
  public:
    /// Make a header. @param bytes its bytes, without options @return the header, valid until the
    /// next call
    const Ipv4Header& Read(const Ipv4Bytes& bytes);

  private:
    Ipv4Bytes m_bytes{};  //!< the bytes of the last header, without the checksum
    Ipv4Header m_header;  //!< the last header
    bool m_isFirst{true}; //!< whether there has been none
};

/// A transit packet in the queue of a port, with its context.
///
/// Queue discs see the same IPv4 packet as if it had come through ns-3's stack. Its header has no
/// options. The item also keeps the bytes of the header, for the frame that it becomes.
class EthernetQueueItem final : public Ipv4QueueDiscItem
{
  public:
    /// Constructor.
    /// @param packet the packet without its IPv4 header
    /// @param destination the address of the other end of the link
    /// @param etherType the EtherType
    /// @param header the IPv4 header with which it leaves
    /// @param transit the same header as bytes
    /// @param context the context of the packet
    EthernetQueueItem(const Ptr<Packet>& packet,
                      const Address& destination,
                      uint16_t etherType,
                      const Ipv4Header& header,
                      const TransitHeader& transit,
                      const FrameContext& context);

    /// Get memory for an item. Each packet has an item, so a pool keeps the memory. @return the
    /// memory
    static void* operator new(std::size_t size);

    /// Give the memory of an item back.
    static void operator delete(void* memory);

    /// Get the context of the packet. @return the context
    FrameContext& GetContext()
    {
        return m_context;
    }

    /// Get the context of the packet. @return the context
    const FrameContext& GetContext() const
    {
        return m_context;
    }

    /// Make another item of the same packet, with another DSCP or ECN codepoint.
    ///
    /// ns-3 changes an item's header only by Mark(), which sets the codepoint CE only.
    /// @param tos the type of service of its header
    /// @return the item to queue instead of this one
    Ptr<EthernetQueueItem> CopyWithTos(uint8_t tos) const;

    /// Write the type of service and the checksum of the header, before the packet leaves.
    /// hasChecksum: whether nodes compute checksums; if not, the field is 0.
    const TransitHeader& FinishHeader(bool hasChecksum);

    // From QueueDiscItem
    uint32_t GetSize() const override;
    void AddHeader() override;

  private:
    FrameContext m_context; //!< the context of the packet
    TransitHeader m_header; //!< the header with which it came, until FinishHeader()
};

/// Get the context of a queued packet. For a packet on its way through ns-3's stack, it is known
/// only if the ingress port keeps contexts (EthernetNetDevice::SetKeepContext()).
/// @return the context, an empty one if it is not known
FrameContext GetFrameContext(const QueueDiscItem& item);

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_FRAME_H
