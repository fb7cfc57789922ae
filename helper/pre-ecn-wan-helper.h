// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRE_ECN_WAN_HELPER_H
#define AIDC_PRE_ECN_WAN_HELPER_H

#include "factory-attribute.h"
#include "wan-helper.h"
#include "wan-tunnel-helper.h"

#include "ns3/attribute.h"
#include "ns3/congestion-notifier.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Installs notifications of congestion from the routers of a WanHelper to provider edge
/// routers (PEs), and the PEs' reactions (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).
///
/// Routers with a PreEcnQueueDisc get a CongestionNotifier, and PEs an IngressEdgeController for
/// all of their tunnels. The domain of both has only the routers' addresses. If the PEs follow
/// explicit rates (IngressEdgeController::FollowsRates()), the notifiers know the feedback
/// delays of their ports by the routes. Notifiers have the Granularity of the PEs.
class PreEcnWanHelper
{
  public:
    PreEcnWanHelper();

    /// Set the key that signs and authenticates notifications. Without a key, all notifications
    /// from addresses of the domain are accepted.
    /// @param key the key, in hexadecimal digits; or several keys, as in 7:0001...,8:1011..., of
    ///        which routers sign with the first one, and PEs accept all
    void SetKey(const std::string& key)
    {
        m_key = key;
    }

    /// Set an attribute of the notifiers.
    void SetNotifierAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_notifierFactory, name, value);
    }

    /// Set an attribute of the PEs' controllers.
    void SetControllerAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_controllerFactory, name, value);
    }

    /// Set whether PEs limit the sum of tunnels to the rate of the slowest link of their primary
    /// paths, if flows get explicit rates and are not steered. A PE alone then never exceeds this
    /// link, so a path's queue is shorter when flows begin at once.
    /// @param limitsTunnels whether they do; false by default
    void SetLimitsTunnels(bool limitsTunnels)
    {
        m_limitsTunnels = limitsTunnels;
    }

    /// Install notifiers and controllers, before the simulation begins. With several processes
    /// (MpiProcesses), each one calls it, and installs them on its own routers.
    /// @param network the network, with its addresses assigned and queue discs installed
    /// @param tunnels its tunnels
    void Install(const WanHelper& network, const WanTunnelHelper& tunnels);

    /// @return the notifiers of this process, in the order of the routers
    const std::vector<Ptr<CongestionNotifier>>& GetNotifiers() const
    {
        return m_notifiers;
    }

    /// @return the controllers of this process, by PE in the WanPlan
    const std::map<NodeIndex, Ptr<IngressEdgeController>>& GetControllers() const
    {
        return m_controllers;
    }

  private:
    /// Feedback delays, by router and port.
    using FeedbackDelays = std::map<std::pair<NodeIndex, PortIndex>, Time>;

    /// Set the domain of a sender or receiver of notifications, and its key or keys, unless empty.
    static void Secure(ObjectBase& end, const std::string& key);

    /// Find the longest time from a PE to a router and back, by tunnels that leave it by a port.
    static FeedbackDelays FindFeedbackDelays(const WanHelper& network,
                                             const WanTunnelHelper& tunnels);

    /// Limit the tunnels of a PE: all together whose primary paths have the same slowest link.
    void LimitTunnels(const WanHelper& network,
                      const WanTunnelHelper& tunnels,
                      NodeIndex from) const;

    /// Install a notifier. delays: the feedback delays; none without explicit rates.
    void InstallNotifier(Ptr<Node> node, NodeIndex router, const FeedbackDelays& delays);

    ObjectFactory m_notifierFactory;                               //!< makes notifiers
    ObjectFactory m_controllerFactory;                             //!< makes controllers
    std::string m_key;                                             //!< SetKey()
    bool m_limitsTunnels{false};                                   //!< SetLimitsTunnels()
    std::vector<Ptr<CongestionNotifier>> m_notifiers;              //!< the notifiers
    std::map<NodeIndex, Ptr<IngressEdgeController>> m_controllers; //!< the controllers
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_WAN_HELPER_H
