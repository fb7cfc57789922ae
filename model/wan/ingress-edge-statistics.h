/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INGRESS_EDGE_STATISTICS_H
#define AIDC_INGRESS_EDGE_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What the controller of an ingress PE has done so far.
 *
 * A notification that comes is accepted or counted as one of the refusals.
 */
struct IngressEdgeStatistics
{
    uint64_t light{0};          //!< notifications of light congestion that were accepted
    uint64_t severe{0};         //!< notifications of severe congestion that were accepted
    uint64_t offDomain{0};      //!< refused: not from the domain
    uint64_t otherDevice{0};    //!< refused: of another device than its sender
    uint64_t otherReceiver{0};  //!< refused: for another PE
    uint64_t malformed{0};      //!< refused: not a notification
    uint64_t unauthentic{0};    //!< refused: without the hash of the key, or with one without key
    uint64_t early{0};          //!< refused: of a time to come
    uint64_t stale{0};          //!< refused: too old
    uint64_t replayed{0};       //!< refused: the number has come before, or is far behind
    uint64_t tooManyDevices{0}; //!< refused: no room for the numbers of another device
    uint64_t unknownFlow{0};    //!< refused: of a flow that this PE does not send into a tunnel
    uint64_t tooManyFlows{0};   //!< refused: no room for the state of another flow
    uint64_t rateReductions{0}; //!< steps down of a flow's or tunnel's rate
    uint64_t rateReleases{0};   //!< flows or tunnels that are no longer limited
    uint64_t pathChanges{0};    //!< flows or tunnels that have gone to another path
    uint64_t agedFlows{0};      //!< flows or tunnels that were forgotten for their silence
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_EDGE_STATISTICS_H
