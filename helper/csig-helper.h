// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_HELPER_H
#define AIDC_CSIG_HELPER_H

#include "../model/core/csig/csig-fields.h"
#include "../model/core/csig/csig-flow-rule.h"
#include "../model/core/csig/csig-quantizer.h"
#include "csig-fabric-ports.h"
#include "fabric-helper.h"
#include "factory-attribute.h"

#include "ns3/csig-agent.h"
#include "ns3/csig-domain.h"
#include "ns3/csig-host.h"
#include "ns3/csig-signal.h"
#include "ns3/fabric-plan.h"
#include "ns3/flow-key.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

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
    /// @param rule the flows, in addition to the flows of earlier rules
    void Authorize(const CsigFlowRule& rule);

    /// Give each host a CsigHost.
    /// @param nodes the hosts; one that has a CsigHost already is refused
    void Install(const NodeContainer& nodes) const;

    /// Get the largest TCP segment with which the option always fits the MTU.
    ///
    /// It is for ns-3's attribute TcpSocket::SegmentSize, which counts data only.
    /// @param mtu the MTU in bytes, at least 100
    /// @param format the format of the peers' tags; expanded if both are in use
    /// @param hasTimestamps whether TCP has its timestamps option, which is ns-3's default
    /// @return bytes of data
    static uint32_t GetSegmentSize(uint32_t mtu, CsigFormat format, bool hasTimestamps = true);

  private:
    ObjectFactory m_factory;           //!< makes the hosts
    std::vector<CsigFlowRule> m_rules; //!< the authorized flows
};

/// The bottleneck of a flow's path, from a signal.
struct CsigFlowBottleneck
{
    FlowKey flow;        //!< the flow, local to remote
    CsigReading reading; //!< the signal, its value with its unit, and the locator's attributes
    Time time;           //!< when the sender got the signal
    /// The port, as CsigHelper names it; empty if the locator does not name one port. The device of
    /// a port that only another process (MpiProcesses) has is null.
    CsigPortDirectory::Port port;
};

/// Makes a CSIG domain of a network: installs CSIG on hosts and on ports of switches, all in
/// one domain.
///
/// Hosts get a CsigHost and, at each Ethernet port, a CsigPort of the role Host. Hosts that already
/// have a RoceNic get a CsigPathSignals in it, and no CsigHost if they have no IPv4 stack. Switches
/// get a CsigPort at each Ethernet port and a CsigQueuePort at each other port, which must already
/// have its root queue disc.
///
/// In a fabric, locators follow the plan: the stage is 1 for leaves, 2 for spines and 3 for
/// super-spines; the orientation tells whether the other end is in a higher tier; ports have the
/// plan's numbers; the switches of GetSwitches() are numbered from 1 on, so that LM 0 is no switch.
/// If the user has set no domain, it gets the expanded locator "device:10,port:6", or another
/// layout if this one is too small (FitLocator()). If links have other speeds than its LinkSpeeds,
/// it gets the speeds of all links, up to seven.
///
/// Ports of a fabric's switches that face hosts do not trust them (section 9), unless the port
/// attribute Trusted is set, or flows are authorized.
///
/// Excluded nodes (Exclude()) are outside the domain: ports that face them strip tags
/// (section 6.3.2 of draft-ravi-ippm-csig-01) and do not trust them (section 9). A host sends no
/// tags to such nodes (section 6.3.1), but is in the domain otherwise.
///
/// With several processes (MpiProcesses), each one calls the same functions for the same nodes, and
/// installs its own nodes. Bottlenecks come from the hosts of all processes.
class CsigHelper
{
  public:
    CsigHelper();

    /// Set the domain.
    /// @param domain the domain; by default the first call that installs something makes one
    void SetDomain(Ptr<CsigDomain> domain);

    /// @return the domain, null before something is installed
    Ptr<CsigDomain> GetDomain() const
    {
        return m_domain;
    }

    /// Set an attribute of the domain that will be made.
    /// @param name the name of the attribute
    /// @param value its value
    void SetDomainAttribute(const std::string& name, const AttributeValue& value);

    /// Set an attribute of the switches' ports that are installed later.
    /// @param name the name of an attribute of CsigPort, CsigQueuePort or both
    /// @param value its value
    void SetPortAttribute(const std::string& name, const AttributeValue& value);

    /// Set an attribute of the agents that are installed later.
    ///
    /// * Each agent has its own Phase, from the numbers of its switch and port, unless Phase is
    /// set here.
    /// @param name the name of an attribute of CsigAgent, not one of the locator's
    /// @param value its value
    void SetAgentAttribute(const std::string& name, const AttributeValue& value);

