// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SERVER_PLAN_H
#define AIDC_SERVER_PLAN_H

#include "fabric-plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The link of a GPU to the scale-up switch of its server (NVLink). The defaults are from SimAI's
/// generator of topologies, for an H100.
struct ScaleUpLink
{
    uint64_t rate{2880000000000}; //!< bit/s in each direction, above 0
    int64_t latency{50};          //!< ns from this GPU to another one over the switch, above 0
};

/// GPUs in servers, and their adapters in a fabric.
///
/// A server has GPUs of consecutive numbers, all with a link to its scale-up switch, which is no
/// node of the fabric. The host of a GPU is its adapter: its own host of the fabric, or one that
/// several GPUs of the server share. The rail of a GPU is its place in its server: on a
/// rail-optimized fabric, GPUs of one rail have the same leaf.
class ServerPlan
{
  public:
    /// Constructor without GPUs.
    ServerPlan() = default;

    /// @param gpusPerServer the number of GPUs of a server, at least 1
    /// @param hosts the host of each GPU, of whole servers; no host has GPUs of two servers
    /// @param links the link of each GPU to the scale-up switch, as many as GPUs, or one of all
    /// @throws std::invalid_argument if a value is out of range
    ServerPlan(uint32_t gpusPerServer,
               std::vector<NodeIndex> hosts,
               std::vector<ScaleUpLink> links = {ScaleUpLink()});

    /// @return the number of GPUs
    uint32_t GetNGpus() const
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    /// @return the number of GPUs of a server; 0 if there are no GPUs
    uint32_t GetGpusPerServer() const
    {
        return m_gpusPerServer;
    }

    /// @return the number of servers
    uint32_t GetNServers() const
    {
        return m_hosts.empty() ? 0 : GetNGpus() / m_gpusPerServer;
    }

    /// @return its server
    uint32_t GetServer(uint32_t gpu) const
    {
        return gpu / m_gpusPerServer;
    }

    /// @return its rail: its place in the server, from 0
    uint32_t GetRail(uint32_t gpu) const
    {
        return gpu % m_gpusPerServer;
    }

    /// @return the GPU of the server on that rail
    uint32_t GetGpu(uint32_t server, uint32_t rail) const
    {
        return server * m_gpusPerServer + rail;
    }

    /// @return its host in the fabric
    NodeIndex GetHost(uint32_t gpu) const
    {
        return m_hosts[gpu];
    }

    /// @return its link to the scale-up switch
    const ScaleUpLink& GetScaleUpLink(uint32_t gpu) const
    {
        return m_links[m_links.size() == 1 ? 0 : gpu];
    }

    /// Connect two GPUs of a server by a link of their own, which takes the place of the switch.
    /// GPUs of a server without a switch reach each other by such links, or else by their adapters.
    /// @throws std::invalid_argument if they are not two GPUs of one server, or the link is wrong
    void AddDirectLink(uint32_t a, uint32_t b, const ScaleUpLink& link);

    /// Have a server without a scale-up switch.
    void RemoveSwitch(uint32_t server)
    {
        m_withoutSwitch.insert(server);
    }

    /// @return whether they are in one server that has a scale-up switch or a link of both
    bool AreConnected(uint32_t a, uint32_t b) const
    {
        return GetServer(a) == GetServer(b) &&
               (m_withoutSwitch.count(GetServer(a)) == 0 || FindDirectLink(a, b));
    }

    /// @return the link of both; null if there is none
    const ScaleUpLink* FindDirectLink(uint32_t a, uint32_t b) const;

    /// Have the fabric keep the hosts of each server together (FabricPlan::SetServer()).
    void SetServers(FabricPlan& fabric) const;

  private:
    uint32_t m_gpusPerServer{0};        //!< GPUs of a server
    std::vector<NodeIndex> m_hosts;     //!< by GPU
    std::vector<ScaleUpLink> m_links;   //!< by GPU, or one of all
    std::set<uint32_t> m_withoutSwitch; //!< servers without a scale-up switch
    /// Links of two GPUs, the lower one first.
    std::map<std::pair<uint32_t, uint32_t>, ScaleUpLink> m_directLinks;
};

/// Make servers of the hosts of a fabric: each host is a GPU, consecutive hosts are a server.
/// @param [in,out] fabric the fabric, finished, which then keeps the hosts of a server together
/// @param gpusPerServer the number of GPUs of a server, which divides the number of hosts
/// @param link the link of each GPU to the scale-up switch
/// @return the servers
/// @throws std::invalid_argument if a value is out of range
ServerPlan MakeServers(FabricPlan& fabric, uint32_t gpusPerServer, const ScaleUpLink& link = {});

/// Options of MakeServerFabric(). The defaults are from SimAI's generator with `--ro`.
struct ServerFabricSettings
{
    uint32_t gpus{32};           //!< GPUs, whole servers
    uint32_t gpusPerServer{8};   //!< GPUs of a server, at least 1
    bool isRailOptimized{true};  //!< whether GPUs of a server have a leaf each, not all the same
    bool isDualHomed{false};     //!< whether each GPU has links to two leaves
    bool isDualPlane{false};     //!< whether the two leaves are of two planes with their own spines
    uint32_t gpusPerLeaf{64};    //!< most GPUs with a link to one leaf, at least 1
    uint32_t spines{64};         //!< spines of all planes, at least 1
    uint32_t leavesPerSpine{64}; //!< most leaves with a link to one spine
    uint64_t hostRate{400000000000};  //!< bit/s of each of a GPU's links to leaves
    uint64_t spineRate{400000000000}; //!< bit/s of a link of leaf and spine
    int64_t delay{500};               //!< ns of all links of the fabric
    ScaleUpLink scaleUp;              //!< the link of a GPU to the scale-up switch
};

/// A fabric and its servers.
struct ServerFabric
{
    FabricPlan fabric;  //!< the fabric, whose hosts are GPUs
    ServerPlan servers; //!< the servers
};

/// Make servers and their fabric of leaves and spines, by the rules of SimAI's generator of
/// topologies (aliyun/SimAI, inputs/topo/gen_Topo_Template.py).
///
/// Hosts come first, and host i is GPU i. Leaves and spines follow: with dual-homed GPUs, first
/// leaves come before second leaves, and with two planes, spines of the first plane before spines
/// of the second.
///
/// - Rail-optimized: gpusPerLeaf servers are a segment. GPU r of each of its servers has a link to
///   leaf r of the segment.
/// - Otherwise, gpusPerLeaf consecutive GPUs have a link to the same leaf.
/// - Dual-homed: each leaf has a second one, to which its GPUs have a second link.
/// - Each leaf has a link to each spine (with two planes, of its plane).
///
/// A segment may be incomplete. There is one pod: leavesPerSpine limits its size.
/// @param settings the settings
/// @return the fabric, finished, and the servers
/// @throws std::invalid_argument if a setting is out of range
ServerFabric MakeServerFabric(const ServerFabricSettings& settings);

/// @return the names of SimAI's templates of fabrics, for GetServerFabricTemplate(): spectrum-x
///         (rail-optimized), hpn (Alibaba HPN: dual-homed rails), hpn-dual-plane, dcn+ (leaves of
///         consecutive GPUs), dcn+-dual-homed
std::vector<std::string> GetServerFabricTemplates();

/// @param name the name of a template
/// @return its settings
/// @throws std::invalid_argument if there is no such template
ServerFabricSettings GetServerFabricTemplate(const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_SERVER_PLAN_H
