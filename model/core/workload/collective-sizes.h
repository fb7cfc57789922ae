/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_SIZES_H
#define AIDC_COLLECTIVE_SIZES_H

#include "collective-step.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief How many bytes each member sends to each member in an all-to-all of unequal sizes, as in
 *        MPI's Alltoallv.
 *
 * A member's blocks stand one after another: those to send in the order of the members that get
 * them, and those received in the order of the members that have sent them. What a member has for
 * itself is in both buffers, but is not sent.
 */
class CollectiveSizes
{
  public:
    /// The greatest number of members; the sizes of so many take 256 MiB.
    static constexpr uint32_t MAX_MEMBERS = 4096;

    /// @param rows by sender, the bytes for each receiver: as many as there are senders, at most
    ///        2^60 in each row and in each column
    /// @throws std::invalid_argument if there are too many members or bytes, or a row has another
    ///         length
    explicit CollectiveSizes(const std::vector<std::vector<uint64_t>>& rows);

    /// @return the number of members
    uint32_t GetNMembers() const
    {
        return m_n;
    }

    /// from: the member that sends; to: the member that receives. @return the block in the buffer
    /// of the one that sends
    CollectivePart GetSent(uint32_t from, uint32_t to) const;

    /// from: the member that sends; to: the member that receives. @return the block in the buffer
    /// of the one that receives
    CollectivePart GetReceived(uint32_t from, uint32_t to) const;

    /// @return the sizes of the way back: each member sends what it has got
    CollectiveSizes GetTransposed() const;

    /// @return the most bytes that a member has to send, or gets, with those for itself: the size
    /// of an all-to-all of unequal sizes in nccl-tests
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    CollectivePart Get(const std::vector<uint64_t>& begins, uint32_t buffer, uint32_t block) const;

    uint32_t m_n;                     //!< the number of members
    uint64_t m_bytes{0};              //!< the most of a member
    std::vector<uint64_t> m_sent;     //!< by sender, where blocks begin, and the last one's end
    std::vector<uint64_t> m_received; //!< the same by receiver
};

/// Make the sizes of a mixture of experts with one expert that gets more tokens than the others.
///
/// Each member has @p bytes to send. The hot member gets @p factor times the n-th part of them, the
/// other ones equal parts of the rest.
/// @param nMembers the number of members n, from 2 to CollectiveSizes::MAX_MEMBERS
/// @param bytes the bytes that each member has to send, with those for itself, at most 2^60 / n
/// @param hot the member that gets the most
/// @param factor its load over the mean, from 1 to n
/// @return the sizes
/// @throws std::invalid_argument if they are out of range
CollectiveSizes MakeSkewedSizes(uint32_t nMembers, uint64_t bytes, uint32_t hot, double factor);

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_SIZES_H
