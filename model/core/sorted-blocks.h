/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SORTED_BLOCKS_H
#define AIDC_SORTED_BLOCKS_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::SortedBlocks.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Values sorted by their keys, in blocks of memory: a B+ tree of two levels.
 *
 * It is for many values that come in anywhere, mostly behind all others, and leave at the front.
 * What is near one another in order is so in memory, where std::map has each value somewhere else:
 * a search reads a few lines of memory, to visit the first values two or three.
 *
 * A search takes the logarithm of the number n of values, an insertion moves half a block at most,
 * and one in some dozens moves the list of blocks. That has n / 32 or fewer, and more only if
 * values were removed from within.
 *
 * @tparam Key what is compared, by <: trivially copyable
 * @tparam Value what belongs to a key: trivially copyable
 */
template <typename Key, typename Value>
class SortedBlocks
{
  public:
    /// A value and its key.
    struct Entry
    {
        Key key;     ///< the key
        Value value; ///< the value
    };

    /**
     * @brief Tell whether there is nothing.
     * @return whether there is nothing
     */
    bool IsEmpty() const
    {
        return m_blocks.empty();
    }

    /**
     * @brief Add a value.
     * @param key its key
     * @param value the value
     * @return false if there is one of this key already; nothing has changed then
     */
    bool Insert(const Key& key, const Value& value);

    /**
     * @brief Get the first value.
     * @return the entry of the smallest key; there must be one
     */
    const Entry& GetFront() const
    {
        return *m_blocks.front().block->begin;
    }

    /// Remove the first value; there must be one.
    void PopFront();

    /**
     * @brief Remove a value.
     * @param key its key
     * @return false if there is none
     */
    bool Remove(const Key& key);

    /**
     * @brief Visit the first values in order.
     * @tparam Visit a callable: std::size_t place, from 0 on; const Value& value
     * @param n how many; fewer if there are not as many
     * @param visit called for each of them; must not change what is here
     */
    template <typename Visit>
    void VisitFirst(std::size_t n, const Visit& visit) const;

  private:
    /// The most entries of a block.
    static constexpr std::size_t BLOCK_SIZE = 64;

    /// Some entries, of which there is at least one.
    struct Block
    {
        std::array<Entry, BLOCK_SIZE> entries; ///< memory for entries
        Entry* begin{entries.data()};          ///< the first one
        Entry* end{entries.data()};            ///< behind the last one
    };

    /// A block in the order of all.
    struct Place
    {
        Key last;                     ///< the key of its last entry
        std::unique_ptr<Block> block; ///< the block
    };

    using Places = std::vector<Place>;

    /**
     * @brief Find the block in which a key is, or the next greater one.
     * @param key the key
     * @return the block, the end if all keys are smaller
     */
    typename Places::iterator FindPlace(const Key& key)
    {
        return std::lower_bound(m_blocks.begin(),
                                m_blocks.end(),
                                key,
                                [](const Place& place, const Key& k) { return place.last < k; });
    }

    /**
     * @brief Find a key in a block, or the next greater one.
     * @param block the block
     * @param key the key
     * @return the entry, the block's end if all keys are smaller
     */
    static Entry* FindEntry(const Block& block, const Key& key)
    {
        return std::lower_bound(block.begin, block.end, key, [](const Entry& entry, const Key& k) {
            return entry.key < k;
        });
    }

    /**
     * @brief Make a block.
     * @return a block without entries
     */
    std::unique_ptr<Block> MakeBlock();

    /**
     * @brief Remove a block.
     * @param place where it is
     */
    void RemoveBlock(typename Places::iterator place);

    /**
     * @brief Add a value behind all others.
     * @param entry the value and its key
     */
    void Append(const Entry& entry);

    /**
     * @brief Move the second half of a full block into a new one behind it.
     * @param place where it is
     * @return where it is now
     */
    typename Places::iterator Split(typename Places::iterator place);

    Places m_blocks;                             ///< the blocks, by ascending keys
    std::vector<std::unique_ptr<Block>> m_spare; ///< blocks to be used again
};

