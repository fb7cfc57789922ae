// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_HELPER_H
#define AIDC_ROCE_HELPER_H

#include "factory-attribute.h"

#include "ns3/attribute.h"
#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/roce-message-endpoint.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Installs network adapters for RoCEv2 on hosts, and connects queue pairs.
///
/// Hosts must already have their Ethernet ports and addresses: with a FabricHelper, call it after
/// AssignAddresses(). Priority flow control pauses the adapters of hosts on which
/// PriorityFlowControlHelper::InstallHosts() was called, in either order.
class RoceHelper
{
  public:
    RoceHelper();

    /// @param name the name of an attribute of the adapters
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_factory, name, value);
    }

    /// Set the congestion control of queue pairs. Without it, they have DCQCN, unless a user has
    /// set the default of RoceNic's attribute.
    /// @tparam Args names and values of attributes in turn
    /// @param type the name of its TypeId; ns3::aidc::CongestionControl is none
    /// @param args attributes
    template <typename... Args>
    void SetCongestionControl(const std::string& type, const Args&... args)
    {
        m_factory.Set("CongestionControl", ObjectFactoryValue(MakeFactory(type, args...)));
    }

    /// Install adapters, with all Ethernet ports that have an IPv4 address, or whose host has.
    ///
    /// The program ends if a host has none.
    /// @param hosts the hosts
    void Install(const NodeContainer& hosts) const;

    /// @param host the host
    /// @return its adapter; the program ends if there is none
    static Ptr<RoceNic> GetNic(Ptr<Node> host);

    /// Connect a new queue pair of one host with a new one of another host.
    ///
    /// If hosts have several ports, the ports that have had the fewest queue pairs so far, at both
    /// ends together, are used. The ports at both ends have the same index, if both hosts have a
    /// port with this index: ports of different indices may be in networks that are not connected.
    /// @param a one host's adapter
    /// @param b the other host's adapter
    /// @param path the delays of the path between them, for congestion controls and timeouts;
    ///        timeouts measure unknown delays
    /// @return the numbers of the queue pairs, a's first
    static std::pair<uint32_t, uint32_t> Connect(Ptr<RoceNic> a,
                                                 Ptr<RoceNic> b,
                                                 const RocePath& path = RocePath());

    /// Connect a new queue pair of one host with a new one of another host. With several processes
    /// (MpiProcesses), each one calls it for the same hosts in the same order, of which one, both
    /// or none are its own (RemoteHost).
    /// @param a one host
    /// @param b the other host
    /// @param path as above
    /// @return the numbers of the queue pairs, a's first
    static std::pair<uint32_t, uint32_t> Connect(Ptr<Node> a,
                                                 Ptr<Node> b,
                                                 const RocePath& path = RocePath());

    /// Connect two hosts by a queue pair at each port of the host that has more of them; the ports
    /// at both ends have the same index as far as possible. Processes call it like Connect().
    /// @param a one host
    /// @param b the other host
    /// @param path as above
    /// @return the numbers of the queue pairs by port, a's first
    static std::vector<std::pair<uint32_t, uint32_t>> ConnectPorts(
        Ptr<Node> a,
        Ptr<Node> b,
        const RocePath& path = RocePath());

    /// @param host a host, which may be another process's
    /// @return the number of ports of its adapter
    static uint32_t GetNPorts(Ptr<Node> host);

    /// @param host a host
    /// @return whether this process simulates it, so that it has its adapter here
    static bool IsLocal(Ptr<Node> host);

  private:
    ObjectFactory m_factory; //!< makes adapters
};

/// Has switches write in-band telemetry, which HpccControl needs: installs an IntPort at each of
/// their Ethernet ports.
///
/// With a FabricHelper, call it with GetSwitches() after Build(). A packet's telemetry has room for
/// five switches.
class IntHelper
{
  public:
    /// Install switches. The program ends if a port has CSIG, or a rate without a code
    /// (FindIntRateCode()). With several processes (MpiProcesses), each installs its own.
    /// @param switches the switches
    static void Install(const NodeContainer& switches);
};

/// Connects the ranks of a plan by RoCEv2: a queue pair at each port of their hosts for any
/// two that send each other messages.
///
/// If a host has several ports, each message is divided over all queue pairs of its two ranks, as
/// NCCL divides it over the ports of an adapter, unless the user has set the default of the
/// attribute Striped of RoceMessageEndpoint.
class RoceRankHelper
{
  public:
    /// One end of the queue pairs of two ranks.
    struct End
    {
        RoceMessageEndpoint& endpoint; //!< gets the queue pairs
        Ptr<Node> host;                //!< the host of its adapter
        uint32_t peer{0};              //!< the rank that it knows the other end by
    };

    /// @param plan the plan
    /// @return pairs of ranks that send each other messages, the lower one first
    static std::set<std::pair<uint32_t, uint32_t>> GetPairs(const WorkloadPlan& plan);

    /// Get the factory of the endpoints of ranks: it decides whether they divide messages.
    /// @param hosts the hosts of all ranks
    /// @param nQueuePairs the queue pairs of two ranks at each port
    /// @param isStriped whether messages are divided over all queue pairs; by default as above
    /// @return the factory of RoceMessageEndpoint
    /// @throws std::runtime_error if the user wants messages divided, and two ranks have one queue
    ///         pair
    static ObjectFactory MakeFactory(const NodeContainer& hosts,
                                     uint32_t nQueuePairs = 1,
                                     std::optional<bool> isStriped = std::nullopt);

    /// @param factory makes endpoints
    /// @param host the host of a rank
    /// @return an endpoint with the adapter of the host, if this process simulates it
    static Ptr<RoceMessageEndpoint> MakeEndpoint(const ObjectFactory& factory, Ptr<Node> host);

    /// Connect two ranks.
    /// @param a one end
    /// @param b the other end
    /// @param path the delays of the path between them
    static void Connect(const End& a, const End& b, const RocePath& path);

    /// Connect the ranks, before the simulation begins.
    /// @param plan the plan
    /// @param hosts the host of each rank, as many as ranks, with a RoceNic (RoceHelper)
    /// @param path the delays of the longest path between them, for congestion controls and
    ///        timeouts
    /// @return the message endpoint of each rank, for RankApplicationHelper
    static std::vector<Ptr<MessageEndpoint>> Connect(const WorkloadPlan& plan,
                                                     const NodeContainer& hosts,
                                                     const RocePath& path = RocePath());
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_HELPER_H
