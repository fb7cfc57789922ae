/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_TIMEOUT_SETTINGS_H
#define AIDC_ROCE_TIMEOUT_SETTINGS_H

#include "../core/transport/roce-timeout.h"
#include "roce-connection.h"

#include "ns3/roce-work.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace ns3::aidc
{

/// The timeouts of an adapter's queue pairs as users set them. Timeouts that are not set are
/// derived from the path.
struct RoceTimeoutSettings
{
    /// The names of attributes that the user was warned about.
    using Warned = std::set<std::string>;

    /// The value of ackTimeout that derives both timeouts from the path.
    static constexpr uint8_t DERIVED = 32;

    /// Make the timeouts of a queue pair. A warning is printed if the delay of the path may exceed
    /// a timeout that was set.
    /// @param recovery how lost packets are sent again
    /// @param connection the connection of the queue pair
    /// @param path the delays of the path
    /// @param ackDelay the time that the peer takes to answer
    /// @return the timeouts; none if there is no timer
    std::optional<RoceTimeout> Make(RoceSettings::Recovery recovery,
                                    const RoceConnection& connection,
                                    const RocePath& path,
                                    Time ackDelay) const;

    uint8_t ackTimeout{DERIVED};    //!< attribute AckTimeout
    int64_t lowTimeout{0};          //!< attribute LowTimeout, ns
    uint32_t lowPackets{3};         //!< attribute LowTimeoutPackets
    bool hasProbe{false};           //!< attribute TailLossProbe
    std::shared_ptr<Warned> warned; //!< the warnings so far, shared by adapters

  private:
    /// Warn once about a timeout that the delay of the path may exceed.
    void WarnIfBelow(const std::string& attribute, int64_t set, int64_t derived) const;
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_TIMEOUT_SETTINGS_H
