/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PORT_LOCATORS_H
#define AIDC_CSIG_PORT_LOCATORS_H

#include "../model/core/csig/csig-fields.h"
#include "fabric-helper.h"

#include "ns3/csig-domain.h"
#include "ns3/net-device.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

class CsigAgent;

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

    /// LM by format and signal.
    using Locators = std::array<std::array<uint16_t, CSIG_SIGNALS>, 2>;

    /// Add a port. locators: what it writes into tags, without the packet's TTL; port: the port,
    /// with a name.
    void Add(const Locators& locators, const Port& port);

    /// Find the port that a tag names. @return the port; null if no port or several ports have this
    /// locator, or if no signal has the type
    const Port* Find(const CsigDomain& domain, const CsigFields& fields) const;

  private:
    /// By format and signal, then by LM without the packet's TTL. An entry without a name means
    /// that several ports share the LM.
    std::array<std::array<std::map<uint16_t, Port>, CSIG_SIGNALS>, 2> m_ports;
};

/// The locator metadata that a port writes into tags.
struct CsigPortLocators
{
    NodeIndex node;                       //!< the switch
    PortIndex port;                       //!< the port
    CsigPortDirectory::Locators locators; //!< LM by format and signal, with TTL 0
};

/// @param agent the agent of a port, which has been started
/// @return what it writes into tags
CsigPortDirectory::Locators ReadCsigLocators(const CsigAgent& agent);

/// Read the locator metadata of all ports of a fabric's switches that update tags. With several
/// processes (MpiProcesses), each one calls it, after all have installed CSIG.
/// @return the ports of all processes, by switch and port
std::vector<CsigPortLocators> GatherCsigPortLocators(const FabricHelper& network);

} // namespace ns3::aidc

#endif // AIDC_CSIG_PORT_LOCATORS_H
