/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_HOST_HELPER_H
#define AIDC_CSIG_HOST_HELPER_H

#include "../model/core/csig/csig-fields.h"
#include "../model/core/csig/csig-flow-rule.h"
#include "factory-attribute.h"

#include "ns3/csig-host.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// Gives hosts a CsigHost. Call it after InternetStackHelper has run on them.
class CsigHostHelper
{
  public:
    CsigHostHelper();

    /// Set an attribute of the hosts that are installed later.
    /// @param name the name of the attribute
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_factory, name, value);
    }

    /// Authorize flows to be tagged, and no others (section 9).
    /// @param rule the flows, besides those of earlier rules
    void Authorize(const CsigFlowRule& rule);

    /// Give each host a CsigHost.
    /// @param nodes the hosts; one that has a CsigHost already is refused
    void Install(const NodeContainer& nodes) const;

    /**
     * @brief Get the largest TCP segment with which the option always fits the MTU.
     *
     * It is for ns-3's attribute TcpSocket::SegmentSize, which counts data only.
     *
     * @param mtu the MTU in bytes, at least 100
     * @param format the format of the peers' tags; expanded if both are in use
     * @param hasTimestamps whether TCP has its timestamps option, which is ns-3's default
     * @return bytes of data
     */
    static uint32_t GetSegmentSize(uint32_t mtu, CsigFormat format, bool hasTimestamps = true);

  private:
    ObjectFactory m_factory;           //!< makes the hosts
    std::vector<CsigFlowRule> m_rules; //!< the authorized flows
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HOST_HELPER_H
