/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_HOT_MEMORY_H
#define AIDC_HOT_MEMORY_H

#include "cache-line.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::HotMemory.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Have the processor bring memory into its caches, while it goes on with something else.
 *
 * It is a hint: any address is allowed.
 *
 * @param begin the first address
 * @param size the number of bytes
 */
inline void
Prefetch(const void* begin, std::size_t size)
{
    const auto* bytes = static_cast<const char*>(begin);
    for (std::size_t i = 0; i < size; i += CACHE_LINE)
    {
        __builtin_prefetch(bytes + i);
    }
}

/**
 * @ingroup aidc
 * @brief The memory that something touches for each packet, to be brought into the caches at once.
 *
 * One line after the other would take as many times as long: the address of the next one is mostly
 * in the line before it.
 */
class HotMemory
{
  public:
    /// The most parts.
    static constexpr std::size_t MAX_PARTS = 12;
    /// The most lines of a part.
    static constexpr std::size_t MAX_LINES = 8;

    /**
     * @brief Add a part; what is more than there is room for is left out.
     * @param begin the first address
     * @param size the number of bytes
     */
    void Add(const void* begin, std::size_t size)
    {
        if (m_nParts < MAX_PARTS && size > 0)
        {
            const std::size_t offset = reinterpret_cast<std::uintptr_t>(begin) % CACHE_LINE;
            const std::size_t nLines = (offset + size + CACHE_LINE - 1) / CACHE_LINE;
            m_begin[m_nParts] = static_cast<const char*>(begin) - offset;
            m_nLines[m_nParts] = static_cast<uint8_t>(std::min(nLines, MAX_LINES));
            ++m_nParts;
        }
    }

    /// Bring all parts into the caches.
    void Prefetch() const
    {
        for (std::size_t i = 0; i < m_nParts; ++i)
        {
            aidc::Prefetch(m_begin[i], m_nLines[i] * CACHE_LINE);
        }
    }

    /**
     * @brief Get the number of lines.
     * @return the number
     */
    std::size_t GetNLines() const
    {
        std::size_t n = 0;
        for (std::size_t i = 0; i < m_nParts; ++i)
        {
            n += m_nLines[i];
        }
        return n;
    }

  private:
    std::array<const void*, MAX_PARTS> m_begin{}; ///< the first line of each part
    std::array<uint8_t, MAX_PARTS> m_nLines{};    ///< the lines of each part
    uint8_t m_nParts{0};                          ///< the number of parts
};

} // namespace ns3::aidc

#endif // AIDC_HOT_MEMORY_H
