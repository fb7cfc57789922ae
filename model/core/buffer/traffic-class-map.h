/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRAFFIC_CLASS_MAP_H
#define AIDC_TRAFFIC_CLASS_MAP_H

#include <array>
#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Which traffic class of a port a packet goes to, by DSCP and ECN codepoint.
 *
 * A DSCP that is not named goes to the class of its three upper bits (the class selector), or to
 * the highest class where there are fewer. Where an L4S class is set, ECT(1) and CE go to it,
 * whatever the DSCP.
 */
class TrafficClassMap
{
  public:
    TrafficClassMap();

    /**
     * @brief Set the classes of DSCPs.
     * @param text `DSCP:class` pairs separated by commas
     * @param nClasses the number of classes
     * @throws std::invalid_argument if that is not what it is; nothing changes then
     */
    void SetDscps(const std::string& text, uint32_t nClasses);

    /**
     * @brief Get the classes of DSCPs.
     * @return the text as it was set
     */
    const std::string& GetDscps() const;

    /**
     * @brief Get the highest class that a DSCP is named for.
     * @return the class, -1 if none is
     */
    int32_t GetHighestOfDscps() const;

    /**
     * @brief Set the class of packets that are ECT(1) or CE.
     * @param index the class, -1 for none
     */
    void SetL4sClass(int32_t index);

    /**
     * @brief Get the class of packets that are ECT(1) or CE.
     * @return the class, -1 for none
     */
    int32_t GetL4sClass() const;

    /**
     * @brief Set the class of packets that are not IP.
     * @param index the class
     */
    void SetNonIpClass(uint32_t index);

    /**
     * @brief Put what has been set to work.
     * @param nClasses the number of classes, above 0
     */
    void Fill(uint32_t nClasses);

    /**
     * @brief Get the class of an IP packet.
     * @param tos the second byte of the IPv4 header, or the traffic class of the IPv6 one
     * @return the class, 0 before Fill()
     */
    uint32_t GetClassOfTos(uint8_t tos) const
    {
        return m_classOfTos[tos];
    }

    /**
     * @brief Get the class of packets that are not IP.
     * @return the class, the highest one after Fill() where there are fewer than it was set to
     */
    uint32_t GetNonIpClass() const
    {
        return m_nonIpClass;
    }

  private:
    uint32_t m_nonIpClass{0};                //!< the class of packets that are not IP
    std::array<uint8_t, 256> m_classOfTos{}; //!< class by the byte of DSCP and ECN codepoint
    std::array<int8_t, 64> m_classOfDscp{};  //!< class by DSCP, -1 for the default
    int32_t m_l4sClass{-1};                  //!< the class of ECT(1) and CE, -1 for none
    std::string m_dscps;                     //!< the classes of DSCPs as they were set
};

} // namespace ns3::aidc

#endif // AIDC_TRAFFIC_CLASS_MAP_H
