// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_BANDWIDTH_ROUTING_H
#define AIDC_PATH_BANDWIDTH_ROUTING_H

#include "ns3/multipath-routing.h"
#include "ns3/next-hop-weights.h"

namespace ns3::aidc
{

/// Adaptive routing by the bandwidth of paths (draft-xu-idr-fare-00): a MultipathRouting
/// whose selector gives next hops shares by their weights.
///
/// Weights come from BGP (see BgpSpeaker) or from the topology (see FabricHelper); a next hop of
/// weight 0 is not used. Shares are of flows or of packets, by the attribute Granularity. Weights
/// are exact, or as hardware has them: numbers of entries of small tables.
class PathBandwidthRouting : public MultipathRouting
{
  public:
    /// The unit of the traffic that next hops share.
    enum Granularity
    {
        FLOW,  //!< flows, by a WeightedSelector
        PACKET //!< packets, in turn, by a SpraySelector
    };

    /// @return the type ID
    static TypeId GetTypeId();

  protected:
    void NotifyConstructionCompleted() override;

  private:
    Granularity m_granularity;                 //!< attribute Granularity
    NextHopTableSettings::WeightScale m_scale; //!< attribute WeightScale
    NextHopTableSettings m_table;              //!< the other attributes of tables
};

} // namespace ns3::aidc

#endif // AIDC_PATH_BANDWIDTH_ROUTING_H
