/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_STALE_MARKS_H
#define AIDC_BGP_STALE_MARKS_H

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The marks of a peer's routes that are kept although its session is lost (RFC 4724).
 *
 * A mark does not change how a route is ranked. Without marks no memory is allocated.
 */
class BgpStaleMarks
{
  public:
    /// Mark a route. @param number the number of its prefix
    void Mark(uint32_t number)
    {
        if (number >= m_isStale.size())
        {
            m_isStale.resize(number + 1);
        }
        m_nStale += m_isStale[number] ? 0 : 1;
        m_isStale[number] = true;
    }

    /// Remove the mark of a route, if it has one. @param number the number of its prefix
    void Clear(uint32_t number)
    {
        if (Has(number))
        {
            m_isStale[number] = false;
            if (--m_nStale == 0)
            {
                m_isStale = {};
            }
        }
    }

    /// @param number the number of a prefix @return whether its route is marked
    bool Has(uint32_t number) const
    {
        return number < m_isStale.size() && m_isStale[number];
    }

    /// @return how many routes are marked
    uint32_t Count() const
    {
        return m_nStale;
    }

  private:
    std::vector<bool> m_isStale; //!< by number of prefix
    uint32_t m_nStale{0};        //!< how many are set
};

} // namespace ns3::aidc

#endif // AIDC_BGP_STALE_MARKS_H
