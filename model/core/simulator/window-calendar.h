// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WINDOW_CALENDAR_H
#define AIDC_WINDOW_CALENDAR_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// @file
/// How the events of time windows wait and are sorted.

namespace ns3::aidc
{

/// The place of an event among the events of its node, and among the events without a node.
///
/// It is made of what every way of running the simulation agrees on: when the event happens, when
/// it was scheduled, and by whom. The order in which a simulator happens to reach two nodes is not
/// in it. For events scheduled by one node, or by events without a node, it is the order of
/// scheduling, as in ns-3's default simulator.
struct EventOrder
{
    uint64_t time{0};      //!< when the event happens, in time steps
    uint64_t scheduled{0}; //!< when it was scheduled, in time steps
    uint32_t phase{0};     //!< how many events without a node had been run then
    uint32_t scheduler{0}; //!< who scheduled it: 0 for an event without a node, a node's id plus 1
    uint64_t number{0};    //!< counts what the simulator has been given, from 1
};

/// Tell whether an event comes before another one.
/// @param a the event
/// @param b the other one
/// @return whether it does
inline bool
operator<(const EventOrder& a, const EventOrder& b)
{
    if (a.time != b.time)
    {
        return a.time < b.time;
    }
    if (a.scheduled != b.scheduled)
    {
        return a.scheduled < b.scheduled;
    }
    if (a.phase != b.phase)
    {
        return a.phase < b.phase;
    }
    if (a.scheduler != b.scheduler)
    {
        return a.scheduler < b.scheduler;
    }
    return a.number < b.number;
}

/// A heap of items, any of which can also be found and removed, in linear time.
///
/// std::priority_queue has everything but that.
/// @tparam T the type of the items
/// @tparam Before a callable that tells whether one item comes out before another one
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
        bool operator()(const T& a, const T& b) const
        {
            return Before()(b, a);
        }
    };

    std::vector<T> m_items; //!< the items
};

/// Items that wait for their windows of time, in no order within a window.
///
/// Windows are numbered. Adding an item takes constant time, or the logarithm of the number of
/// windows for items N_NEAR windows away and more. Windows without items cost nothing.
/// @tparam T the type of the items
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
    /// The next windows that get the memory of windows that are over.
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

/// Sort items by node; the items of a node keep their order.
///
/// It takes linear time (a counting sort) unless the nodes' ids are much larger than the number of
/// items.
/// @tparam T the type of the items
/// @tparam GetNode the type of getNode
/// @param [in,out] items the items
/// @param [in,out] memory used to sort; of any content
/// @param [in,out] places used to sort; of any content
/// @param getNode takes an item and returns the id of its node
template <typename T, typename GetNode>
void
SortByNode(std::vector<T>& items,
           std::vector<T>& memory,
           std::vector<uint32_t>& places,
           const GetNode& getNode)
{
    constexpr std::size_t PER_ITEM = 8; // beyond that, most of the counters would be for nothing
    uint32_t last = 0;
    for (const auto& item : items)
    {
        last = std::max(last, getNode(item));
    }
    if (last / PER_ITEM > items.size())
    {
        std::stable_sort(items.begin(), items.end(), [&getNode](const T& a, const T& b) {
            return getNode(a) < getNode(b);
        });
        return;
    }
    places.assign(last + std::size_t{1}, 0);
    for (const auto& item : items)
    {
        ++places[getNode(item)];
    }
    uint32_t place = 0;
    for (auto& entry : places)
    {
        const uint32_t n = entry;
        entry = place;
        place += n;
    }
    memory.resize(items.size());
    for (const auto& item : items)
    {
        memory[places[getNode(item)]++] = item;
    }
    items.swap(memory);
}

} // namespace ns3::aidc

#endif // AIDC_WINDOW_CALENDAR_H
