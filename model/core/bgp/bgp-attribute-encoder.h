/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_ATTRIBUTE_ENCODER_H
#define AIDC_BGP_ATTRIBUTE_ENCODER_H

#include "bgp-bytes.h"
#include "bgp-path-attributes.h"
#include "bgp-session-terms.h"

namespace ns3::aidc
{

/**
 * @brief Encode path attributes, in the order of their types.
 *
 * What the peer must not get is left out: LOCAL_PREF, ORIGINATOR_ID and CLUSTER_LIST for one in
 * another AS.
 *
 * @param [in,out] bytes what to append to
 * @param attributes the attributes
 * @param terms the terms of the session
 */
void EncodeBgpPathAttributes(BgpBytes& bytes,
                             const BgpPathAttributes& attributes,
                             const BgpSessionTerms& terms);

} // namespace ns3::aidc

#endif // AIDC_BGP_ATTRIBUTE_ENCODER_H
