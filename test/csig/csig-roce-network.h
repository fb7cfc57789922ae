// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_ROCE_NETWORK_H
#define AIDC_CSIG_ROCE_NETWORK_H

#include "test/transport/roce-network.h"

#include "ns3/csig-helper.h"

// Hosts with RoceNics and CSIG, for the test suites.

namespace aidctest
{

/// The rate of hosts' links in bit/s.
constexpr uint64_t HOST_RATE = 100000000000;

/// Plan two leaves with as many hosts each, and one link between them. nHosts: the number of hosts
/// of a leaf; leaf 0 has hosts 0 to nHosts - 1. rate: the rate of the link between the leaves in
/// bit/s. Returns the plan; its nodes 0 and 1 are the leaves, and port 0 of each leads to the
/// other.
inline FabricPlan
MakeTwoLeaves(uint32_t nHosts, uint64_t rate, int64_t delay = 1000)
{
    return MakeLine(2, nHosts, rate, HOST_RATE, delay);
}

/// Hosts with RoceNics in a domain of CSIG.
class CsigRoceNetwork : public RoceNetwork
{
  public:
    using RoceNetwork::RoceNetwork;

    /// Install what has been set, `csig` too.
    void StartCsig()
    {
        Start();
        csig.SetPortAttribute("Trusted", BooleanValue(true));
        csig.Install(network);
    }

    CsigHelper csig; //!< to be set before StartCsig()
};

} // namespace aidctest

#endif // AIDC_CSIG_ROCE_NETWORK_H
