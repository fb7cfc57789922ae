// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_PLAN_H
#define AIDC_FABRIC_PLAN_H

#include "fabric-elements.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// An IPv4 prefix.
struct FabricPrefix
{
    uint32_t network{0}; //!< the network, in host byte order
    uint8_t length{0};   //!< the number of its leading bits that count, 0 to 32
};

/// The networks of the addresses of a FabricPlan. Connected fabrics of one simulation need
/// different networks.
struct FabricNetworks
{
    FabricPrefix leaves{0x0a000000, 8};  //!< of leaves and hosts, at most 24 bits long
    FabricPrefix spines{0xac100000, 12}; //!< of spines and super-spines, at most 30 bits long
};

/// The numbers of the elements that have addresses in a FabricPlan.
struct FabricSizes
{
    uint32_t nPods{1};   //!< pods, at least 1
    uint32_t nLeaves{1}; //!< leaves of the largest pod, at least 1
    uint32_t nHosts{0};  //!< hosts of the leaf that has the most
    uint32_t nSpines{0}; //!< spines and super-spines
};

/// Divide the addresses of leaves and hosts (see FabricPlan).
/// @param networks the networks
/// @param sizes the numbers of the elements to be addressed
/// @param isLeafAPod whether each leaf is a pod of its own
/// @return the bits that number the pod, and the bits that number the leaf in its pod
/// @throws std::invalid_argument if a network is no prefix or too long, or there are not enough
///         addresses
std::pair<uint32_t, uint32_t> DivideAddresses(const FabricNetworks& networks,
                                              const FabricSizes& sizes,
                                              bool isLeafAPod);

/// The plan of a network of hosts and switches: nodes, links, names, addresses, processes.
///
/// Nodes and links are numbered from 0 in the order of AddNode() and AddLink(). Finish() checks the
/// plan. Getters whose comment says "after Finish()" must not be called before.
///
/// A fabric has pods. With super-spines, leaves and spines are grouped into pods, which only
/// super-spines connect. Without, each leaf is a pod of its own.
///
/// A host has links to one leaf or to several, for example with dual homing, or with a network
/// interface for each rail. Switches that are connected by links between switches are a plane. A
/// host may have links to several planes.
///
/// Addresses are regular, so that routes can be aggregated (compare section 3.2 of Al-Fares et al.,
/// "A scalable, commodity data center network architecture", SIGCOMM 2008):
///
///     10.0.0.0/8   00001010 | pod | leaf in the pod | host at the leaf
///
/// If pods are groups of leaves, each part has 8 bits, 10.pod.leaf.host. If each leaf is a pod, the
/// pod has 16 bits and the leaf none, 10.pod.pod.host. If this does not fit, pods and leaves have
/// as few bits as they need, and the host has the rest. In the prefix of a leaf, the first address
/// is the leaf's own, its hosts follow, and the address with all host bits set is not used. Spines
/// and super-spines have the addresses from 172.16.0.1 on. The same holds in other networks: a host
/// has 8 bits, and pods and leaves share the others.
///
/// A host has one address, whatever the number of its links. It has the prefix of its leaf, or of
/// the set of its leaves (see FabricAttachment). A set is numbered after the leaves of its pod, or
/// as a pod of its own. Hosts of a prefix, and spines and super-spines, have addresses in the order
/// of their nodes.
///
/// This is a plan only: nothing here moves packets.
class FabricPlan
{
  public:
    /// Constructor of a fabric without nodes. @param name the name of the fabric
    explicit FabricPlan(const std::string& name)
        : m_name(name)
    {
    }

    /// Add a node.
    /// @param tier its tier
    /// @param pod its pod, or NO_POD for a switch of the top tier; a host's is replaced by its
    ///        leaf's in Finish()
    /// @param index its number in the tier or, below super-spines, among its pod's leaves or spines
    /// @return its number
    NodeIndex AddNode(FabricTier tier, uint32_t pod, uint32_t index);

