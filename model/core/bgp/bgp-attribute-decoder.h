/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ATTRIBUTE_DECODER_H
#define AIDC_BGP_ATTRIBUTE_DECODER_H

#include "bgp-attribute-table.h"
#include "bgp-bytes.h"
#include "bgp-session-terms.h"
#include "bgp-update.h"

#include <bitset>
#include <cstdint>
#include <optional>
#include <utility>

namespace ns3::aidc
{

/**
 * @brief Decodes the path attributes of an UPDATE.
 *
 * The checks of each attribute are, in this order: it is complete, its type is not repeated, flags,
 * this peer may send it, length, value. The first check that fails is its fault, and the table of
 * attributes has the rule for this fault.
 */
class BgpAttributeDecoder
{
  public:
    /// Constructor. terms: the terms of the session, which outlive the decoder; result: gets
    /// attributes, MP attributes and faults; outlives the decoder.
    BgpAttributeDecoder(const BgpSessionTerms& terms, BgpUpdateResult& result);

    /// Decode all attributes. @param list the path attributes @return false if the session is to be
    /// reset, as the result says then
    bool Decode(BgpReader list);

  private:
    /// Decode an attribute whose type is not repeated. @return its fault, if it has one
    std::optional<BgpFault> DecodeAttribute(uint8_t flags, uint8_t type, BgpReader value);

    /// Keep an attribute that is not known.
    void KeepUnknown(uint8_t type, const BgpReader& value);

    /// Merge the attributes of two-octet peers (RFC 6793, section 4.2.3).
    void MergeFourOctetAs();

    /// Check what can only be seen when all attributes are there.
    void CheckTogether();

    /// Note an error. type: the attribute, 0 if it is about none.
    void AddFault(uint8_t type, BgpFault fault, BgpBytes data);

    const BgpSessionTerms& m_terms; //!< the terms of the session
    BgpUpdateResult& m_result;      //!< gets what is decoded
    BgpAttributeValues m_values;    //!< what attributes say
    std::bitset<256> m_seen;        //!< types that have been there
    bool m_hasOthers{false};        //!< others than MP_UNREACH_NLRI
    /// What is wrong with a NEXT_HOP that no route needs, and the attribute
    std::optional<std::pair<BgpFault, BgpBytes>> m_nextHopFault;
    BgpNotification
        m_withdrawal; //!< what the first treat-as-withdraw says, if it has to be a reset
};

} // namespace ns3::aidc

#endif // AIDC_BGP_ATTRIBUTE_DECODER_H