    /// Set an attribute of the CsigPathSignals that RoceNics are given later.
    /// @param name the name of an attribute of CsigPathSignals, not Domain
    /// @param value its value
    void SetNicAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_nicFactory, name, value);
    }

    /// Get the helper that installs the hosts, to set attributes and to authorize flows.
    /// @return the helper
    CsigHostHelper& GetHostHelper()
    {
        return m_hostHelper;
    }

    /// Have switches accept the tags of flows from hosts (section 9). Otherwise ports of a fabric
    /// that face hosts trust no sender, unless the attribute Trusted is set.
    /// @param rule the flows, in addition to the flows of earlier rules
    void Authorize(const CsigFlowRule& rule)
    {
        m_rules.push_back(rule);
    }

    /// Leave a node of a fabric out of the domain. @param node its number in the plan
    void Exclude(NodeIndex node)
    {
        m_excluded.insert(node);
    }

    /// Make a domain of a fabric: all its nodes except the excluded ones.
    /// @param network the fabric, built, with the queue discs of its switches
    void Install(const FabricHelper& network);

    /// Install some nodes of a fabric, as in a brownfield.
    /// @param network the fabric, built, with the queue discs of its switches
    /// @param nodes their numbers in the plan
    void Install(const FabricHelper& network, const std::vector<NodeIndex>& nodes);

    /// Install hosts. @param hosts nodes with protocol stacks or RoceNics
    void InstallHosts(const NodeContainer& hosts);

    /// Install a switch; its ports are numbered as its devices.
    /// @param node the switch
    /// @param device its number in locators
    /// @param stage its stage in locators
    void InstallSwitch(Ptr<Node> node, uint32_t device, uint32_t stage = 0);

    /// Find the bottleneck of a flow's path, by the newest signal that its sender has
    /// received.
    ///
    /// The switches of a fabric and their ports have the names of its plan. A switch of
    /// InstallSwitch() has its name in ns3::Names or "node-ID", and its ports are named
    /// "SWITCH:INDEX"; in other processes, neither has a name.
    /// @param flow the flow, from a host that was installed
    /// @param signal a signal that the host requests
    /// @return the bottleneck; none if no switch's value was reflected
    std::optional<CsigFlowBottleneck> GetBottleneck(const FlowKey& flow,
                                                    CsigSignal signal = CsigSignal::ABW) const;

    /// Find the bottlenecks of all flows that the hosts remember.
    /// @param signal a signal that the hosts request
    /// @return the bottlenecks that GetBottleneck() finds, by host and flow
    std::vector<CsigFlowBottleneck> GetBottlenecks(CsigSignal signal = CsigSignal::ABW) const;

    /// Get the number that a switch of a fabric has in locators.
    /// @param fabric the plan
    /// @param node its number in the plan
    /// @return from 1 on
    static uint32_t GetDeviceNumber(const FabricPlan& fabric, NodeIndex node);

    /// Choose a layout of the expanded locator.
    /// @param nSwitches the number of switches
    /// @param nPorts the most ports of a switch
    /// @return the first of these with room for all: "device:10,port:6", the same with other
    ///        widths, "orientation:2,device:14", "device:16"
    static std::string FitLocator(uint32_t nSwitches, uint32_t nPorts);

  private:
    /// A port of a switch.
    struct Place
    {
        uint32_t device{0};                                    //!< the switch's number
        uint32_t stage{0};                                     //!< its stage
        uint32_t port{0};                                      //!< the port's number
        CsigOrientation orientation{CsigOrientation::UNKNOWN}; //!< where it leads to
        bool isBoundary{false};                                //!< whether it leaves the domain
        bool isHostPort{false};                                //!< whether it leads to a host
    };

    /// Make the domain if there is none.
    void MakeDomain();

    /// Set the locator and the speeds of the domain for a fabric. @param fabric the plan
    void FitDomain(const FabricPlan& fabric);

    /// Install a switch of a fabric, which is given by its number in the plan.
    void InstallSwitch(const FabricHelper& network, NodeIndex node);

    void InstallHost(Ptr<Node> host, const std::set<Ptr<NetDevice>>& outside);

    /// Install a port of a switch. @return its agent; null if it updates no tags
    Ptr<CsigAgent> InstallPort(Ptr<NetDevice> device, const Place& place);

    /// Add ports to the directory, by the locators that they write into tags.
    void AddPorts(const FabricHelper& network, const std::vector<NodeIndex>& nodes);

    Ptr<CsigDomain> m_domain;                 //!< the domain
    ObjectFactory m_domainFactory;            //!< makes the domain
    ObjectFactory m_portFactory;              //!< makes ports at Ethernet
    ObjectFactory m_queuePortFactory;         //!< makes other ports
    ObjectFactory m_agentFactory;             //!< makes agents
    ObjectFactory m_nicFactory;               //!< makes what RoceNics have
    CsigHostHelper m_hostHelper;              //!< makes hosts
    std::set<std::string> m_domainAttributes; //!< the attributes that the user has set
    bool m_hasPhase{false};                   //!< whether the user has set Phase
    std::set<NodeIndex> m_excluded;           //!< nodes outside the domain
    std::vector<CsigFlowRule> m_rules;        //!< the authorized flows
    bool m_isTrustSet{false};                 //!< whether the user has set Trusted
    CsigPortDirectory m_ports;                //!< ports that update tags
    NodeContainer m_hosts;                    //!< hosts of this process that have a CsigHost
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HELPER_H
