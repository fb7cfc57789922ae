/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FRAGMENT_ECN_H
#define AIDC_FRAGMENT_ECN_H

#include "../ipv4-bytes.h"
#include "tunnel-ecn.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace ns3::aidc
{

/// The ECN codepoints of the fragments of one packet (RFC 3168, section 5.3).
class FragmentEcn
{
  public:
    /// Note a fragment. @param codepoint its codepoint
    void Add(EcnCodepoint codepoint)
    {
        m_seen |= 1U << static_cast<uint8_t>(codepoint);
    }

    /**
     * @brief Get the codepoint of the reassembled packet.
     *
     * A packet whose fragments have CE gets CE, unless one of them is not ECN-capable: then the
     * packet is to be dropped. The RFC has no rule for other mixtures. Here a Not-ECT goes before
     * an ECT, as a packet must not be called capable of what its source may not be, and ECT(1) goes
     * before ECT(0), as at a tunnel's exit (RFC 6040, section 4.2), so that no light mark is lost.
     *
     * @return the codepoint, none if the packet is to be dropped
     */
    std::optional<EcnCodepoint> Combine() const;

  private:
    /// @return whether a fragment has it
    bool Has(EcnCodepoint codepoint) const
    {
        return (m_seen >> static_cast<uint8_t>(codepoint) & 1U) != 0;
    }

    uint32_t m_seen{0}; //!< a bit for each codepoint
};

/**
 * @brief The codepoints of packets that a node is reassembling.
 *
 * It is told of each fragment, and of each packet whose reassembly ends, whole or not.
 */
class FragmentEcnTable
{
  public:
    /// Note a fragment. @param header its header
    void Add(const Ipv4Bytes& header)
    {
        m_packets[GetKey(header)].Add(GetEcn(header[Ipv4Offset::TOS]));
    }

    /// Take a packet out whose reassembly has ended. @return the codepoints of its fragments; none
    /// if the packet is not known
    std::optional<FragmentEcn> Take(const Ipv4Bytes& header);

    /// @return the packets that are being reassembled
    std::size_t GetN() const
    {
        return m_packets.size();
    }

  private:
    /// What the fragments of a packet have in common (RFC 791, section 3.2): source and
    /// destination, identification and protocol.
    using Key = std::pair<uint64_t, uint32_t>;

    static Key GetKey(const Ipv4Bytes& header);

    std::map<Key, FragmentEcn> m_packets; //!< the packets
};

} // namespace ns3::aidc

#endif // AIDC_FRAGMENT_ECN_H
