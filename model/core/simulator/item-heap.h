/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ITEM_HEAP_H
#define AIDC_ITEM_HEAP_H

#include <algorithm>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief A heap of items, of which one may also be found and removed, in linear time.
 *
 * std::priority_queue has all of it but that.
 *
 * @tparam T the type of the items
 * @tparam Before a callable that tells whether one item comes out before another one
 */
template <typename T, typename Before>
class ItemHeap
{
  public:
    /// Add an item. @param item the item
    void Push(const T& item)
    {
        m_items.push_back(item);
        std::push_heap(m_items.begin(), m_items.end(), After());
    }

    /// Add many items at once. @param items the items
    void PushAll(const std::vector<T>& items)
    {
        m_items.insert(m_items.end(), items.begin(), items.end());
        std::make_heap(m_items.begin(), m_items.end(), After());
    }

    /// Get the first item. @return the item; there must be one
    const T& GetFirst() const
    {
        return m_items.front();
    }

    /// Take the first item. @return the item; there must be one
    T Pop()
    {
        std::pop_heap(m_items.begin(), m_items.end(), After());
        const T item = m_items.back();
        m_items.pop_back();
        return item;
    }

    /// Tell whether there are no items. @return whether there are none
    bool IsEmpty() const
    {
        return m_items.empty();
    }

    /// Get all items. @return the items, in no order
    const std::vector<T>& GetAll() const
    {
        return m_items;
    }

    /// Take all items. @param items takes the items, in no order; its former items are dropped
    void TakeAll(std::vector<T>& items)
    {
        items.clear();
        items.swap(m_items);
    }

    /// Find an item and remove it. @param match tells whether it is the one @return whether there
    /// was one
    template <typename Match>
    bool Remove(Match&& match)
    {
        const auto found = std::find_if(m_items.begin(), m_items.end(), match);
        if (found == m_items.end())
        {
            return false;
        }
        *found = m_items.back();
        m_items.pop_back();
        std::make_heap(m_items.begin(), m_items.end(), After());
        return true;
    }

  private:
    /// What the standard library's heaps are ordered by: their first item is the greatest one.
    struct After
    {
        /// Compare two items. @return whether a comes out after b
        bool operator()(const T& a, const T& b) const
        {
            return Before()(b, a);
        }
    };

    std::vector<T> m_items; //!< the items
};

} // namespace ns3::aidc

#endif // AIDC_ITEM_HEAP_H
