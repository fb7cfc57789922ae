/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_PORTS_H
#define AIDC_CSIG_FABRIC_PORTS_H

#include "ns3/csig-fields.h"
#include "ns3/fabric-helper.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Tells which port of a fabric the locator metadata of a tag name.
 *
 * It reads the LM of each CsigPort of the switches, which have to differ.
 */
class CsigFabricPorts
{
  public:
    /**
     * @brief Constructor.
     * @param network the network, with a CsigPort of complete support at each switch port
     * @param format the format of tags
     */
    explicit CsigFabricPorts(const FabricHelper& network, CsigFormat format = CsigFormat::EXPANDED);

    /**
     * @brief Get the LM of the ports of a switch.
     * @param node its number in the plan
     * @return by port
     */
    const IndexedVector<PortIndex, uint16_t>& GetLocators(NodeIndex node) const;

    /**
     * @brief Get the LM of both ends of a link between switches.
     * @param link its number in the plan
     * @return of the ends a and b
     */
    std::vector<uint16_t> GetLocatorsOfLink(LinkIndex link) const;

    /**
     * @brief Get the names of all ports of switches.
     * @return by LM
     */
    const std::map<uint16_t, std::string>& GetNames() const;

  private:
    FabricPlan m_fabric;                                                //!< the plan
    std::map<NodeIndex, IndexedVector<PortIndex, uint16_t>> m_locators; //!< by switch, then by port
    std::map<uint16_t, std::string> m_names;                            //!< by LM
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_PORTS_H
