/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-class-map.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

TrafficClassMap::TrafficClassMap()
{
    m_classOfDscp.fill(-1);
}

void
TrafficClassMap::SetDscps(const std::string& text, uint32_t nClasses)
{
    decltype(m_classOfDscp) classes;
    classes.fill(-1);
    std::istringstream pairs(text);
    std::string pair;
    while (std::getline(pairs, pair, ','))
    {
        std::istringstream is(pair);
        int dscp = -1;
        int index = -1;
        char colon = 0;
        if (!(is >> dscp >> colon >> index) || colon != ':' || !(is >> std::ws).eof() || dscp < 0 ||
            dscp > 63 || index < 0 || index >= static_cast<int>(nClasses))
        {
            throw std::invalid_argument(
                "expected DSCP:class with a DSCP from 0 to 63 and a class from 0 to " +
                std::to_string(nClasses - 1) + ", found '" + pair + "'");
        }
        classes[dscp] = static_cast<int8_t>(index);
    }
    m_classOfDscp = classes;
    m_dscps = text;
}

const std::string&
TrafficClassMap::GetDscps() const
{
    return m_dscps;
}

int32_t
TrafficClassMap::GetHighestOfDscps() const
{
    return *std::max_element(m_classOfDscp.begin(), m_classOfDscp.end());
}

void
TrafficClassMap::SetL4sClass(int32_t index)
{
    m_l4sClass = index;
}

int32_t
TrafficClassMap::GetL4sClass() const
{
    return m_l4sClass;
}

void
TrafficClassMap::SetNonIpClass(uint32_t index)
{
    m_nonIpClass = index;
}

void
TrafficClassMap::Fill(uint32_t nClasses)
{
    const int last = static_cast<int>(nClasses) - 1;
    for (int tos = 0; tos < 256; ++tos)
    {
        const int dscp = tos >> 2;
        const int ecn = tos & 3; // 1 is ECT(1), 3 is CE
        int index = m_classOfDscp[dscp] >= 0 ? m_classOfDscp[dscp] : dscp >> 3;
        if (m_l4sClass >= 0 && (ecn == 1 || ecn == 3))
        {
            index = m_l4sClass;
        }
        m_classOfTos[tos] = static_cast<uint8_t>(std::min(index, last));
    }
    m_nonIpClass = std::min<uint32_t>(m_nonIpClass, last);
}

} // namespace ns3::aidc
