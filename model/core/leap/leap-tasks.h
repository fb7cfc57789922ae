// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LEAP_TASKS_H
#define AIDC_LEAP_TASKS_H

#include "ns3/workload-plan.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// What a workload hands to the network: its collectives, and its messages outside of them.
///
/// Each is a task. Tasks of a *family* have the same members, bytes and algorithm. Tasks of a
/// *kind* are of a family, and their ranks have done the same before them, and do the same next to
/// them: what the operations wait for is of the same families and lengths, and so are the tasks
/// that wait for the same. So an all-to-all next to gradients is of another kind than the same
/// all-to-all alone.
///
/// A collective has an end at each member. A message has two: at the sender, when it is
/// acknowledged, and at the receiver, when it is there.
class LeapTasks
{
  public:
    /// No task.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /// A task.
    struct Task
    {
        uint32_t family{0};    //!< its family
        uint32_t kind{0};      //!< its kind
        uint32_t from{NONE};   //!< of a message: who sends
        uint32_t to{NONE};     //!< of a message: who receives
        uint32_t tag{0};       //!< of a message
        uint32_t operation{0}; //!< the operation of the sender, or of the first member
        uint32_t round{0};     //!< how many of its family come before

        /// @return whether it is a message
        bool IsMessage() const
        {
            return from != NONE;
        }
    };

    /// Tasks with the same members, bytes and algorithm.
    struct Family
    {
        std::vector<uint32_t> ranks; //!< who has an end: members, or sender and receiver
        std::vector<uint32_t> tasks; //!< its tasks, in their order
        std::vector<uint32_t> kinds; //!< its kinds
        uint32_t nStarts{0};         //!< how many start: members, or the sender
        uint32_t job{0};             //!< jobs are ranks that depend on each other
        uint32_t likeness{NONE}; //!< collectives of other ranks that do the same have this; or none
        bool isOrdered{true};    //!< whether all messages of the same ends and tag have its bytes
    };

    /// @param plan the programs, which outlive this object
    explicit LeapTasks(const WorkloadPlan& plan);

    /// @param rank the rank
    /// @param operation the number of its operation
    /// @return its task; NONE for a computation and a receive
    uint32_t Find(uint32_t rank, uint32_t operation) const
    {
        return m_tasks[rank][operation];
    }

    /// @return the member of its task that an operation is
    uint32_t GetMember(uint32_t rank, uint32_t operation) const
    {
        const RankProgram& program = m_plan.GetProgram(rank);
        return program.Get(operation).kind == RankOperationKind::COLLECTIVE
                   ? program.GetCollective(operation).member
                   : 0;
    }

    /// @return the rank and operation of an end of a task; a receiver has no operation here
    std::pair<uint32_t, uint32_t> GetOperation(uint32_t task, uint32_t member) const
    {
        const Task& known = m_list[task];
        const uint32_t operation = known.IsMessage() ? known.operation : m_places[task][member];
        return {m_families[known.family].ranks[member], operation};
    }

    /// @return the task
    const Task& Get(uint32_t task) const
    {
        return m_list[task];
    }

    /// @return by bytes, the families of messages with these ends and this tag
    std::map<uint64_t, uint32_t> FindSizes(uint32_t from, uint32_t to, uint32_t tag) const
    {
        const auto found = m_messages.find({from, to, tag});
        return found == m_messages.end() ? std::map<uint64_t, uint32_t>() : found->second;
    }

    /// @return the number of tasks
    std::size_t GetN() const
    {
        return m_list.size();
    }

    /// @return the families
    const std::vector<Family>& GetFamilies() const
    {
        return m_families;
    }

    /// @return by kind, its family
    const std::vector<uint32_t>& GetFamilyOf() const
    {
        return m_familyOf;
    }

    /// @return such as "all-reduce of 64000000 bytes among 16 ranks"
    std::string Describe(uint32_t family) const;

    /// Who sends to whom.
    struct Ways
    {
        std::vector<std::pair<uint32_t, uint32_t>> ends; //!< senders and receivers, each pair once
        std::vector<uint64_t> bytes;                     //!< of each, in all messages of a task
    };

    /// Get who sends to whom.
    /// @param family the family
    /// @return the ways of its tasks, by members
    Ways GetWays(uint32_t family) const;

  private:
    /// What makes families and kinds.
    class Maker;

    const WorkloadPlan& m_plan;                  //!< the programs
    std::vector<std::vector<uint32_t>> m_tasks;  //!< by rank and operation
    std::vector<Task> m_list;                    //!< by number
    std::vector<std::vector<uint32_t>> m_places; //!< of collectives: by member, the operation
    std::vector<Family> m_families;              //!< by number
    std::vector<uint32_t> m_familyOf;            //!< by kind

    /// By senders, receivers and tags, FindSizes().
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::map<uint64_t, uint32_t>> m_messages;
};

} // namespace ns3::aidc

#endif // AIDC_LEAP_TASKS_H
