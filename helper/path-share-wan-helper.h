// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_SHARE_WAN_HELPER_H
#define AIDC_PATH_SHARE_WAN_HELPER_H

#include "factory-attribute.h"
#include "wan-helper.h"
#include "wan-tunnel-helper.h"

#include "ns3/attribute.h"
#include "ns3/link-load-reporter.h"
#include "ns3/object-factory.h"
#include "ns3/path-share-controller.h"
#include "ns3/ptr.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Has the provider edge routers (PEs) of a WanHelper spread traffic over the paths of their
/// tunnels by share (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1).
///
/// PEs get a PathShareController for all of their tunnels. Routers with links that some paths of a
/// tunnel use and others do not get a LinkLoadReporter, which reports these links to the PEs of
/// these tunnels. These are links of the paths that WanTunnelHelper has found: nothing is reported
/// of a primary path that follows routes around a failure until it is back, unless it is pinned
/// (WanTunnelHelper::SetPinned()).
class PathShareWanHelper
{
  public:
    PathShareWanHelper();

    /// Set the key that signs and authenticates reports. Without a key, all reports from addresses
    /// of the domain are accepted.
    /// @param key the key, in hexadecimal digits; or several keys, as in 7:0001...,8:1011..., of
    ///        which routers sign with the first one, and PEs accept all
    void SetKey(const std::string& key)
    {
        m_key = key;
    }

    /// Set an attribute of the PEs' controllers.
    void SetControllerAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_controllerFactory, name, value);
    }

    /// Set an attribute of the reporters.
    void SetReporterAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_reporterFactory, name, value);
    }

    /// Set whether the weight of a path is its bandwidth, which is its slowest link's, as
    /// BgpWanHelper has it for tunnels. Otherwise the primary path has all of the weight.
    /// @param isWeighted whether it is; false by default
    void SetBandwidthWeights(bool isWeighted)
    {
        m_isWeighted = isWeighted;
    }

    /// Install controllers and reporters, before the simulation begins. With several processes
    /// (MpiProcesses), each one calls it, and installs them on its own routers. Tunnels keep the
    /// controllers that they have, such as a PreEcnWanHelper's, in front.
    /// @param network the network, with its addresses assigned
    /// @param tunnels its tunnels
    void Install(const WanHelper& network, const WanTunnelHelper& tunnels);

    /// @return the controllers of this process, by PE in the WanPlan
    const std::map<NodeIndex, Ptr<PathShareController>>& GetControllers() const
    {
        return m_controllers;
    }

  private:
    /// Steer the traffic of a tunnel. tunnel: the tunnel, null if the PE is of another process.
    void InstallTunnel(const WanHelper& network,
                       NodeIndex from,
                       const Ptr<IpTunnelNetDevice>& tunnel,
                       const std::vector<WanTunnelHelper::Path>& paths);

    /// Steer by the loads of a tunnel's paths. tunnel: null if the PE is of another process.
    void InstallReports(const WanHelper& network,
                        NodeIndex from,
                        const Ptr<IpTunnelNetDevice>& tunnel,
                        const std::vector<WanTunnelHelper::Path>& all);

    /// Have a router report a link.
    void InstallReporter(const WanHelper& network,
                         NodeIndex router,
                         PortIndex port,
                         NodeIndex edge);

    ObjectFactory m_controllerFactory;                           //!< makes controllers
    ObjectFactory m_reporterFactory;                             //!< makes reporters
    std::string m_key;                                           //!< SetKey()
    bool m_isWeighted{false};                                    //!< SetBandwidthWeights()
    std::map<NodeIndex, Ptr<PathShareController>> m_controllers; //!< the controllers
    std::map<NodeIndex, Ptr<LinkLoadReporter>> m_reporters;      //!< the reporters
};

} // namespace ns3::aidc

#endif // AIDC_PATH_SHARE_WAN_HELPER_H
