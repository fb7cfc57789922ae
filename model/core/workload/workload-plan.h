// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WORKLOAD_PLAN_H
#define AIDC_WORKLOAD_PLAN_H

#include "collective-schedule.h"
#include "rank-program.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Groups in which each rank is at most once; none if nobody communicates.
using RankGroups = std::vector<RankGroup>;

/// Divide consecutive ranks into groups: blocks of count * distance ranks, by their remainder.
/// @param first the first rank
/// @param n the number of ranks, a multiple of count * distance
/// @param count the ranks of a group
/// @param distance between two of them
/// @return the groups; none if they would have one rank each
RankGroups MakeRankGroups(uint32_t first, uint32_t n, uint32_t count, uint32_t distance);

/// A part of a workload to which operations of several ranks belong, such as a collective.
struct WorkloadItem
{
    /// No number after the name.
    static constexpr uint32_t NO_NUMBER = std::numeric_limits<uint32_t>::max();

    /// The name, or its beginning, which many collectives of a step share.
    std::shared_ptr<const std::string> name;
    std::optional<CollectiveSchedule> collective; //!< the collective, if it is one
    uint32_t number{NO_NUMBER};                   //!< the end of its name

    /// @return its name
    std::string GetName() const
    {
        return *name + (number == NO_NUMBER ? "" : std::to_string(number));
    }
};

/// The programs of all ranks.
///
/// The label of each operation is the number of an item.
class WorkloadPlan
{
  public:
    /// The greatest number of ranks.
    static constexpr uint32_t MAX_RANKS = 1U << 20;
    /// A user chooses tags below this one; TakeTags() gives this one and tags above it.
    static constexpr uint32_t FIRST_TAG = 1U << 31;

    /// @param nRanks the number of ranks, from 1 to MAX_RANKS
    /// @throws std::invalid_argument if it is out of range
    explicit WorkloadPlan(uint32_t nRanks);

    /// @return the number of the new item, counted from 0
    uint32_t AddItem(const std::string& name,
                     const std::optional<CollectiveSchedule>& collective = std::nullopt)
    {
        m_items.push_back({std::make_shared<const std::string>(name), collective});
        return static_cast<uint32_t>(m_items.size() - 1);
    }

    /// Get n tags that nobody else has. @return the first one
    /// @throws std::invalid_argument if there are not enough
    uint32_t TakeTags(uint32_t n);

    /// Add a collective as an item, and its operations.
    /// @param item the item
    /// @param ranks the rank of each member, below the number of ranks
    /// @param after by member, the operations of its rank that it waits for
    /// @return by member, the number of its rank's operation
    /// @throws std::invalid_argument if there is no such rank, or one is there twice
    std::vector<uint32_t> AddCollective(const WorkloadItem& item,
                                        const RankGroup& ranks,
                                        const std::vector<std::vector<uint32_t>>& after);

    /// The same, of an item with this name and this collective.
    std::vector<uint32_t> AddCollective(const std::string& name,
                                        const CollectiveSchedule& schedule,
                                        const RankGroup& ranks,
                                        const std::vector<std::vector<uint32_t>>& after);

    /// Add a message from a rank to another one. item: which one it belongs to; afterFrom, afterTo:
    /// the operations that the sending and the receiving one wait for; hasCredit: whether it waits
    /// for a credit of the receiving one (see RankProgram::AddSendWithCredit()).
    /// @return the numbers of the operations that send and receive
    /// @throws std::invalid_argument if there are no two such ranks
    std::pair<uint32_t, uint32_t> AddMessage(uint32_t item,
                                             uint32_t from,
                                             uint32_t to,
                                             uint64_t bytes,
                                             uint32_t tag,
                                             const std::vector<uint32_t>& afterFrom,
                                             const std::vector<uint32_t>& afterTo,
                                             bool hasCredit = false);

    /// Add the ranks of another plan after the ranks of this plan, as another job: no rank of one
    /// plan waits for, or sends to, a rank of the other plan.
    /// @param other the other plan; its items follow this plan's items, too, and groups stay groups
    /// @throws std::invalid_argument if both have more than MAX_RANKS ranks; nothing is added then
    void Append(WorkloadPlan other);

    /// @return the number of ranks
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_programs.size());
    }

    /// @return the program of the rank
    RankProgram& GetProgram(uint32_t rank)
    {
        return m_programs[rank];
    }

    /// @return the program of the rank
    const RankProgram& GetProgram(uint32_t rank) const
    {
        return m_programs[rank];
    }

    /// @return the items, by number
    const std::vector<WorkloadItem>& GetItems() const
    {
        return m_items;
    }

    /// Tell which operation of a rank it is, for a message to the user. @return its rank, number,
    /// item and what it does
    std::string Describe(uint32_t rank, uint32_t number) const;

    /// Check that the programs fit together, so that all of them come to an end.
    ///
    /// Messages are between different ranks that exist; each message sent is received with the
    /// expected size, and the reverse; all members take part in each collective; and no operations
    /// wait for each other in a circle, where a collective counts as waiting for all of its
    /// members.
    /// @throws std::invalid_argument that names the rank and the operation
    void Check() const;

  private:
    /// Check that ranks of a collective exist, each once.
    void CheckRanks(const RankGroup& ranks);

    std::vector<RankProgram> m_programs;          //!< by rank
    std::vector<WorkloadItem> m_items;            //!< by number
    uint32_t m_nextTag{FIRST_TAG};                //!< the next tag to take
    std::unordered_set<RankGroup> m_checkedRanks; //!< ranks that exist, each once
};

} // namespace ns3::aidc

#endif // AIDC_WORKLOAD_PLAN_H
