// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_VECTOR_FIFO_H
#define AIDC_VECTOR_FIFO_H

#include <cstddef>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// A first-in-first-out queue that allocates no memory before its first element.
///
/// There are many thousands of these queues. A new std::deque takes more than half a kilobyte.
/// @tparam T the type of elements, which can be moved
template <typename T>
class VectorFifo
{
  public:
    /// @return the number of elements
    std::size_t GetSize() const
    {
        return m_items.size() - m_first;
    }

    /// @return whether there is no element
    bool IsEmpty() const
    {
        return GetSize() == 0;
    }

    /// @param i the place of an element, 0 is the oldest @return the element
    T& operator[](std::size_t i)
    {
        return m_items[m_first + i];
    }

    /// @param i the place of an element, 0 is the oldest @return the element
    const T& operator[](std::size_t i) const
    {
        return m_items[m_first + i];
    }

    /// @param item the element to put after the others
    void Push(T item)
    {
        m_items.push_back(std::move(item));
    }

    /// Remove the oldest element. The queue is not empty.
    void Pop()
    {
        ++m_first;
        if (m_first == m_items.size() || (m_first >= MIN_ROOM && 2 * m_first > m_items.size()))
        {
            m_items.erase(m_items.begin(), m_items.begin() + static_cast<std::ptrdiff_t>(m_first));
            m_first = 0;
        }
    }

    /// Remove the newest element. The queue is not empty.
    void PopNewest()
    {
        m_items.pop_back();
        if (m_first == m_items.size())
        {
            Clear();
        }
    }

    /// Remove all.
    void Clear()
    {
        m_items.clear();
        m_first = 0;
    }

  private:
    /// The number of removed elements whose memory is kept.
    static constexpr std::size_t MIN_ROOM = 16;

    std::vector<T> m_items; //!< removed elements, then the others
    std::size_t m_first{0}; //!< the number of removed ones
};

} // namespace ns3::aidc

#endif // AIDC_VECTOR_FIFO_H
