// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRIORITY_FLOW_CONTROL_HELPER_H
#define AIDC_PRIORITY_FLOW_CONTROL_HELPER_H

#include "../model/core/buffer/pfc-headroom.h"
#include "factory-attribute.h"

#include "ns3/attribute.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

class EthernetNetDevice;
class IngressBuffer;
class PriorityFlowControl;

/// Makes priorities lossless: priority flow control at switches and hosts.
///
/// A switch gets an ingress account (IngressBuffer) for each Ethernet port and lossless priority,
/// with a headroom derived from the link. The port's class of this number becomes lossless, and the
/// switch pauses its peers. A host obeys: it gets egress classes that can be paused, and never
/// pauses its peer.
///
/// Call it when all links exist; for switches after SharedBufferSwitchHelper, for hosts after
/// InternetStackHelper, and for both before addresses are assigned and the simulation runs.
class PriorityFlowControlHelper
{
  public:
    PriorityFlowControlHelper();

    /// Set the lossless priorities, 3 by default. @param priorities each from 0 to 7
    void SetPriorities(const std::vector<uint32_t>& priorities);

    /// Set an attribute of the PriorityFlowControl of every port. The default of Priorities is the
    /// lossless priorities. @param name its name @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_controlFactory, name, value);
        m_hasPriorities = m_hasPriorities || name == "Priorities";
        m_hasResponseTime = m_hasResponseTime || name == "ResponseTime";
    }

    /// Set an attribute of the IngressBuffer of every port and lossless priority. If Headroom is
    /// set, it is not derived. Switches of a chip (SharedBufferSwitchHelper::SetChip()) have the
    /// chip's values otherwise. @param name its name @param value its value
    void SetIngressAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_ingressFactory, name, value);
        m_ingressNames.insert(name);
    }

    /// Set an attribute of the SwitchPortQueueDisc that hosts get. @param name its name
    /// @param value its value
    void SetHostPortAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_hostPortFactory, name, value);
        m_hasHostBuffer = m_hasHostBuffer || name == "BufferSize";
    }

    /// Make the priorities lossless in switches. @param nodes the switches
    void InstallSwitches(const NodeContainer& nodes) const;

    /// Make the priorities lossless in a switch, for packets from some of its ports only. Packets
    /// from other ports, such as ports to a WAN, may be dropped. @param node the switch
    /// @param ports the ports whose peers can be paused
    void InstallSwitch(Ptr<Node> node, const NetDeviceContainer& ports) const;

    /// Have hosts obey. A port without a SwitchPortQueueDisc gets one, with eight
    /// first-in-first-out classes. @param nodes the hosts
    void InstallHosts(const NodeContainer& nodes) const;

    /// Compute the headroom of a lossless priority of a port.
    ///
    /// It depends on the port's rate and MTU, the MTU of the peer, the delay of the link, the
    /// ResponseTime that is set here or else the response time of the switch's chip, the cells of
    /// the switch's memory, and the number of lossless priorities. Frames are assumed to have all
    /// possible tags.
    /// @param device the port
    /// @return the terms
    HeadroomTerms GetHeadroom(Ptr<NetDevice> device) const;

  private:
    /// @return bytes of headroom of an account of a port: the chip's, or GetHeadroom()'s
    uint64_t FindHeadroom(Ptr<EthernetNetDevice> device) const;

    /// Make the account of a port. @return the account
    Ptr<IngressBuffer> MakeIngress(Ptr<EthernetNetDevice> device) const;

    /// Give a port flow control. @return its flow control
    Ptr<PriorityFlowControl> InstallPort(Ptr<EthernetNetDevice> device) const;

    /// Give a host's port classes that can be paused, if it has none. @param device the port
    void InstallHostPort(Ptr<EthernetNetDevice> device) const;

    ObjectFactory m_controlFactory;       //!< makes the flow control of ports
    ObjectFactory m_ingressFactory;       //!< makes the accounts
    ObjectFactory m_hostPortFactory;      //!< makes the root queue disc of hosts
    std::vector<uint32_t> m_priorities;   //!< the lossless priorities
    std::set<std::string> m_ingressNames; //!< attributes of accounts that are set
    bool m_hasResponseTime{false};        //!< whether ResponseTime is set
    bool m_hasPriorities{false};          //!< whether Priorities is set
    bool m_hasHostBuffer{false};          //!< whether the memory of a host's port is set
};

} // namespace ns3::aidc

#endif // AIDC_PRIORITY_FLOW_CONTROL_HELPER_H
