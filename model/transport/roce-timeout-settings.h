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

/**
 * @ingroup aidc
 * @brief What users set of the timeouts of an adapter's queue pairs; what they do not set is
 *        derived from the path.
 */
struct RoceTimeoutSettings
{
    /// The names of attributes of which the user was warned.
    using Warned = std::set<std::string>;

    /// The value of ackTimeout that has both timeouts derived.
    static constexpr uint8_t DERIVED = 32;

    /// Make the timeouts of a queue pair. A warning is printed if the path may exceed one that was
    /// set.
    /// @param recovery how what is lost is sent again
    /// @param connection what is fixed of the queue pair
    /// @param path what is known of the path
    /// @param ackDelay the time that the peer takes to answer
    /// @return the timeouts; none if there is no timer
    std::optional<RoceTimeout> Make(RoceSettings::Recovery recovery,
                                    const RoceConnection& connection,
                                    const RocePath& path,
                                    Time ackDelay) const;

    uint8_t ackTimeout{DERIVED};    //!< attribute AckTimeout
    int64_t lowTimeout{0};          //!< attribute LowTimeout, ns
    uint32_t lowPackets{3};         //!< attribute LowTimeoutPackets
    std::shared_ptr<Warned> warned; //!< what was warned of, shared by adapters

  private:
    /// Warn once of a timeout that the path may exceed.
    /// @param attribute its attribute
    /// @param set what the user has set, ns
    /// @param derived what it would be otherwise, ns
    void WarnIfBelow(const std::string& attribute, int64_t set, int64_t derived) const;
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_TIMEOUT_SETTINGS_H
