/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_SCHEDULE_H
#define AIDC_COLLECTIVE_SCHEDULE_H

#include "collective-kind.h"
#include "collective-pairs.h"

#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What a member does in a step: it sends a part of its buffer, receives one, or both.
 */
struct CollectiveStep
{
    /// No member.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    uint32_t sendTo{NONE};      //!< the member to send to
    uint32_t receiveFrom{NONE}; //!< the member to receive from
    uint64_t sendOffset{0};     //!< where the bytes sent begin in the buffer (the one to send from)
    uint64_t sendBytes{0};      //!< bytes sent
    uint64_t receiveOffset{0};  //!< where the bytes received begin in the buffer
    uint64_t receiveBytes{0};   //!< bytes received
    bool reduces{false};      //!< whether bytes received are added to those there, or replace them
    bool waitsForSend{false}; //!< whether the next step waits until the message is acknowledged
};

/**
 * @ingroup aidc
 * @brief The steps of a collective operation, for each of its members.
 *
 * Steps are computed on demand, so that a collective of thousands of members takes no memory. The
 * data is divided into chunks; each chunk has a lane, in which steps follow each other, and lanes
 * are independent: while one chunk is on the way, the next one is sent. The next step of a lane
 * begins when the message to receive has arrived and, if waitsForSend, the message sent has been
 * acknowledged. Messages of a lane from a member to another one are received in order.
 *
 * With n members and S bytes (S as in NCCL's tests: the buffer of all-reduce and broadcast, all
 * output of all-gather, all input of reduce-scatter, what a member has to send in all-to-all):
 *
 * - all-reduce: ring, 2 (n - 1) steps of S / n; halving-doubling, 2 log2 n steps, of S / 2 first
 *   and last; recursive doubling, log2 n steps of S.
 * - all-gather and reduce-scatter: ring, n - 1 steps of S / n; halving-doubling, log2 n steps.
 * - all-to-all: pairwise, n - 1 steps of S / n. In step k, member i sends to i + k.
 * - broadcast: binomial tree, ceil(log2 n) steps of S; chain, n - 1 steps of S, with m chunks
 *   n - 2 + m steps of S / m.
 *
 * If n is not a power of two, all-reduce by halving-doubling or recursive doubling is folded: of
 * the first 2 (n - p) members, p being the largest power of two below n, those of even number send
 * their buffer to the next member, which sends the result back in the end. Members outside the fold
 * could send to members that still receive a whole buffer for it; on one link, the two messages
 * would delay each other. So a member that the fold has not delayed yet waits for a message without
 * bytes from its first partner that the fold has delayed, and then exchanges data with it: this is
 * one more step. All-gather and reduce-scatter by halving-doubling need a power of two, and one
 * chunk.
 *
 * Sizes are divided as evenly as possible: parts differ by at most one byte, larger ones first. An
 * empty part is sent as a message without bytes. Members have the same parts as in MPI: member i
 * has block i after reduce-scatter and before all-gather, and in all-to-all it sends its block j to
 * j.
 */
class CollectiveSchedule
{
  public:
    /// The greatest number of chunks.
    static constexpr uint32_t MAX_CHUNKS = 4096;
    /// The greatest number of bytes.
    static constexpr uint64_t MAX_BYTES = 1ULL << 60;

    /// @param kind what is done
    /// @param algorithm in which steps
    /// @param nMembers the number of members, at least 1; with one, there are no steps
    /// @param bytes the size, at most MAX_BYTES
    /// @param nChunks the number of chunks, from 1 to MAX_CHUNKS
    /// @param root the member whose data is broadcast
    /// @throws std::invalid_argument if there is no such collective
    CollectiveSchedule(CollectiveKind kind,
                       CollectiveAlgorithm algorithm,
                       uint32_t nMembers,
                       uint64_t bytes,
                       uint32_t nChunks = 1,
                       uint32_t root = 0);

    /// @param member the member
    /// @return the number of steps in each lane of the member
    uint32_t GetNSteps(uint32_t member) const;

    /// @param member whose step
    /// @param lane the lane, below GetNChunks()
    /// @param step the number of the step, below GetNSteps()
    /// @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const;

    /// @return what is done
    CollectiveKind GetKind() const
    {
        return m_kind;
    }

    /// @return in which steps it is done
    CollectiveAlgorithm GetAlgorithm() const
    {
        return m_algorithm;
    }

    /// @return the number of members
    uint32_t GetNMembers() const
    {
        return m_nMembers;
    }

    /// @return the size in bytes
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return the number of chunks, each of which has a lane
    uint32_t GetNChunks() const
    {
        return m_nChunks;
    }

  private:
    /// A part of a buffer.
    struct Part
    {
        uint64_t offset; //!< where it begins
        uint64_t bytes;  //!< its bytes
    };

    /// Get some consecutive ones of equal parts.
    /// @param whole what is divided
    /// @param n into how many
    /// @param first the first part
    /// @param count how many parts
    /// @return the parts together
    static Part Divide(const Part& whole, uint32_t n, uint32_t first, uint32_t count = 1);

    /// Get the lane's share of some blocks.
    /// @param lane the lane
    /// @param nBlocks how many blocks there are
    /// @param first the first block
    /// @param count how many blocks; 1 if there are several lanes and blocks belong to members
    /// @return the part of the buffer
    Part GetBlocks(uint32_t lane, uint32_t nBlocks, uint32_t first, uint32_t count = 1) const;

    /// Fill in what is sent.
    /// @param step the step
    /// @param to the member to send to
    /// @param part what is sent
    static void Send(CollectiveStep& step, uint32_t to, const Part& part);

    /// Fill in what is received.
    /// @param step the step
    /// @param from the member to receive from
    /// @param part what is received
    /// @param reduces whether it is added to what is there
    static void Receive(CollectiveStep& step, uint32_t from, const Part& part, bool reduces);

    /// @param member whose step
    /// @param lane the lane
    /// @param step the number of the step
    /// @return the step
    CollectiveStep GetRingStep(uint32_t member, uint32_t lane, uint32_t step) const;

    /// @return who meets whom in steps among pairs; not kept, as plans have many schedules
    CollectivePairs GetPairs() const;

    /// Get a step among pairs of members.
    /// @param member whose step
    /// @param lane the lane
    /// @param step the number of the step
    /// @return the step
    CollectiveStep GetPairStep(uint32_t member, uint32_t lane, uint32_t step) const;

    /// @param member whose step
    /// @param lane the lane
    /// @param step the number of the step
    /// @return the step
    CollectiveStep GetBroadcastStep(uint32_t member, uint32_t lane, uint32_t step) const;

    CollectiveKind m_kind;           //!< what is done
    CollectiveAlgorithm m_algorithm; //!< in which steps
    uint32_t m_nMembers;             //!< the number of members
    uint32_t m_nChunks;              //!< the number of chunks
    uint32_t m_root;                 //!< the member whose data is broadcast
    uint64_t m_bytes;                //!< the size
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_SCHEDULE_H
