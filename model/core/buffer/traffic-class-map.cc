// SPDX-License-Identifier: GPL-2.0-only

#include "traffic-class-map.h"

#include "../require-argument.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// @return the class of each value, -1 for values not named @throws std::invalid_argument
template <std::size_t N>
std::array<int8_t, N>
ParseClasses(const std::string& text, const std::string& name, uint32_t nClasses)
{
    std::array<int8_t, N> classes;
    classes.fill(-1);
    std::istringstream pairs(text);
    std::string pair;
    while (std::getline(pairs, pair, ','))
    {
        std::istringstream is(pair);
        int value = -1;
        int index = -1;
        char colon = 0;
        AIDC_REQUIRE(is >> value >> colon >> index && colon == ':' && (is >> std::ws).eof() &&
                         value >= 0 && value < static_cast<int>(N) && index >= 0 &&
                         index < static_cast<int>(nClasses),
                     "expected " + name + ":class with a " + name + " from 0 to " +
                         std::to_string(N - 1) + " and a class from 0 to " +
                         std::to_string(nClasses - 1) + ", found '" + pair + "'");
        classes[value] = static_cast<int8_t>(index);
    }
    return classes;
}

} // namespace

TrafficClassMap::TrafficClassMap()
{
    m_namedDscps.fill(-1);
    m_namedPcps.fill(-1);
}

void
TrafficClassMap::SetDscps(const std::string& text, uint32_t nClasses)
{
    m_namedDscps = ParseClasses<64>(text, "DSCP", nClasses);
    m_dscps = text;
}

int32_t
TrafficClassMap::GetHighestOfDscps() const
{
    return *std::max_element(m_namedDscps.begin(), m_namedDscps.end());
}

void
TrafficClassMap::SetPcps(const std::string& text, uint32_t nClasses)
{
    m_namedPcps = ParseClasses<8>(text, "PCP", nClasses);
    m_pcps = text;
}

int32_t
TrafficClassMap::GetHighestOfPcps() const
{
    return *std::max_element(m_namedPcps.begin(), m_namedPcps.end());
}

void
TrafficClassMap::Fill(uint32_t nClasses)
{
    const int last = static_cast<int>(nClasses) - 1;
    for (int tos = 0; tos < 256; ++tos)
    {
        const int dscp = tos >> 2;
        const int ecn = tos & 3; // 1 is ECT(1), 3 is CE
        int index = m_namedDscps[dscp] >= 0 ? m_namedDscps[dscp] : dscp >> 3;
        if (m_l4sClass >= 0 && (ecn == 1 || ecn == 3))
        {
            index = m_l4sClass;
        }
        m_classOfTos[tos] = static_cast<uint8_t>(std::min(index, last));
    }
    for (int pcp = 0; pcp < 8; ++pcp)
    {
        const int index = m_namedPcps[pcp] >= 0 ? m_namedPcps[pcp] : pcp;
        m_classOfPcp[pcp] = static_cast<uint8_t>(std::min(index, last));
    }
    m_nonIpClass = std::min<uint32_t>(m_nonIpClass, last);
}

} // namespace ns3::aidc