    /// Add a link. Parallel links are legal.
    /// @param a the node at one end
    /// @param b the node at the other end
    /// @param rate bit/s in each direction, above 0
    /// @param delay one-way propagation delay in ns, at least 0
    /// @param errorRate share of packets lost in each direction, 0 to 1
    /// @param line the line of a file, which errors name, or 0
    /// @return its number
    /// @throws std::invalid_argument if a value is out of range
    LinkIndex AddLink(NodeIndex a,
                      NodeIndex b,
                      uint64_t rate,
                      int64_t delay,
                      double errorRate = 0,
                      uint32_t line = 0);

    /// Check the plan and assign addresses.
    ///
    /// Each host has links, to leaves. The pods, and the leaves of each pod, are counted from 0
    /// without gaps. Links join nodes of one pod, or a super-spine (only where there are
    /// super-spines). Every switch reaches every other one, or all hosts reach each other over
    /// planes that they share. The addresses are sufficient.
    /// @throws std::invalid_argument if any of this does not hold
    void Finish();

    /// Put a host into a server, before AssignProcesses(): its hosts are GPUs, which stay together.
    /// @param host the host @param server the number of the server
    void SetServer(NodeIndex host, uint32_t server)
    {
        m_nodes[host].server = server;
    }

    /// Set the networks of addresses, before or after Finish(). Defaults: 10.0.0.0/8 for leaves and
    /// hosts, 172.16.0.0/12 for other switches.
    /// @throws std::invalid_argument after Finish(), if the addresses are not sufficient
    void SetNetworks(const FabricNetworks& networks);

    /// @return the networks of addresses
    const FabricNetworks& GetNetworks() const
    {
        return m_networks;
    }

    /// @return the name of the fabric
    const std::string& GetName() const
    {
        return m_name;
    }

    /// Get the number of nodes. @return hosts and switches
    uint32_t GetNNodes() const
    {
        return static_cast<uint32_t>(m_nodes.size());
    }

    /// @param node its number @return the node
    const FabricNode& GetNode(NodeIndex node) const
    {
        return m_nodes[node];
    }

    /// @return the links
    const FabricLinks& GetLinks() const
    {
        return m_links;
    }

    /// @return its ports in their order, with their links and peers
    const FabricNodePorts& GetPorts(NodeIndex node) const
    {
        return m_ports[node];
    }

    /// Get the hosts, after Finish(). @return their nodes, ascending
    const std::vector<NodeIndex>& GetHosts() const
    {
        return m_hosts;
    }

    /// Get the switches, after Finish(). @return their nodes, ascending
    const std::vector<NodeIndex>& GetSwitches() const
    {
        return m_switches;
    }

    /// Get the leaves, after Finish().
    /// @return their nodes, in the order of their addresses: by pod and index
    const std::vector<NodeIndex>& GetLeaves() const
    {
        return m_leaves;
    }

    /// Get the number of pods, after Finish(). @return pods; without super-spines, leaves
    uint32_t GetNPods() const
    {
        return m_nPods;
    }

    /// @param host a host @return the leaf of its first link, after Finish()
    NodeIndex GetLeaf(NodeIndex host) const
    {
        return m_ports[host].front().peer;
    }

    /// Get the attachments of hosts, after Finish().
    /// @return each leaf, and each set of leaves that hosts have links to; by pod and number
    const std::vector<FabricAttachment>& GetAttachments() const
    {
        return m_attachments;
    }

    /// Get the attachment of a host, after Finish().
    /// @param host the node of the host, or of a leaf for the leaf alone
    /// @return its index in GetAttachments()
    uint32_t GetAttachment(NodeIndex host) const
    {
        return m_attachmentOf[host];
    }

    /// @param node a switch @return its plane, from 0, after Finish()
    uint32_t GetPlane(NodeIndex node) const
    {
        return m_planes[node];
    }

    /// Tell whether a host has links to several leaves, or several to one.
    /// @param host the node of the host
    /// @return whether it has more than one
    bool HasSeveralLinks(NodeIndex host) const
    {
        return m_ports[host].size() > 1;
    }

    /// @param node the node @return whether it is a host
    bool IsHost(NodeIndex node) const
    {
        return m_nodes[node].tier == FabricTier::HOST;
    }

    /// @param node the node @return whether it is a switch
    bool IsSwitch(NodeIndex node) const
    {
        return !IsHost(node);
    }

