// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANK_PROGRAM_H
#define AIDC_RANK_PROGRAM_H

#include "collective-schedule.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// What an operation of a rank is.
enum class RankOperationKind : uint8_t
{
    COMPUTE,   //!< computes for a time
    SEND,      //!< sends a message
    RECEIVE,   //!< waits for a message
    COLLECTIVE //!< takes part in a collective
};

/// An operation of a rank.
struct RankOperation
{
    uint64_t amount{0}; //!< nanoseconds, bytes, or the number of the collective in its program
    uint32_t peer{0};   //!< the other rank of a message, or the unit that computes
    uint32_t tag{0};    //!< the tag of a message, or the first one of a collective
    uint32_t label{0};  //!< what it belongs to, for reports
    // Side by side, as a workload may have 100 million operations
    uint32_t afterEnd : 30;     //!< where its dependencies end
    RankOperationKind kind : 2; //!< what it is
};

/// The ranks of a group, in their order. Many programs share them. Like a communicator of NCCL, a
/// group does one collective at a time. Another object with the same ranks is another group.
using RankGroup = std::shared_ptr<const std::vector<uint32_t>>;

/// A rank's part in a collective.
struct RankCollective
{
    CollectiveSchedule schedule; //!< the collective
    RankGroup ranks;             //!< the rank of each member
    uint32_t member{0};          //!< which member this rank is
};

/// The operations of a rank, with the ones that each waits for.
///
/// An operation takes 24 bytes, 4 for each that it waits for, and 40 as a part in a collective. A
/// collective is one operation, whose steps are computed when they are executed.
///
/// Operations wait for earlier ones only, so that no rank can wait for itself. Messages are matched
/// as in MPI: messages from one rank to another with the same tag, in the order of the operations
/// that send them, meet the operations that receive them, in their order.
class RankProgram
{
  public:
    /// The unit of a computation that needs none: it is a delay, and others may run meanwhile.
    static constexpr uint32_t NO_UNIT = std::numeric_limits<uint32_t>::max();

    /// The greatest factor by which computations can be slowed down.
    static constexpr double MAX_SLOWDOWN = 1000;

    /// Some consecutive numbers of operations.
    struct Numbers
    {
        const uint32_t* first; //!< the first one
        const uint32_t* last;  //!< after the last one

        /// @return the first number
        const uint32_t* begin() const
        {
            return first;
        }

        /// @return what is after the last number
        const uint32_t* end() const
        {
            return last;
        }
    };

    /// The greatest number of operations, and of the operations that they wait for.
    static constexpr uint32_t MAX_SIZE = (1U << 30) - 1;

    /// Take memory for operations, so that the program does not grow by doubling.
    /// @param nOperations how many operations will be added at most
    /// @param nAfter how many they wait for, in all
    /// @param nCollectives how many of them are collectives
    void Reserve(std::size_t nOperations, std::size_t nAfter, std::size_t nCollectives)
    {
        m_operations.reserve(nOperations);
        m_after.reserve(nAfter);
        m_collectives.reserve(nCollectives);
    }

    /**
     * @name Adding operations
     *
     * Each function adds an operation, and returns its number, counted from 0. after: the
     * operations that it waits for; label: what it belongs to; peer, bytes and tag: the other rank
     * of a message, its bytes and its tag. It throws std::invalid_argument if it waits for one that
     * does not come before.
     * @{
     */

    /// Add a computation. nanoseconds: how long it takes; unit: what computes, one thing at a time
    /// unless it is NO_UNIT.
    uint32_t AddCompute(uint64_t nanoseconds,
                        const std::vector<uint32_t>& after,
                        uint32_t label = 0,
                        uint32_t unit = 0)
    {
        return Add(RankOperation{nanoseconds, unit, 0, label, 0, RankOperationKind::COMPUTE},
                   after);
    }

    /// Add a message to send. It ends when the message has been acknowledged.
    uint32_t AddSend(uint32_t peer,
                     uint64_t bytes,
                     uint32_t tag,
                     const std::vector<uint32_t>& after,
                     uint32_t label = 0)
    {
        return Add(RankOperation{bytes, peer, tag, label, 0, RankOperationKind::SEND}, after);
    }

