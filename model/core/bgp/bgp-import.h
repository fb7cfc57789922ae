/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_IMPORT_H
#define AIDC_BGP_IMPORT_H

#include "bgp-path-attributes.h"
#include "bgp-policy.h"
#include "bgp-rib-settings.h"

/// @file
/// The changes of a route when it is taken from a peer (RFC 4271, section 9.1; RFC 4360, section 6;
/// RFC 8326).

namespace ns3::aidc
{

/// @brief Leave out what a peer should not have sent.
/// @param received the attributes of a route from the peer
/// @param peer the peer
/// @param settings the settings
/// @return the attributes without next hop, before the import policy
BgpPathAttributes CleanBgpImport(const BgpPathAttributes& received,
                                 const BgpRibPeer& peer,
                                 const BgpRibSettings& settings);

/// @brief Get a route in the form in which it is stored.
/// @param clean the result of CleanBgpImport()
/// @param result the decision of the import policy, which has accepted the route
/// @param peer the peer
/// @param settings the settings
/// @return the attributes; LOCAL_PREF is 0 if an external peer is about to shut down
BgpPathAttributes ImportBgpRoute(const BgpPathAttributes& clean,
                                 const BgpPolicyResult& result,
                                 const BgpRibPeer& peer,
                                 const BgpRibSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_BGP_IMPORT_H