    /// @param id a switch @return its ports to switches of a higher tier
    std::vector<PortIndex> GetUplinks(NodeIndex id) const;

    /// Get the name of a node, after Finish().
    /// @return such as host-12, leaf-3, spine-1; with super-spines pod-2-leaf-3, pod-2-spine-0,
    ///         super-spine-5
    std::string GetNodeName(NodeIndex node) const;

    /// Get the name of a port, after Finish().
    /// @return such as leaf-3:spine-1; where links are parallel leaf-3:spine-1.1, leaf-3:spine-1.2
    std::string GetPortName(NodeIndex node, PortIndex port) const;

    /// Get the address of a node, after Finish().
    /// @return its IPv4 address, in host byte order
    uint32_t GetAddress(NodeIndex node) const
    {
        return m_addresses[node];
    }

    /// @param leaf the node of the leaf
    /// @return the prefix of the leaf and the hosts that have links to it alone, after Finish()
    FabricPrefix GetLeafPrefix(NodeIndex leaf) const
    {
        return GetAttachmentPrefix(GetAttachment(leaf));
    }

    /// @param attachment its index in GetAttachments()
    /// @return the prefix of the hosts of the attachment, after Finish()
    FabricPrefix GetAttachmentPrefix(uint32_t attachment) const;

    /// @param pod the pod, as an attachment has it
    /// @return the prefix of the pod, after Finish()
    FabricPrefix GetPodPrefix(uint32_t pod) const;

    /// Distribute the nodes over the processes of a parallel simulation, after Finish().
    ///
    /// Processes have about the same load by the rates of ports, and links between processes have
    /// low rates. Servers stay whole, a host with one leaf and no other hosts in its server is with
    /// the leaf, and pods stay whole where that is no worse (DistributeOverProcesses).
    /// @param nProcesses the number of processes, from 1 to the number of leaves
    /// @throws std::invalid_argument if the number is out of range
    void AssignProcesses(uint32_t nProcesses);

    /// Put nodes on processes of the caller's choice, after Finish().
    /// @param processes the process of each node @param nProcesses the number of processes
    /// @throws std::invalid_argument if there is not a process for each node, or one is out of
    ///        range
    void SetProcesses(const IndexedVector<NodeIndex, uint32_t>& processes, uint32_t nProcesses);

    /// @return the number of processes, 1 before AssignProcesses()
    uint32_t GetNProcesses() const
    {
        return m_nProcesses;
    }

    /// Get the process of a node, after Finish().
    /// @return its process, 0 before AssignProcesses()
    uint32_t GetProcess(NodeIndex node) const
    {
        return m_processes[node];
    }

  private:
    /// List hosts, switches and leaves.
    void ListNodes();

    void FindAttachments();

    /// Assign all addresses. @throws std::invalid_argument if addresses are not sufficient
    void AssignAddresses();

    std::string m_name;                                //!< the name of the fabric
    FabricNodes m_nodes;                               //!< the nodes
    FabricLinks m_links;                               //!< the links
    FabricPorts m_ports;                               //!< the ports of each node
    std::vector<NodeIndex> m_hosts;                    //!< the hosts, ascending
    std::vector<NodeIndex> m_switches;                 //!< the switches, ascending
    std::vector<NodeIndex> m_leaves;                   //!< the leaves, by pod and index
    std::vector<FabricAttachment> m_attachments;       //!< by pod and number
    IndexedVector<NodeIndex, uint32_t> m_attachmentOf; //!< of each leaf and host
    IndexedVector<NodeIndex, uint32_t> m_planes;       //!< the plane of each switch
    FabricNetworks m_networks;                         //!< the networks of addresses
    uint32_t m_podBits{16};                            //!< bits that number the pod
    uint32_t m_leafBits{0};                            //!< bits that number the leaf in its pod
    IndexedVector<NodeIndex, uint32_t> m_addresses;    //!< the address of each node
    IndexedVector<NodeIndex, uint32_t> m_processes;    //!< the process of each node
    uint32_t m_nProcesses{1};                          //!< the number of processes
    uint32_t m_nPods{0};                               //!< the number of pods
    bool m_hasSuperSpines{false};                      //!< whether the fabric has super-spines
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_PLAN_H
