/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WINDOW_CALENDAR_H
#define AIDC_WINDOW_CALENDAR_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief Items that wait for their windows of time, in no order within a window.
 *
 * Windows are numbered. To add an item takes constant time, or the logarithm of the number of
 * windows for those N_NEAR windows away and more. Windows without items cost nothing.
 *
 * @tparam T the type of the items
 */
template <typename T>
class WindowCalendar
{
  public:
    /// The windows, from the first that is left, that are found without a search.
    static constexpr uint64_t N_NEAR = 64;

    /// Add an item. window: its window, no earlier than the one that was taken last.
    void Insert(uint64_t window, const T& item)
    {
        ++m_size;
        if (window - m_first >= N_NEAR)
        {
            m_far[window].push_back(item);
            return;
        }
        auto& items = m_near[window % N_NEAR];
        if (items.capacity() == 0 && window <= m_first + N_SPARE && !m_spare.empty())
        {
            // Most items are for the next windows, which need as much memory as the last ones.
            items.swap(m_spare.back());
            m_spare.pop_back();
        }
        items.push_back(item);
        ++m_nNear;
    }

    /// Tell whether there are no items. @return whether there are none
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// Get the first window that has items. @return the window; there must be items
    uint64_t GetFirst() const
    {
        if (m_nNear == 0)
        {
            return m_far.begin()->first;
        }
        uint64_t window = m_first;
        while (m_near[window % N_NEAR].empty())
        {
            ++window;
        }
        return window;
    }

    /// Take the items of the first window that has any. items: takes the items, in the order in
    /// which they were added; what it had is dropped, and its memory used again.
    void Take(uint64_t window, std::vector<T>& items)
    {
        items.clear();
        auto& near = m_near[window % N_NEAR];
        if (window - m_first < N_NEAR)
        {
            m_nNear -= near.size();
            items.swap(near);
            if (near.capacity() > 0 && m_spare.size() < N_SPARE)
            {
                m_spare.push_back(std::move(near));
            }
            near = {};
        }
        m_first = window;
        Approach(items);
        m_size -= items.size();
    }

    /// match: tells whether it is the one. @return whether there was one
    template <typename Match>
    bool Remove(uint64_t window, Match&& match)
    {
        auto* items = Find(window);
        if (!items)
        {
            return false;
        }
        const auto found = std::find_if(items->begin(), items->end(), match);
        if (found == items->end())
        {
            return false;
        }
        items->erase(found);
        --m_size;
        if (window - m_first < N_NEAR)
        {
            --m_nNear;
        }
        else if (items->empty())
        {
            m_far.erase(window);
        }
        return true;
    }

    /// Look at all items of a window. match: tells whether an item is looked for. @return whether
    /// there is one
    template <typename Match>
    bool Has(uint64_t window, Match&& match) const
    {
        const auto* items = const_cast<WindowCalendar*>(this)->Find(window);
        return items && std::any_of(items->begin(), items->end(), match);
    }

  private:
    /// The next windows that get the memory of those that are over.
    static constexpr uint64_t N_SPARE = 2;

    /// @return the items, null if there are none
    std::vector<T>* Find(uint64_t window)
    {
        if (window - m_first < N_NEAR)
        {
            return &m_near[window % N_NEAR];
        }
        const auto found = m_far.find(window);
        return found == m_far.end() ? nullptr : &found->second;
    }

    /// Move the windows that have come near to where they are found without a search.
    void Approach(std::vector<T>& items)
    {
        while (!m_far.empty() && m_far.begin()->first - m_first < N_NEAR)
        {
            auto& [window, far] = *m_far.begin();
            if (window == m_first)
            {
                items.swap(far);
            }
            else
            {
                m_nNear += far.size();
                m_near[window % N_NEAR].swap(far);
            }
            m_far.erase(m_far.begin());
        }
    }

    uint64_t m_first{0};                       //!< the window that was taken last
    std::array<std::vector<T>, N_NEAR> m_near; //!< the items of windows from m_first on
    std::map<uint64_t, std::vector<T>> m_far;  //!< the items of later windows
    std::vector<std::vector<T>> m_spare;       //!< memory of windows that are over
    std::size_t m_nNear{0};                    //!< the items in m_near
    std::size_t m_size{0};                     //!< the items
};

} // namespace ns3::aidc

#endif // AIDC_WINDOW_CALENDAR_H
