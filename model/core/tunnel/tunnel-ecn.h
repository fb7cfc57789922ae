// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TUNNEL_ECN_H
#define AIDC_TUNNEL_ECN_H

#include "../ipv4-bytes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

/// @file
/// The ECN fields of IP-in-IP tunnels (RFC 6040), as tables.
///
/// "The draft" is "Precise ECN in WAN" (draft-hu-rtgwg-pre-ecn-wan-01), whose figures 1 and 2 are
/// RFC 6040's figures 3 and 4. Two rows of its figure 2 have lost the name of the inner codepoint:
/// they are ECT(0) and ECT(1). What it calls "light CE" there is the codepoint ECT(1).

namespace ns3::aidc
{

/// The values of the ECN field: the lowest two bits of the type of service (RFC 3168, section 5).
enum class EcnCodepoint : uint8_t
{
    NOT_ECT = 0, //!< not ECN-capable transport
    ECT_1 = 1,   //!< ECN-capable transport, ECT(1)
    ECT_0 = 2,   //!< ECN-capable transport, ECT(0)
    CE = 3       //!< congestion experienced
};

/// Get the ECN field of a type-of-service octet.
constexpr EcnCodepoint
GetEcn(uint8_t tos)
{
    return static_cast<EcnCodepoint>(tos & 3);
}

/// Change the ECN field of a type of service, and not its DSCP.
/// @param tos the type of service
/// @param codepoint the codepoint
/// @return the type of service with it
constexpr uint8_t
SetEcn(uint8_t tos, EcnCodepoint codepoint)
{
    return static_cast<uint8_t>((tos & 0xfc) | static_cast<uint8_t>(codepoint));
}

/// The modes of a tunnel's ends. They are attributes, so the enumerations are unscoped.
struct TunnelEcn
{
    /// The treatment of ECN at a tunnel ingress (RFC 6040, section 4.1).
    enum Ingress : uint8_t
    {
        NORMAL,       //!< the outer header gets the codepoint of the inner one
        COMPATIBILITY //!< the outer header gets Not-ECT, for an egress that does not know ECN
    };

    /// The treatment of an outer ECT(1) above an inner ECT(0) at a tunnel egress. This is the only
    /// cell in which the two modes differ.
    enum Egress : uint8_t
    {
        RFC_6040,      //!< it is copied to the inner header (RFC 6040, section 4.2)
        PIPE_FOR_ECT_1 //!< it is a light mark of the domain, and not copied (the draft's 3.2.2.1)
    };
};

/// The alarms that RFC 6040, section 4.2, suggests for packets that arrive at a tunnel egress.
enum class TunnelEcnAlarm : uint8_t
{
    NONE,     //!< nothing is odd
    POSSIBLE, //!< (!): a combination that nobody uses, possibly dangerous
    DANGEROUS //!< (!!!): a combination that nobody uses, always potentially dangerous
};

/// The treatment of a packet at a tunnel egress: a cell of RFC 6040's figure 4.
struct TunnelEcnCell
{
    EcnCodepoint inner;   //!< the new codepoint of the inner header
    bool isDropped;       //!< whether the packet is to be dropped instead
    bool isLight;         //!< whether the packet arrives with a light mark, by either egress
    TunnelEcnAlarm alarm; //!< the alarm
};

/// Get the ECN field of the outer header that a tunnel ingress writes (RFC 6040, figure 3).
/// @param inner the inner header's codepoint, which does not change
/// @param ingress the ingress mode
/// @return the outer header's codepoint
EcnCodepoint EncapsulateEcn(EcnCodepoint inner, TunnelEcn::Ingress ingress);

/// Get the treatment of a packet at a tunnel egress, by the ECN fields of both headers (RFC
/// 6040, figure 4).
///
/// A packet arrives with a light mark if the outer header has ECT(1) and the inner one ECT(0) or
/// ECT(1): the draft's figure 2 has "light CE" in both cells. With an inner ECT(1), the mark means
/// nothing: a tunnel ingress in normal mode has copied ECT(1) to the outer header itself. So flows
/// that are sent as ECT(1) arrive with a light mark without any congestion, unless the domain's
/// edge refuses or remarks them.
/// @param inner the inner header's codepoint
/// @param outer the outer header's codepoint
/// @param egress the egress mode
/// @return the cell
const TunnelEcnCell& DecapsulateEcn(EcnCodepoint inner,
                                    EcnCodepoint outer,
                                    TunnelEcn::Egress egress);

/// The ECN codepoints of the fragments of one packet (RFC 3168, section 5.3).
class FragmentEcn
{
  public:
    /// Note a fragment. @param codepoint its codepoint
    void Add(EcnCodepoint codepoint)
    {
        m_seen |= 1U << static_cast<uint8_t>(codepoint);
    }

    /// Get the codepoint of the reassembled packet.
    ///
    /// A packet whose fragments have CE gets CE, unless a fragment is not ECN-capable: then the
    /// packet is to be dropped. The RFC has no rule for other mixtures. Here Not-ECT takes
    /// precedence over ECT, as a packet must not be called ECN-capable if its source may not be,
    /// and ECT(1) over ECT(0), as at a tunnel's exit (RFC 6040, section 4.2), so that no light mark
    /// is lost.
    /// @return the codepoint, none if the packet is to be dropped
    std::optional<EcnCodepoint> Combine() const;

  private:
    /// @return whether a fragment has it
    bool Has(EcnCodepoint codepoint) const
    {
        return (m_seen >> static_cast<uint8_t>(codepoint) & 1U) != 0;
    }

    uint32_t m_seen{0}; //!< a bit for each codepoint
};

/// The codepoints of packets that a node is reassembling.
///
/// It is told of each fragment, and of each packet whose reassembly ends, whole or not.
class FragmentEcnTable
{
  public:
    /// Note a fragment. @param header its header
    void Add(const Ipv4Bytes& header)
    {
        m_packets[GetKey(header)].Add(GetEcn(header[Ipv4Offset::TOS]));
    }

    /// Take out a packet whose reassembly has ended. @return the codepoints of its fragments; none
    /// if the packet is not known
    std::optional<FragmentEcn> Take(const Ipv4Bytes& header);

    /// @return the packets that are being reassembled
    std::size_t GetN() const
    {
        return m_packets.size();
    }

  private:
    /// Source and destination, identification and protocol of fragments (RFC 791, section 3.2).
    using Key = std::pair<uint64_t, uint32_t>;

    static Key GetKey(const Ipv4Bytes& header);

    std::map<Key, FragmentEcn> m_packets; //!< the packets
};

} // namespace ns3::aidc

#endif // AIDC_TUNNEL_ECN_H