    /// Add a message to receive. It ends when the message has arrived.
    uint32_t AddReceive(uint32_t peer,
                        uint64_t bytes,
                        uint32_t tag,
                        const std::vector<uint32_t>& after,
                        uint32_t label = 0)
    {
        return Add(RankOperation{bytes, peer, tag, label, 0, RankOperationKind::RECEIVE}, after);
    }

    /// Add a message that is sent when its receiver waits for it. The receiver tells so by a
    /// credit, a message without bytes, as NCCL's "clear to send". So there are two operations: one
    /// that receives the credit, and one after it that sends, which is returned.
    uint32_t AddSendWithCredit(uint32_t peer,
                               uint64_t bytes,
                               uint32_t tag,
                               uint32_t creditTag,
                               const std::vector<uint32_t>& after,
                               uint32_t label = 0)
    {
        return AddSend(peer, bytes, tag, {AddReceive(peer, 0, creditTag, after, label)}, label);
    }

    /// Add a message to receive, and the credit that its sender waits for: an operation that sends
    /// the credit, and one that receives the message, which is returned. Both wait for the same.
    uint32_t AddReceiveWithCredit(uint32_t peer,
                                  uint64_t bytes,
                                  uint32_t tag,
                                  uint32_t creditTag,
                                  const std::vector<uint32_t>& after,
                                  uint32_t label = 0)
    {
        AddSend(peer, 0, creditTag, after, label);
        return AddReceive(peer, bytes, tag, after, label);
    }

    /// Add a part in a collective. It has a tag for each lane, from the first one on. It also
    /// waits for the collective of the same group that was added last. It throws
    /// std::invalid_argument, too, if the group has another size than the collective.
    uint32_t AddCollective(const RankCollective& collective,
                           uint32_t tag,
                           const std::vector<uint32_t>& after,
                           uint32_t label = 0);

    /// @}

    /// Let computations take longer, as at a slow rank. Delays, which need no unit, stay as they
    /// are.
    /// @param factor how many times as long they take, from 1 to MAX_SLOWDOWN
    /// @throws std::invalid_argument if it is out of range
    void SlowDown(double factor);

    /// Make it the program of a rank in a larger plan, in which others come before its ranks and
    /// items.
    /// @param nRanks the ranks that come before; they are added to the numbers of peers and members
    /// @param nItems the items that come before; they are added to labels
    /// @param [in,out] groups by group, the one that takes its place; missing ones are added
    void MoveBehind(uint32_t nRanks,
                    uint32_t nItems,
                    std::map<const std::vector<uint32_t>*, RankGroup>& groups);

    /// @return the number of operations
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_operations.size());
    }

    /// @return the operation
    const RankOperation& Get(uint32_t number) const
    {
        return m_operations[number];
    }

    /// @param number the number of the operation
    /// @return the numbers of the operations that it waits for
    Numbers GetAfter(uint32_t number) const
    {
        const uint32_t begin = number == 0 ? 0 : m_operations[number - 1].afterEnd;
        return {m_after.data() + begin, m_after.data() + m_operations[number].afterEnd};
    }

    /// @param number the number of an operation of kind COLLECTIVE
    /// @return the collective that the operation is a part of
    const RankCollective& GetCollective(uint32_t number) const
    {
        return m_collectives[m_operations[number].amount];
    }

    /// @param number the number of the operation
    /// @return what it is, such as "send of 100 bytes to rank 3 with tag 7"
    std::string Describe(uint32_t number) const;

  private:
    /// last: one more, unless it is MAX_SIZE or among them. @return its number
    uint32_t Add(RankOperation operation,
                 const std::vector<uint32_t>& after,
                 uint32_t last = MAX_SIZE);

    std::vector<RankOperation> m_operations;   //!< the operations
    std::vector<uint32_t> m_after;             //!< what each of them waits for
    std::vector<RankCollective> m_collectives; //!< the collectives

    /// By group, the operation of its last collective.
    std::map<const void*, uint32_t> m_lastOfGroup;
};

} // namespace ns3::aidc

#endif // AIDC_RANK_PROGRAM_H
