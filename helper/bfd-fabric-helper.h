// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BFD_FABRIC_HELPER_H
#define AIDC_BFD_FABRIC_HELPER_H

#include "fabric-helper.h"

#include "ns3/application-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>

namespace ns3::aidc
{

/// Installs BFD on the links between the switches of a fabric without a routing protocol, so
/// that each switch stops using a link that has silently failed.
///
/// A switch blocks its own next hops over the link (MultipathRouting::SetBlocked()). Other switches
/// do not hear of it: packets that have no other way from this switch are lost. BgpFabricHelper,
/// with SetBfd(), tells the others, too.
///
/// Sessions are between the addresses of the switches, as ports have none.
class BfdFabricHelper
{
  public:
    /// Constructor, with 50 ms and a multiplier of 3.
    BfdFabricHelper();

    /// Set the times of all sessions. interval: the least time between packets, in both directions,
    /// 1 us to 4294 s; multiplier: the intervals without a packet after which a link has failed, at
    /// least 1.
    void SetTimes(Time interval, uint8_t multiplier = 3);

    /// Install speakers. @param network the fabric, with addresses
    /// @return the speakers of this process, in the order of FabricHelper::GetSwitches(); at each,
    ///         the sessions are in the order of its ports to other switches
    ApplicationContainer Install(FabricHelper& network) const;

    /// Assign fixed random variable streams to the speakers, after Install().
    /// @param network the fabric
    /// @param stream the first stream to use
    /// @return the number of streams used: one for each switch, of other processes, too
    static int64_t AssignStreams(const FabricHelper& network, int64_t stream);

    /// Make what makes speakers, for helpers of their clients. @see SetTimes()
    static ObjectFactory MakeSpeakers(Time interval, uint8_t multiplier);

  private:
    ObjectFactory m_factory; //!< makes the speakers
};

} // namespace ns3::aidc

#endif // AIDC_BFD_FABRIC_HELPER_H
