/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_POINT_TO_POINT_RANK_HELPER_H
#define AIDC_POINT_TO_POINT_RANK_HELPER_H

#include "ns3/attribute.h"
#include "ns3/net-device-container.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Links nodes of different ranks (MpiRanks) by ns-3's point-to-point devices, as
///        PointToPointHelper does within a rank. That one makes ns-3's own channel between
///        processes, which needs ns-3's mpi module.
class PointToPointRankHelper
{
  public:
    PointToPointRankHelper();

    /// @param name the name of an attribute of PointToPointNetDevice
    /// @param value its value
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// @param name the name of an attribute of PointToPointChannel
    /// @param value its value
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /// Link two nodes. b: a node of another rank. @return the devices at both
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const;

  private:
    ObjectFactory m_deviceFactory;  //!< makes devices
    ObjectFactory m_channelFactory; //!< makes channels
};

} // namespace ns3::aidc

#endif // AIDC_POINT_TO_POINT_RANK_HELPER_H
