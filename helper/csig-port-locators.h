/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PORT_LOCATORS_H
#define AIDC_CSIG_PORT_LOCATORS_H

#include "csig-port-directory.h"
#include "fabric-helper.h"

#include <vector>

/**
 * @file
 * Declaration of ns3::aidc::GatherCsigPortLocators().
 */

namespace ns3::aidc
{

class CsigAgent;

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
/// ranks (MpiRanks), each one calls it, after all have installed CSIG.
/// @return the ports of all ranks, by switch and port
std::vector<CsigPortLocators> GatherCsigPortLocators(const FabricHelper& network);

} // namespace ns3::aidc

#endif // AIDC_CSIG_PORT_LOCATORS_H
