// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TRAFFIC_CLASS_MAP_H
#define AIDC_TRAFFIC_CLASS_MAP_H

#include <array>
#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// Maps packets to traffic classes of a port, by DSCP or by the priority code point (PCP) of
/// a VLAN tag, and by ECN codepoint.
///
/// A DSCP that is not in the map goes to the class of its three upper bits (the class selector). A
/// PCP that is not in the map goes to the class of its number. If there are fewer classes, both go
/// to the highest one. If an L4S class is set, ECT(1) and CE go to it, whatever DSCP and PCP.
class TrafficClassMap
{
  public:
    TrafficClassMap();

    /// Set the classes of DSCPs. text: `DSCP:class` pairs separated by commas.
    /// @throws std::invalid_argument if the text is not a list of such pairs; nothing changes then
    void SetDscps(const std::string& text, uint32_t nClasses);

    /// Get the classes of DSCPs. @return the text as it was set
    const std::string& GetDscps() const
    {
        return m_dscps;
    }

    /// Get the highest class in the map of DSCPs. @return the class, -1 if the map is empty
    int32_t GetHighestOfDscps() const;

    /// Set the classes of PCPs. text: `PCP:class` pairs separated by commas.
    /// @throws std::invalid_argument if the text is not a list of such pairs; nothing changes then
    void SetPcps(const std::string& text, uint32_t nClasses);

    /// Get the classes of PCPs. @return the text as it was set
    const std::string& GetPcps() const
    {
        return m_pcps;
    }

    /// Get the highest class in the map of PCPs. @return the class, -1 if the map is empty
    int32_t GetHighestOfPcps() const;

    /// Set the class of packets that are ECT(1) or CE. @param index the class, -1 for none
    void SetL4sClass(int32_t index)
    {
        m_l4sClass = index;
    }

    /// Get the class of packets that are ECT(1) or CE. @return the class, -1 for none
    int32_t GetL4sClass() const
    {
        return m_l4sClass;
    }

    /// Set the class of packets that are not IP. @param index the class
    void SetNonIpClass(uint32_t index)
    {
        m_nonIpClass = index;
    }

    /// Apply the maps. @param nClasses the number of classes, above 0
    void Fill(uint32_t nClasses);

    /// Get the class of an IP packet. @param tos the second byte of the IPv4 header, or the traffic
    /// class of the IPv6 one @return the class, 0 before Fill()
    uint32_t GetClassOfTos(uint8_t tos) const
    {
        return m_classOfTos[tos];
    }

    /// Get the class of a packet that arrived with a VLAN tag of a priority code point, 0 to 7.
    /// tos: as for GetClassOfTos(), 0 for packets that are not IP. @return the class, 0 before
    /// Fill()
    uint32_t GetClassOfPcp(uint8_t pcp, uint8_t tos) const
    {
        const bool isL4s = m_l4sClass >= 0 && (tos & 1) != 0; // ECT(1) and CE
        return isL4s ? m_classOfTos[tos] : m_classOfPcp[pcp];
    }

    /// Get the class of packets that are not IP.
    /// @return the class; after Fill() the highest class, if there are fewer
    uint32_t GetNonIpClass() const
    {
        return m_nonIpClass;
    }

  private:
    uint32_t m_nonIpClass{0};                //!< the class of packets that are not IP
    std::array<uint8_t, 256> m_classOfTos{}; //!< class by the byte of DSCP and ECN codepoint
    std::array<uint8_t, 8> m_classOfPcp{};   //!< class by PCP
    std::array<int8_t, 64> m_namedDscps{};   //!< class by DSCP, -1 for the default
    std::array<int8_t, 8> m_namedPcps{};     //!< class by PCP, -1 for the default
    int32_t m_l4sClass{-1};                  //!< the class of ECT(1) and CE, -1 for none
    std::string m_dscps;                     //!< the classes of DSCPs as they were set
    std::string m_pcps;                      //!< the classes of PCPs as they were set
};

} // namespace ns3::aidc

#endif // AIDC_TRAFFIC_CLASS_MAP_H
