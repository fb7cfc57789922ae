// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOWLET_TABLE_H
#define AIDC_FLOWLET_TABLE_H

#include "../require-argument.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Keeps the packets of a flow on one member while they follow each other closely.
///
/// A flowlet is a burst of a flow's packets. When the pause before a packet is longer than a gap,
/// at best the difference between the paths' latencies, the packet may take another path without
/// overtaking its predecessors (Kandula, Katabi, Sinha and Berger, "Dynamic load balancing without
/// packet reordering", ACM SIGCOMM CCR 37(2), 2007).
///
/// As in switches, the entry is found by the hash alone: flows whose hashes agree in the lower bits
/// share an entry, and are one flowlet. All memory is taken by the constructor.
class FlowletTable
{
  public:
    /// No member.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /// Constructor. @param nEntries the number of entries, a power of two
    /// @throws std::invalid_argument if it is not a power of two
    explicit FlowletTable(uint32_t nEntries)
    {
        AIDC_REQUIRE(nEntries > 0 && (nEntries & (nEntries - 1)) == 0,
                     "number of flowlet entries: expected a power of two, found " +
                         std::to_string(nEntries));
        m_entries.resize(nEntries);
    }

    /// Get the member of a packet's flowlet; begin a new flowlet if there is none.
    ///
    /// The flowlet continues if its member is usable and the time since the previous packet is at
    /// most the gap. If choose() returns NONE, the next packet chooses again.
    /// @tparam Choose a callable: () -> uint32_t
    /// @tparam Usable a callable: uint32_t member -> bool
    /// @param hash the flow's hash; its lower bits decide
    /// @param now the time of the packet in ns, not before the entry's previous packet
    /// @param gap the longest pause within a flowlet in ns
    /// @param choose chooses the member of a new flowlet, or NONE; called for new flowlets only
    /// @param usable says whether the member of the flowlet before may still be used
    /// @return the member, or NONE if choose() returned it
    template <typename Choose, typename Usable>
    uint32_t Select(uint32_t hash,
                    int64_t now,
                    int64_t gap,
                    const Choose& choose,
                    const Usable& usable)
    {
        Entry& entry = m_entries[hash & (m_entries.size() - 1)];
        if (entry.member == NONE || now - entry.last > gap || !usable(entry.member))
        {
            entry.member = choose();
        }
        entry.last = now;
        return entry.member;
    }

  private:
    /// The flowlet of all hashes with the same lower bits.
    struct Entry
    {
        uint32_t member{NONE}; //!< where it goes, NONE before the first packet
        int64_t last{0};       //!< the time of its last packet in ns
    };

    std::vector<Entry> m_entries; //!< the entries, by the lower bits of the hash
};

} // namespace ns3::aidc

#endif // AIDC_FLOWLET_TABLE_H
