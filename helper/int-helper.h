/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INT_HELPER_H
#define AIDC_INT_HELPER_H

#include "ns3/node-container.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Has switches write in-band telemetry, which HpccControl needs: installs an IntPort at each
 *        Ethernet port of theirs.
 *
 * With a FabricHelper, call it with GetSwitches() after Build(). A packet's telemetry has room for
 * five switches.
 */
class IntHelper
{
  public:
    /// Install switches. The program ends if a port has CSIG, or a rate without a code
    /// (FindIntRateCode()). Of several processes (MpiProcesses), each installs its own.
    /// @param switches the switches
    static void Install(const NodeContainer& switches);
};

} // namespace ns3::aidc

#endif // AIDC_INT_HELPER_H
