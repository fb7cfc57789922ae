/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_TABLE_H
#define AIDC_FLOW_SET_TABLE_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief An entry of a FlowSetTable: the fields of the draft's section 6.1.
 *
 * An aggregate; value-initialised, it is an invalid entry. Aligned so that an entry never crosses a
 * cache line.
 */
struct alignas(16) FlowSetEntry
{
    int64_t lastUsed;       //!< timestamp for aging: when a packet used it last, in ns
    uint32_t flow;          //!< flow identifier: the hash of the flow that made the entry
    uint16_t port;          //!< egress port
    uint16_t position : 15; //!< a hint: last index of the port in the candidates
    bool isValid : 1;       //!< valid bit
};

static_assert(sizeof(FlowSetEntry) == 16, "an entry takes 16 bytes");

/**
 * @brief The flow table: egress ports of flow sets, looked up by a flow's hash.
 *
 * "The draft" is draft-li-rtgwg-congestion-aware-flowset-switching-00 (February 2026), section 6.1.
 * The table is mapped directly: flows whose hashes are equal modulo its size are one flow set and
 * share an entry. So it never fills up, and a look-up reads one cache line whatever it holds.
 *
 * An entry that was not used for longer than the aging time is invalid. This is detected when it
 * is looked up or counted, without a timer. Times must not go back.
 *
 * Memory (16 bytes a flow set) is allocated at the first look-up: a table that is never used costs
 * none.
 */
class FlowSetTable
{
  public:
    /// The largest number of flow sets.
    static constexpr uint32_t MAX_SIZE = 1U << 28;
    /// Earlier than any time, without overflow in differences.
    static constexpr int64_t LONG_AGO = std::numeric_limits<int64_t>::min() / 2;

    /// Constructor.
    /// @param size the number of flow sets, a power of two, at most MAX_SIZE
    /// @param ageingTime how long an unused entry stays valid, > 0 ns
    /// @throws std::invalid_argument if a value is outside its range
    FlowSetTable(uint32_t size, int64_t ageingTime);

    /// Look up the entry of a flow, valid or not. now: the time in ns, >= 0. @return the entry,
    /// invalid if it is too old; the reference holds until the next Clear()
    FlowSetEntry& Get(uint32_t hash, int64_t now)
    {
        if (m_entries.empty())
        {
            Allocate();
        }
        FlowSetEntry& entry = m_entries[hash & m_mask];
        entry.isValid = IsLive(entry, now);
        return entry;
    }

    /// Note that an entry was moved. The first note allocates memory: 8 bytes a flow set. entry: an
    /// entry of this table; now: the time in ns.
    void NoteMove(const FlowSetEntry& entry, int64_t now);

    /// Forget when an entry was moved. @param entry an entry of this table
    void ForgetMove(const FlowSetEntry& entry)
    {
        if (!m_moves.empty())
        {
            m_moves[&entry - m_entries.data()] = LONG_AGO;
        }
    }

    /// Get the time when an entry was moved last. @param entry an entry of this table @return the
    /// time of the last note in ns, or LONG_AGO
    int64_t GetLastMove(const FlowSetEntry& entry) const
    {
        return m_moves.empty() ? LONG_AGO : m_moves[&entry - m_entries.data()];
    }

    /// Invalidate all entries, and give their memory back (the draft's section 7.1, step 1).
    void Clear();

    /// Count the valid entries that are not too old. This reads all entries. @param now the time in
    /// ns
    uint32_t GetOccupancy(int64_t now) const;

    /// Get the size. @return the number of flow sets
    uint32_t GetSize() const
    {
        return m_mask + 1;
    }

  private:
    /// Tell whether an entry is valid and not too old. now: the time in ns. @return true if it is
    bool IsLive(const FlowSetEntry& entry, int64_t now) const
    {
        return entry.isValid && now - entry.lastUsed <= m_ageingTime;
    }

    /// Make the entries, all invalid.
    void Allocate();

    std::vector<FlowSetEntry> m_entries; //!< the entries, by flow set; none until the first look-up
    std::vector<int64_t> m_moves;        //!< when entries were moved, in ns; none until the first
    uint32_t m_mask;                     //!< the number of flow sets, less 1
    int64_t m_ageingTime;                //!< how long an unused entry stays valid, in ns
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_TABLE_H
