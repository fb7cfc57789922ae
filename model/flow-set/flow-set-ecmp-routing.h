/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_ECMP_ROUTING_H
#define AIDC_FLOW_SET_ECMP_ROUTING_H

#include "flow-set-selector.h"

#include "ns3/multipath-routing.h"

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Equal-cost multipath with congestion-aware flow-set switching
///        (draft-li-rtgwg-congestion-aware-flowset-switching-00): a MultipathRouting whose selector
///        is a FlowSetSelector, which has the attributes and traces of the mechanism.
class FlowSetEcmpRouting : public MultipathRouting
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    FlowSetEcmpRouting();

  protected:
    void NotifyConstructionCompleted() override;
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_ECMP_ROUTING_H
