// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_NETWORK_H
#define AIDC_FABRIC_NETWORK_H

#include "ns3/error-model.h"
#include "ns3/fabric-plan.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Preamble and gap, which are on the wire in addition to the octets that a port counts (IEEE
/// 802.3).
constexpr uint64_t PREAMBLE_AND_GAP = 20;

/// The bytes that a packet takes on a link in addition to its own.
struct FrameOverhead
{
    uint32_t bytes{0}; ///< all of it: header, check sequence, preamble, gap
    uint32_t gap{0};   ///< the part that follows the last bit of the frame
};

/// The packets of the ports of a network, of hosts and of switches.
struct FabricPacketCounts
{
    /// Packets whose sending over a link has begun: packet-hops. A packet counts once for each link
    /// of its path, its host's link included. MAC control (PAUSE, PFC) does not count.
    uint64_t sent{0};
    uint64_t dropped{0}; //!< packets dropped by root queue discs
    uint64_t marked{0};  //!< packets marked by root queue discs

    /// Add the packets of a port so far.
    /// @param device the port, of EthernetNetDevice or PointToPointNetDevice; others send nothing
    void Add(Ptr<NetDevice> device);

    /// @return the sums over all processes (MpiProcesses), each of which asks at the same point
    FabricPacketCounts GetSumOverProcesses() const;
};

/// The nodes and links of a FabricPlan, by their numbers in the plan.
///
/// Port i of a node is its device i. An error rate becomes a RateErrorModel with the unit packet at
/// both ends of a link.
///
/// In a parallel simulation (see MpiProcesses) each process builds its own nodes. The nodes of
/// other processes are empty, except for the ends of the links between the processes.
///
/// Asking for a node, a port or a host that the plan does not have is a std::runtime_error.
class FabricNetwork
{
  public:
    FabricNetwork(const FabricNetwork&) = delete;
    FabricNetwork& operator=(const FabricNetwork&) = delete;

    /// The devices at the ends of links.
    enum DeviceKind
    {
        ETHERNET,      //!< EthernetNetDevice
        POINT_TO_POINT //!< ns3::PointToPointNetDevice
    };

    /// @param kind the kind of devices, ETHERNET by default
    void SetDeviceKind(DeviceKind kind)
    {
        m_deviceKind = kind;
    }

    /// Set the MTU of all links.
    /// @param mtu the MTU in bytes, from 68 (RFC 791) to 65535; 9000 by default
    void SetMtu(uint32_t mtu);

    /// @return the MTU of all links in bytes
    uint16_t GetMtu() const;

    /// Get the bytes that a packet takes on a link in addition to its own.
    /// @return 2 bytes for PPP; 38 for Ethernet: header without tags, check sequence, preamble, gap
    FrameOverhead GetFrameOverhead() const;

    /// Add the names of nodes and ports to ns-3's Names.
    /// @param prefix the beginning of the names of nodes, for several fabrics
    void RegisterNames(const std::string& prefix = "") const;

    /// @return the packets so far of all ports, the hosts' included; with several processes
    ///         (MpiProcesses), each one asks at the same point
    FabricPacketCounts GetPacketCounts() const;

    /// @return the plan that was built
    const FabricPlan& GetFabric() const
    {
        return m_fabric;
    }

    /// @param id the id of a node in the plan @return whether this process simulates the node
    bool IsLocal(NodeIndex id) const;

    /// @param id the id of a node in the plan @return the node
    Ptr<Node> GetNode(NodeIndex id) const;

    /// @return the hosts of this process, by ascending id
    NodeContainer GetHosts() const
    {
        return GetLocal(m_fabric.GetHosts());
    }

    /// @return the switches of this process, by ascending id
    NodeContainer GetSwitches() const
    {
        return GetLocal(m_fabric.GetSwitches());
    }

    /// @param id the id of a node in the plan @return the address of the node
    Ipv4Address GetAddress(NodeIndex id) const
    {
        GetNode(id); // which checks
        return Ipv4Address(m_fabric.GetAddress(id));
    }

    /// id: the id of the node in the plan. @return the device, null if neither end of the link is
    /// of this process
    Ptr<NetDevice> GetPort(NodeIndex id, PortIndex port) const;

    /// @return the device of the host's first link
    Ptr<NetDevice> GetHostDevice(NodeIndex id) const
    {
        return GetDevice(GetPortsOfHost(id).front().link, id);
    }

    /// @param id the id of a host @return the port of the leaf at the host's first link
    Ptr<NetDevice> GetSwitchPort(NodeIndex id) const
    {
        const FabricPort& first = GetPortsOfHost(id).front();
        return GetDevice(first.link, first.peer);
    }

    /// @return the devices of all links of the host, by port
    NetDeviceContainer GetHostDevices(NodeIndex id) const;

    /// @param id the id of a host
    /// @return the ports of leaves that face the host, by the host's ports
    NetDeviceContainer GetSwitchPorts(NodeIndex id) const;

  protected:
    FabricNetwork() = default;
    ~FabricNetwork() = default;

    /// Make nodes and links. @param fabric the plan, finished
    void MakeNodesAndLinks(const FabricPlan& fabric);

    /// Assign fixed random variable streams to error models.
    /// @param stream the first stream to use
    /// @return the number of streams used: one for each end of a link with an error rate, whether
    ///         it is of this process or not
    int64_t AssignErrorStreams(int64_t stream);

    /// @return all nodes, by id
    const NodeContainer& GetNodes() const
    {
        return m_nodes;
    }

    /// @return two devices a link, at its ends a and b; null where they are another process's
    const std::vector<Ptr<NetDevice>>& GetDevices() const
    {
        return m_devices;
    }

  private:
    /// @return the nodes of this process
    NodeContainer GetLocal(const std::vector<NodeIndex>& ids) const;

    /// Find the links of a host.
    const FabricNodePorts& GetPortsOfHost(NodeIndex id) const;

    /// @return the device, null if neither end is of this process
    Ptr<NetDevice> GetDevice(LinkIndex link, NodeIndex id) const
    {
        return m_devices[2 * link.value + (m_fabric.GetLinks()[link].a == id ? 0 : 1)];
    }

    /// @param link the index of a link, whose devices are made
    void MakeLink(LinkIndex link);

    /// @return the name of the TypeId of the links' devices
    std::string GetDeviceType() const
    {
        return m_deviceKind == ETHERNET ? "ns3::aidc::EthernetNetDevice"
                                        : "ns3::PointToPointNetDevice";
    }

    DeviceKind m_deviceKind{ETHERNET};                     //!< the devices of links
    std::optional<uint16_t> m_mtu;                         //!< SetMtu()
    FabricPlan m_fabric{"none"};                           //!< the plan
    NodeContainer m_nodes;                                 //!< all nodes, by id
    std::vector<Ptr<NetDevice>> m_devices;                 //!< two a link: the ends a and b
    std::map<uint32_t, Ptr<RateErrorModel>> m_errorModels; //!< by 2 * link + end
};

/// The port of a network that has sent most, relative to the rate of its link.
struct BusiestPort
{
    std::string name; //!< its name in the plan, such as "leaf-3:spine-1"; empty if there is none
    double load{0};   //!< the share of the simulated time in which it has sent, with all overhead
};

/// Find the port that has sent most so far; if several have, the first one in the plan.
///
/// With several processes (MpiProcesses), each one asks at the same point.
/// @return the port; none before anything is simulated, or without Ethernet ports
BusiestPort FindBusiestPort(const FabricNetwork& network);

} // namespace ns3::aidc

#endif // AIDC_FABRIC_NETWORK_H
