// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_FABRIC_PORTS_H
#define AIDC_CSIG_FABRIC_PORTS_H

#include "../model/core/csig/csig-fields.h"
#include "fabric-helper.h"

#include "ns3/csig-agent.h"
#include "ns3/csig-domain.h"
#include "ns3/net-device.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The ports of a CSIG domain by the locator metadata that they write.
class CsigPortDirectory
{
  public:
    /// A port.
    struct Port
    {
        std::string node;      //!< the name of its switch
        std::string name;      //!< its own name
        Ptr<NetDevice> device; //!< the port itself; null if only another process has it
    };

    /// Add a port, which has a name. locators: what it writes into tags.
    void Add(const CsigAgent::Locators& locators, const Port& port);

    /// @return the port that a tag names; null if no port or several ports have this locator, or if
    /// no signal has the type
    const Port* Find(const CsigDomain& domain, const CsigFields& fields) const;

  private:
    /// By format and signal, then by LM without the packet's TTL. An entry without a name means
    /// that several ports share the LM.
    std::array<std::array<std::map<uint16_t, Port>, CSIG_SIGNALS>, 2> m_ports;
};

/// The locator metadata that a port writes into tags.
struct CsigPortLocators
{
    NodeIndex node;               //!< the switch
    PortIndex port;               //!< the port
    CsigAgent::Locators locators; //!< LM by format and signal, with TTL 0
};

/// Read the locator metadata of all ports of a fabric's switches that update tags. With several
/// processes (MpiProcesses), each one calls it, after all have installed CSIG.
/// @return the ports of all processes, by switch and port
std::vector<CsigPortLocators> GatherCsigPortLocators(const FabricHelper& network);

/// Finds the port of a fabric that the locator metadata of a tag name.
///
/// It reads the LM of each CsigPort of the switches in both formats. In at least one format, all LM
/// have to differ. The LM of a tag only has a meaning in the tag's format, and names no port if
/// several ports have it.
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
