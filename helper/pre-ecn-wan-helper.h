/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_WAN_HELPER_H
#define AIDC_PRE_ECN_WAN_HELPER_H

#include "wan-helper.h"
#include "wan-tunnel-helper.h"

#include "ns3/attribute.h"
#include "ns3/congestion-notifier.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Installs notifications of congestion from the routers of a WanHelper to provider edge
 *        routers (PEs), and the PEs' reactions (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).
 *
 * Routers with a PreEcnQueueDisc get a CongestionNotifier, and PEs an IngressEdgeController for all
 * of their tunnels. The domain of both has only the routers' addresses.
 */
class PreEcnWanHelper
{
  public:
    PreEcnWanHelper();

    /// Set the key that signs and authenticates notifications. Without a key, all notifications
    /// from addresses of the domain are accepted.
    /// @param key the key, in hexadecimal digits
    void SetKey(const std::string& key)
    {
        m_key = key;
    }

    /// Set an attribute of the notifiers.
    void SetNotifierAttribute(const std::string& name, const AttributeValue& value)
    {
        m_notifierFactory.Set(name, value);
    }

    /// Set an attribute of the PEs' controllers.
    void SetControllerAttribute(const std::string& name, const AttributeValue& value)
    {
        m_controllerFactory.Set(name, value);
    }

    /// Install notifiers and controllers, before the simulation begins.
    /// @param network the network, with its addresses assigned and queue discs installed
    /// @param tunnels its tunnels
    void Install(const WanHelper& network, const WanTunnelHelper& tunnels);

    /// @return the notifiers, in the order of the routers
    const std::vector<Ptr<CongestionNotifier>>& GetNotifiers() const
    {
        return m_notifiers;
    }

    /// @return the controllers, by PE in the WanPlan
    const std::map<NodeIndex, Ptr<IngressEdgeController>>& GetControllers() const
    {
        return m_controllers;
    }

  private:
    /// Set the key and the domain of a sender or receiver of notifications.
    /// @param end a sender or a controller
    void Secure(ObjectBase& end) const;

    ObjectFactory m_notifierFactory;                               //!< makes notifiers
    ObjectFactory m_controllerFactory;                             //!< makes controllers
    std::string m_key;                                             //!< SetKey()
    std::vector<Ptr<CongestionNotifier>> m_notifiers;              //!< the notifiers
    std::map<NodeIndex, Ptr<IngressEdgeController>> m_controllers; //!< the controllers
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_WAN_HELPER_H