template <typename Key, typename Value>
bool
SortedBlocks<Key, Value>::Insert(const Key& key, const Value& value)
{
    if (m_blocks.empty() || m_blocks.back().last < key)
    {
        Append({key, value});
        return true;
    }
    auto place = FindPlace(key);
    Entry* entry = FindEntry(*place->block, key);
    if (!(key < entry->key))
    {
        return false;
    }
    if (place->block->end - place->block->begin == BLOCK_SIZE)
    {
        place = Split(place);
        place += place->last < key ? 1 : 0;
        entry = FindEntry(*place->block, key);
    }
    Block& block = *place->block;
    const bool hasRoomInFront = block.begin > block.entries.data();
    const bool hasRoomBehind = block.end < block.entries.data() + BLOCK_SIZE;
    if (hasRoomInFront && (!hasRoomBehind || entry - block.begin < block.end - entry))
    {
        std::move(block.begin, entry, block.begin - 1);
        --block.begin;
        --entry;
    }
    else
    {
        std::move_backward(entry, block.end, block.end + 1);
        ++block.end;
    }
    *entry = {key, value};
    return true;
}

template <typename Key, typename Value>
void
SortedBlocks<Key, Value>::Append(const Entry& entry)
{
    if (m_blocks.empty() ||
        m_blocks.back().block->end == m_blocks.back().block->entries.data() + BLOCK_SIZE)
    {
        m_blocks.push_back({entry.key, MakeBlock()});
    }
    auto& place = m_blocks.back();
    *place.block->end++ = entry;
    place.last = entry.key;
}

template <typename Key, typename Value>
void
SortedBlocks<Key, Value>::PopFront()
{
    Block& block = *m_blocks.front().block;
    if (++block.begin == block.end)
    {
        RemoveBlock(m_blocks.begin());
    }
}

template <typename Key, typename Value>
bool
SortedBlocks<Key, Value>::Remove(const Key& key)
{
    const auto place = FindPlace(key);
    if (place == m_blocks.end())
    {
        return false;
    }
    Block& block = *place->block;
    Entry* entry = FindEntry(block, key);
    if (key < entry->key)
    {
        return false;
    }
    std::move(entry + 1, block.end, entry);
    --block.end;
    if (block.begin == block.end)
    {
        RemoveBlock(place);
    }
    else
    {
        place->last = (block.end - 1)->key;
    }
    return true;
}

template <typename Key, typename Value>
template <typename Visit>
void
SortedBlocks<Key, Value>::VisitFirst(std::size_t n, const Visit& visit) const
{
    std::size_t i = 0;
    for (const auto& place : m_blocks)
    {
        for (const Entry* entry = place.block->begin; entry != place.block->end; ++entry)
        {
            if (i == n)
            {
                return;
            }
            visit(i++, entry->value);
        }
    }
}

template <typename Key, typename Value>
std::unique_ptr<typename SortedBlocks<Key, Value>::Block>
SortedBlocks<Key, Value>::MakeBlock()
{
    if (m_spare.empty())
    {
        return std::make_unique<Block>();
    }
    auto block = std::move(m_spare.back());
    m_spare.pop_back();
    block->begin = block->end = block->entries.data();
    return block;
}

template <typename Key, typename Value>
void
SortedBlocks<Key, Value>::RemoveBlock(typename Places::iterator place)
{
    m_spare.push_back(std::move(place->block));
    m_blocks.erase(place);
}

template <typename Key, typename Value>
typename SortedBlocks<Key, Value>::Places::iterator
SortedBlocks<Key, Value>::Split(typename Places::iterator place)
{
    const auto index = place - m_blocks.begin();
    auto second = MakeBlock();
    Block& first = *place->block;
    Entry* middle = first.begin + (first.end - first.begin) / 2;
    second->end = std::copy(middle, first.end, second->begin);
    first.end = middle;
    const Key last = std::exchange(place->last, (middle - 1)->key);
    m_blocks.insert(place + 1, {last, std::move(second)});
    return m_blocks.begin() + index;
}

} // namespace ns3::aidc

#endif // AIDC_SORTED_BLOCKS_H
