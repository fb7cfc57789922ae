// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PREFIX_TABLE_H
#define AIDC_PREFIX_TABLE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Values of IPv4 prefixes, found by the longest match.
///
/// One hash table with linear probing holds the prefixes of all lengths. A search for an address
/// probes it once for each length in use, the longest one first: two or three times in a fabric, 33
/// times at most, whatever the number of prefixes. An empty table has no heap memory. Otherwise
/// there are between 4/3 and 8/3 slots a prefix, at least 4 in all, each of 8 bytes and the value.
/// Remove() frees no memory, Clear() does.
///
/// Pointers to values are valid until the next Insert, Remove or Clear.
/// @tparam Value the value of a prefix: default constructible, copyable, preferably small
template <typename Value>
class PrefixTable
{
  public:
    /// Add a prefix, or replace its value.
    /// @param network the network in host byte order
    /// @param length the length of the prefix in bits, at most 32
    /// @param value the value
    /// @throws std::invalid_argument if the length is above 32 or bits beyond it are set; nothing
    ///        has changed then
    void Insert(uint32_t network, uint8_t length, const Value& value)
    {
        Check(network, length);
        Slot slot{network, length, value}; // a copy first: the value may be one of this table
        if (4 * (m_size + 1) > 3 * m_slots.size())
        {
            Grow();
        }
        Slot& place = m_slots[Locate(network, length)];
        if (place.length == FREE)
        {
            ++m_size;
            if (m_nOfLength[length]++ == 0)
            {
                ListLengths();
            }
        }
        place = std::move(slot);
    }

    /// Remove a prefix. network: the network in host byte order; length: the length of the prefix
    /// in bits. @return false if there is none
    bool Remove(uint32_t network, uint8_t length)
    {
        if (!FindExact(network, length))
        {
            return false;
        }
        // Each prefix after the gap, up to a free slot, that may be as far forward moves into it.
        const std::size_t mask = m_slots.size() - 1;
        std::size_t gap = Locate(network, length);
        for (std::size_t i = (gap + 1) & mask; m_slots[i].length != FREE; i = (i + 1) & mask)
        {
            const std::size_t home = GetHome(m_slots[i].network, m_slots[i].length);
            if (((i - home) & mask) >= ((i - gap) & mask))
            {
                m_slots[gap] = std::move(m_slots[i]);
                gap = i;
            }
        }
        m_slots[gap] = Slot{};
        --m_size;
        if (--m_nOfLength[length] == 0)
        {
            ListLengths();
        }
        return true;
    }

    /// Find the value of the longest prefix of an address. @param address the address in host byte
    /// order @return the value, null if no prefix matches
    const Value* Find(uint32_t address) const
    {
        return Find(address, [](const Value&) { return true; });
    }

    /// Find the value of the longest prefix of an address that has a usable value.
    /// @tparam Usable a callable: const Value& -> bool
    /// @param address the address in host byte order
    /// @param usable says whether a value is usable; asked of matches only, the longest one first
    /// @return the value, null if no usable prefix matches
    template <typename Usable>
    const Value* Find(uint32_t address, const Usable& usable) const
    {
        for (uint32_t i = 0; i < m_nLengths; ++i)
        {
            const uint8_t length = m_lengths[i];
            const Value* value = FindExact(address & GetMask(length), length);
            if (value && usable(*value))
            {
                return value;
            }
        }
        return nullptr;
    }

    /// Find the value of a prefix itself. network: the network in host byte order; length: the
    /// length of the prefix in bits. @return the value, null if there is no such prefix
    const Value* FindExact(uint32_t network, uint8_t length) const
    {
        if (m_size == 0 || length > MAX_LENGTH)
        {
            return nullptr;
        }
        const Slot& slot = m_slots[Locate(network, length)];
        return slot.length == FREE ? nullptr : &slot.value;
    }

    /// @return the number of prefixes
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// Remove all prefixes and give their memory back.
    void Clear()
    {
        *this = PrefixTable();
    }

