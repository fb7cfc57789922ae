/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_PACER_H
#define AIDC_RANK_PACER_H

#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Keeps the time of a workload, in which its ranks compute, where this is not the time of
 * the network; and ends operations that ranks do not execute (see WorkloadLeap).
 *
 * Ranks call it in events of their node, or while it calls them.
 */
class RankPacer : public SimpleRefCount<RankPacer>
{
  public:
    virtual ~RankPacer() = default;

    /// @return the time of the workload
    virtual Time GetTime() const = 0;

    /// Have RankApplication::EndCompute() called.
    /// @param rank the rank
    /// @param operation the computation
    /// @param duration how long it takes
    virtual void Compute(uint32_t rank, uint32_t operation, const Time& duration) = 0;

    /// A collective or a message to send starts.
    /// @param rank the rank
    /// @param operation the operation
    /// @return whether the rank does not execute it, and RankApplication::EndLeft() will be called
    virtual bool Leaves(uint32_t rank, uint32_t operation) = 0;

    /// An operation has ended.
    /// @param rank the rank
    /// @param operation the operation
    virtual void NotifyEnd(uint32_t rank, uint32_t operation) = 0;

    /// A message has come by the network.
    /// @param rank the rank that has received it
    /// @param peer the rank that has sent it
    /// @param tag its tag
    /// @param nBytes the bytes that have come
    /// @return the bytes that it has in the workload
    virtual uint64_t NotifyMessage(uint32_t rank, uint32_t peer, uint32_t tag, uint64_t nBytes) = 0;

    /// @return whether ranks must keep messages to send until RankApplication::SendKept() is
    /// called,
    ///         as the network does not run
    virtual bool IsLeaping() const = 0;
};

} // namespace ns3::aidc

#endif // AIDC_RANK_PACER_H
