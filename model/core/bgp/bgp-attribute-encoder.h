/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ATTRIBUTE_ENCODER_H
#define AIDC_BGP_ATTRIBUTE_ENCODER_H

#include "bgp-bytes.h"
#include "bgp-path-attributes.h"
#include "bgp-session-options.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Writes attributes: flags, type, length and value.
 */
class BgpAttributeWriter
{
  public:
    /**
     * @brief Constructor.
     * @param [in,out] bytes what to append to, which outlives the writer
     */
    explicit BgpAttributeWriter(BgpBytes& bytes);

    /**
     * @brief Begin an attribute. What is appended to the bytes from now on is its value.
     * @param flags its flags without that of the length
     * @param type its type
     */
    void Begin(uint8_t flags, uint8_t type);

    /// End the attribute: its length is known now.
    void End();

  private:
    BgpBytes& m_bytes;      //!< what is appended to
    std::size_t m_begin{0}; //!< where the attribute begins
};

/**
 * @ingroup aidc
 * @brief Append path attributes, in the order of their types.
 *
 * What the peer must not get is left out: LOCAL_PREF, ORIGINATOR_ID and CLUSTER_LIST for one in
 * another AS (LOCAL_PREF goes to another member of a confederation).
 *
 * @param [in,out] bytes what to append to
 * @param attributes the attributes
 * @param hasNextHop whether NEXT_HOP is among them
 * @param options the session
 */
void AppendBgpPathAttributes(BgpBytes& bytes,
                             const BgpPathAttributes& attributes,
                             bool hasNextHop,
                             const BgpSessionOptions& options);

} // namespace ns3::aidc

#endif // AIDC_BGP_ATTRIBUTE_ENCODER_H