    /// Visit all prefixes by ascending network, then by ascending length.
    /// @param visit called for each prefix; must not change the table
    template <typename Visit>
    void ForEach(const Visit& visit) const
    {
        std::vector<const Slot*> used;
        used.reserve(m_size);
        for (const auto& slot : m_slots)
        {
            if (slot.length != FREE)
            {
                used.push_back(&slot);
            }
        }
        std::sort(used.begin(), used.end(), [](const Slot* a, const Slot* b) {
            return a->network != b->network ? a->network < b->network : a->length < b->length;
        });
        for (const Slot* slot : used)
        {
            visit(slot->network, slot->length, slot->value);
        }
    }

  private:
    /// The longest prefix in bits.
    static constexpr uint8_t MAX_LENGTH = 32;
    /// The length of a slot without a prefix.
    static constexpr uint8_t FREE = 0xff;
    /// The number of slots of the smallest table that is not empty.
    static constexpr std::size_t MIN_SLOTS = 4;

    /// A place for a prefix.
    struct Slot
    {
        uint32_t network{0};  //!< the network
        uint8_t length{FREE}; //!< the length of the prefix in bits, or FREE
        Value value{};        //!< the value
    };

    /// @param length the length of the prefix in bits, at most 32 @return a network mask
    static uint32_t GetMask(uint8_t length)
    {
        return length == 0 ? 0 : ~uint32_t{0} << (MAX_LENGTH - length);
    }

    /// @return the index of the slot where the search for a prefix of some bits begins
    std::size_t GetHome(uint32_t network, uint8_t length) const
    {
        // Fibonacci hashing (Knuth, volume 3, section 6.4): networks in a row are spread evenly.
        constexpr uint64_t GOLDEN_RATIO = 0x9e3779b97f4a7c15;
        return static_cast<std::size_t>((((uint64_t{length} << 32) | network) * GOLDEN_RATIO) >>
                                        m_shift);
    }

    /// Get a prefix's slot, or the free one that it would go to; one must be free.
    std::size_t Locate(uint32_t network, uint8_t length) const
    {
        std::size_t i = GetHome(network, length);
        while (m_slots[i].length != FREE &&
               (m_slots[i].network != network || m_slots[i].length != length))
        {
            i = (i + 1) & (m_slots.size() - 1);
        }
        return i;
    }

    /// @throws std::invalid_argument if the length is above 32 or bits beyond it are set
    static void Check(uint32_t network, uint8_t length)
    {
        if (length > MAX_LENGTH)
        {
            throw std::invalid_argument("prefix length: expected 0 to 32, found " +
                                        std::to_string(length));
        }
        if ((network & ~GetMask(length)) != 0)
        {
            throw std::invalid_argument(
                "prefix: expected no bits beyond its length, found " +
                std::to_string(network >> 24) + '.' + std::to_string((network >> 16) & 0xff) + '.' +
                std::to_string((network >> 8) & 0xff) + '.' + std::to_string(network & 0xff) + '/' +
                std::to_string(length));
        }
    }

    void Grow()
    {
        std::vector<Slot> old(std::max(MIN_SLOTS, 2 * m_slots.size()));
        old.swap(m_slots);
        m_shift = 64;
        for (std::size_t size = m_slots.size(); size > 1; size /= 2)
        {
            --m_shift;
        }
        for (auto& slot : old)
        {
            if (slot.length != FREE)
            {
                m_slots[Locate(slot.network, slot.length)] = std::move(slot);
            }
        }
    }

    /// Set m_lengths from m_nOfLength.
    void ListLengths()
    {
        m_nLengths = 0;
        for (uint32_t i = 0; i <= MAX_LENGTH; ++i)
        {
            const auto candidate = static_cast<uint8_t>(MAX_LENGTH - i);
            if (m_nOfLength[candidate] > 0)
            {
                m_lengths[m_nLengths++] = candidate;
            }
        }
    }

    // What a look-up touches comes first.
    std::vector<Slot> m_slots;                          //!< a power of two of slots, or none
    std::size_t m_size{0};                              //!< the number of prefixes
    uint32_t m_shift{64};                               //!< bits of a hash that choose no slot
    uint32_t m_nLengths{0};                             //!< the number of lengths in use
    std::array<uint8_t, MAX_LENGTH + 1> m_lengths{};    //!< the lengths in use, longest first
    std::array<uint32_t, MAX_LENGTH + 1> m_nOfLength{}; //!< the number of prefixes of each length
};

} // namespace ns3::aidc

#endif // AIDC_PREFIX_TABLE_H
