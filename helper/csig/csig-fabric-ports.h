/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_PORTS_H
#define AIDC_CSIG_FABRIC_PORTS_H

#include "../../model/core/csig/csig-fields.h"

#include "ns3/fabric-helper.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Finds the port of a fabric that the locator metadata of a tag name.
 *
 * It reads the LM of each CsigPort of the switches in both formats. In at least one format, all LM
 * have to differ. The LM of a tag only has a meaning in the tag's format, and names no port if
 * several ports have it.
 */
class CsigFabricPorts
{
  public:
    /// Constructor; with several processes (MpiProcesses), each one makes the object, which knows
    /// the ports of all.
    /// @param network the network, with a CsigPort of complete support at each switch port
    explicit CsigFabricPorts(const FabricHelper& network);

    /// @param fields the fields of the tag, of either format
    /// @return its name; none if the tag names no port, or several
    std::optional<std::string> GetName(const CsigFields& fields) const;

    /// Get the LM by which a format's tags name a port.
    /// @param node the number of the switch in the plan
    /// @param port its port
    /// @param format the format
    /// @return LM; none if other ports have it, too
    std::optional<uint16_t> GetLocator(NodeIndex node, PortIndex port, CsigFormat format) const;

    /// @param node its number in the plan
    /// @return the LM in the expanded format of the ports of the switch, by port
    const IndexedVector<PortIndex, uint16_t>& GetLocators(NodeIndex node) const
    {
        return m_locators[static_cast<std::size_t>(CsigFormat::EXPANDED)].at(node);
    }

    /// Get the LM of both ends of a link between switches in the expanded format.
    /// @param link its number in the plan
    /// @return of the ends a and b
    std::vector<uint16_t> GetLocatorsOfLink(LinkIndex link) const;

    /// @param format the format
    /// @return the names of all ports of switches that LM of the format name, by LM
    const std::map<uint16_t, std::string>& GetNames(CsigFormat format = CsigFormat::EXPANDED) const
    {
        return m_names[static_cast<std::size_t>(format)];
    }

  private:
    /// LM by switch, then by port.
    using Locators = std::map<NodeIndex, IndexedVector<PortIndex, uint16_t>>;

    FabricPlan m_fabric;                                    //!< the plan
    std::array<Locators, 2> m_locators;                     //!< by format
    std::array<std::map<uint16_t, std::string>, 2> m_names; //!< by format, LM that name one port
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_PORTS_H
