/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_GRACEFUL_RESTART_H
#define AIDC_BGP_GRACEFUL_RESTART_H

#include "bgp-bytes.h"
#include "bgp-session-terms.h"

#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @brief The capability of graceful restart (RFC 4724, section 3; RFC 8538, section 2).
 *
 *      +0   R, N, two reserved bits, restart time in seconds (12 bits)
 *      +2   AFI (2 bytes), SAFI, flags; for each family
 *
 * R: the speaker has restarted. N: a NOTIFICATION keeps the routes, too. F, the first one of the
 * flags of a family: the forwarding state was kept.
 */

namespace ns3::aidc
{

/// The longest restart time that can be offered, seconds.
constexpr uint16_t BGP_MAX_RESTART_TIME = 4095;

/// A family of routes that are kept over a restart.
struct BgpRestartFamily
{
    BgpAddressFamily family;      //!< the family
    bool isForwardingKept{false}; //!< F: its forwarding state was kept over the last restart
};

/// The contents of the capability of graceful restart.
struct BgpGracefulRestart
{
    bool isRestarting{false};               //!< R: the speaker has restarted
    bool keepsOnNotification{false};        //!< N: a NOTIFICATION keeps the routes (RFC 8538)
    uint16_t restartTime{0};                //!< until the session is back, s, less than 4096
    std::vector<BgpRestartFamily> families; //!< each once

    /// Find a family. @return its entry, null if it is not there
    const BgpRestartFamily* Find(const BgpAddressFamily& family) const;
};

/// @brief Tell whether two families and their flags are equal.
/// @param a a family
/// @param b another one
/// @return true if both are
bool operator==(const BgpRestartFamily& a, const BgpRestartFamily& b);

/// @brief Tell whether the contents of two capabilities are equal.
/// @param a a capability
/// @param b another one
/// @return true if all members are
bool operator==(const BgpGracefulRestart& a, const BgpGracefulRestart& b);

/// @brief Encode the value of the capability; reserved bits are 0.
/// @param restart the contents
/// @return the value
BgpBytes EncodeBgpGracefulRestart(const BgpGracefulRestart& restart);

/// @brief Decode the value of the capability.
///
/// Reserved bits are ignored. Of a family that is there twice, the last flags count.
///
/// @param value the value
/// @return the contents; none if the length is not 2 + 4 n
std::optional<BgpGracefulRestart> DecodeBgpGracefulRestart(BgpReader value);

} // namespace ns3::aidc

#endif // AIDC_BGP_GRACEFUL_RESTART_H
