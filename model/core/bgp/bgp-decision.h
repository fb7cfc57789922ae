// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_DECISION_H
#define AIDC_BGP_DECISION_H

#include "bgp-path-attributes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// @file
/// The choice of the routes to a prefix that are used (RFC 4271, section 9.1).

namespace ns3::aidc
{

/// The most routes to a prefix that are used together, unless set.
constexpr uint32_t BGP_MAX_PATHS = 64;

/// How a speaker decides.
struct BgpDecisionSettings
{
    uint32_t maxPaths{BGP_MAX_PATHS}; //!< the most routes that are used together, at least 1
    bool relaxesAsPath{true};         //!< paths of equal length are equal, whatever their ASs
    uint32_t defaultLocalPref{100};   //!< LOCAL_PREF of routes without
};

/// A route that may be used.
struct BgpCandidate
{
    const BgpPathAttributes* attributes{nullptr}; //!< its attributes, never null
    uint32_t peerIdentifier{0};                   //!< BGP identifier of the peer that has sent it
    uint32_t peerAddress{0};                      //!< address of that peer, host byte order
    bool isExternal{true};                        //!< that peer is in another AS
    bool isLocal{false};                          //!< it is from no peer: the speaker's own
    bool isLeaving{false}; //!< its session is about to be shut down: LOCAL_PREF is 0 (RFC 8326)
};

/// Choose the routes that are used.
///
/// The first difference decides:
///
///  1. the speaker's own route
///  2. the largest LOCAL_PREF
///  3. the shortest AS path (9.1.2.2 a)
///  4. the lowest ORIGIN (b)
///  5. no other route from the same neighbor AS has a smaller MULTI_EXIT_DISC (c); without: 0
///  6. routes of external peers (d)
///
/// Routes that are equal up to here are used together, the best one first, by
///
///  7. the lowest BGP identifier (f)
///  8. the lowest peer address (g)
///
/// Unless relaxesAsPath is set, only routes with the AS path of the best one are used together.
/// Metrics to the next hop (e) do not exist because peers are on the link.
///
/// The candidates are without loops, in any order, which does not matter.
/// @return the indices of the routes that are used, the best one first
std::vector<std::size_t> DecideBgpRoutes(const std::vector<BgpCandidate>& candidates,
                                         const BgpDecisionSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_BGP_DECISION_H
