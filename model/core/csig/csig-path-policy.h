/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PATH_POLICY_H
#define AIDC_CSIG_PATH_POLICY_H

#include "csig-locator.h"
#include "csig-signal.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// What a signal means to a flow that can choose another path.
enum class CsigPathAction : uint8_t
{
    KEEP,     //!< not congested, or not for long enough
    REHASH,   //!< congested where another path may avoid it: take one
    LAST_HOP, //!< congested at the last hop, which is on all paths
};

/// The conditions for a flow to take another path.
struct CsigPathPolicySettings
{
    CsigAggregation aggregation{CsigAggregation::MIN}; //!< of the signal
    /// A minimum below it, or a maximum above it, is congestion; in the signal's unit. Default: a
    /// tenth of 100 Gbit/s.
    uint64_t threshold{10'000'000'000};
    uint32_t patience{3};     //!< the signals of congestion in a row before a change, at least 1
    int64_t pause{200'000};   //!< the least time between two changes of the path, ns
    uint32_t leafStage{0};    //!< the stage of the switches that hosts are attached to
    bool sparesLastHop{true}; //!< whether congestion at the last hop is treated differently
};

/// Tell whether locator metadata name the last hop: a leaf's port towards the hosts.
/// @param locator the attributes; stage and orientation must be in the layout
/// @param leafStage the stage of leaves
/// @return whether they do
bool IsCsigLastHop(const CsigLocator& locator, uint32_t leafStage);

/**
 * @brief Decides whether a flow takes another path (section 8.2.1 of draft-ravi-ippm-csig-01).
 *
 * "The stage of the bottleneck and link orientation attributes are enough to determine whether the
 * last hop is the bottleneck or not": if it is, another path does not help and may harm. The draft
 * says no more; the threshold and the waiting times are ours. The count of signals restarts with a
 * signal that reports no congestion, or congestion at the last hop, and with a change of the path.
 */
class CsigPathPolicy
{
  public:
    /// Constructor. @param settings when to take another path @throws std::invalid_argument if the
    /// patience is 0 or the pause is negative
    explicit CsigPathPolicy(const CsigPathPolicySettings& settings);

    /// Take a signal of the flow's present path.
    /// @param now the time in ns
    /// @param value the value in the signal's unit
    /// @param locator the attributes of the bottleneck
    /// @return the action; after REHASH the flow is expected to take another path at once
    CsigPathAction NoteSignal(int64_t now, uint64_t value, const CsigLocator& locator);

  private:
    CsigPathPolicySettings m_settings;   //!< when to take another path
    uint32_t m_nCongested{0};            //!< signals of congestion in a row
    std::optional<int64_t> m_lastChange; //!< when the path was changed, ns
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_POLICY_H
