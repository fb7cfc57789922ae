/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_SETTINGS_H
#define AIDC_FLOW_SET_SETTINGS_H

#include "../core/flow-set/congestion-index.h"
#include "../core/flow-set/flow-set-switching.h"

#include <cstdint>
#include <tuple>

namespace ns3::aidc
{

/// The attributes of a FlowSetConfiguration.
struct FlowSetSettings
{
    CongestionIndexSettings index;      //!< how CQIs are computed
    FlowSetSwitchingSettings switching; //!< how flow sets migrate
    int64_t interval{0};                //!< AssessmentInterval in ns
    bool isAdaptive{false};             //!< AdaptiveInterval
    int64_t minInterval{0};             //!< MinInterval in ns
    int64_t maxInterval{0};             //!< MaxInterval in ns
    double lowTraffic{0};               //!< LowTraffic
    double highTraffic{0};              //!< HighTraffic
    uint64_t queueCapacity{0};          //!< QueueCapacity in bytes
    uint32_t tableSize{1};              //!< TableSize; a table has the next power of two
    int64_t ageingTime{0};              //!< AgeingTime in ns

    /// @return the parameters of the adaptive interval: its bounds, and the shares of traffic
    auto GetAdaptation() const
    {
        return std::tie(minInterval, maxInterval, lowTraffic, highTraffic);
    }
};

/// Check settings. @throws std::invalid_argument if they do not fit each other; says which
void CheckSettings(const FlowSetSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_SETTINGS_H
