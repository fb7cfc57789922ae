/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_INDEX_H
#define AIDC_FABRIC_INDEX_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <utility>
#include <vector>

/**
 * @file
 * The numbers of the nodes, ports and links of a FabricPlan, as types that do not mix.
 */

namespace ns3::aidc
{

/**
 * @brief The number of an element of a FabricPlan, from 0.
 *
 * Conversions from and to numbers are explicit, and there is no arithmetic: a port plus 1 is not a
 * port, and a port is not a node.
 *
 * @tparam Element the type of numbered elements
 */
template <typename Element>
struct FabricIndex
{
    /// Constructor of the first one.
    constexpr FabricIndex() = default;

    /// Constructor. @param number the number
    explicit constexpr FabricIndex(uint32_t number)
        : value(number)
    {
    }

    /// Advance to the next one. @return the next one
    FabricIndex& operator++()
    {
        ++value;
        return *this;
    }

    /// Tell whether two are the same.
    /// @param a one
    /// @param b the other one
    /// @return whether they are
    friend constexpr bool operator==(FabricIndex a, FabricIndex b)
    {
        return a.value == b.value;
    }

    /// Tell whether two differ.
    /// @param a one
    /// @param b the other one
    /// @return whether they do
    friend constexpr bool operator!=(FabricIndex a, FabricIndex b)
    {
        return a.value != b.value;
    }

    /// Tell which one is first.
    /// @param a one
    /// @param b the other one
    /// @return whether it is a
    friend constexpr bool operator<(FabricIndex a, FabricIndex b)
    {
        return a.value < b.value;
    }

    /// Write the number.
    /// @param os where to
    /// @param index the index
    /// @return where it was written
    friend std::ostream& operator<<(std::ostream& os, FabricIndex index)
    {
        return os << index.value;
    }

    uint32_t value{0}; //!< the number
};

struct FabricNode;
struct FabricPort;
struct FabricLink;

/// The number of a node in its plan.
using NodeIndex = FabricIndex<FabricNode>;
/// The number of a port at its node.
using PortIndex = FabricIndex<FabricPort>;
/// The number of a link in its plan.
using LinkIndex = FabricIndex<FabricLink>;

/// @brief A std::vector that is accessed by one kind of index.
/// @tparam Index the FabricIndex
/// @tparam T the type of items
template <typename Index, typename T>
class IndexedVector
{
  public:
    IndexedVector() = default;

    /// Constructor. @param items the items, by number
    IndexedVector(std::vector<T> items)
        : m_items(std::move(items))
    {
    }

    /// Constructor. @param items the items, by number
    IndexedVector(std::initializer_list<T> items)
        : m_items(items)
    {
    }

    /// Constructor. item: what each of them is.
    explicit IndexedVector(std::size_t n, const T& item = T())
        : m_items(n, item)
    {
    }

    /// @param index its index, below GetEnd() @return the item
    T& operator[](Index index)
    {
        return m_items[index.value];
    }

    /// @param index its index, below GetEnd() @return the item
    const T& operator[](Index index) const
    {
        return m_items[index.value];
    }

    /// @return the item @throws std::out_of_range if there is none
    const T& at(Index index) const
    {
        return m_items.at(index.value);
    }

    /// Add an item.
    Index Add(T item)
    {
        m_items.push_back(std::move(item));
        return Index(static_cast<uint32_t>(m_items.size() - 1));
    }

    /// Get the index after the last one. @return the index, which no item has
    Index GetEnd() const
    {
        return Index(static_cast<uint32_t>(m_items.size()));
    }

    /// @return the items, by number
    const std::vector<T>& GetItems() const
    {
        return m_items;
    }

    /// @return the number of items
    std::size_t size() const
    {
        return m_items.size();
    }

    /// @return whether there is no item
    bool empty() const
    {
        return m_items.empty();
    }

    /// @return the first item
    const T& front() const
    {
        return m_items.front();
    }

    /// @return the last item
    const T& back() const
    {
        return m_items.back();
    }

    /// Begin a loop. @return the first item
    auto begin()
    {
        return m_items.begin();
    }

    /// Begin a loop. @return the first item
    auto begin() const
    {
        return m_items.begin();
    }

    /// End a loop. @return what is after the last item
    auto end()
    {
        return m_items.end();
    }

    /// End a loop. @return what is after the last item
    auto end() const
    {
        return m_items.end();
    }

  private:
    std::vector<T> m_items; //!< the items
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_INDEX_H
