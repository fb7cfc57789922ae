/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SERVER_PLAN_H
#define AIDC_SERVER_PLAN_H

#include "fabric-plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The link of a GPU to the scale-up switch of its server (NVLink). Defaults: those of
///        SimAI's generator of topologies, for an H100.
struct ScaleUpLink
{
    uint64_t rate{2880000000000}; //!< bit/s in each direction, above 0
    int64_t latency{50};          //!< ns from this GPU to another one over the switch, above 0
};

/**
 * @ingroup aidc
 * @brief GPUs in servers, and their adapters in a fabric.
 *
 * A server has GPUs of consecutive numbers, all with a link to its scale-up switch, which is no
 * node of the fabric. The host of a GPU is its adapter: a host of the fabric of its own, or one
 * that several GPUs of the server share. The rail of a GPU is its place in its server: on a
 * rail-optimized fabric, GPUs of one rail have the same leaf.
 */
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

    /// @param gpu the GPU
    /// @return its server
    uint32_t GetServer(uint32_t gpu) const
    {
        return gpu / m_gpusPerServer;
    }

    /// @param gpu the GPU
    /// @return its rail: its place in the server, from 0
    uint32_t GetRail(uint32_t gpu) const
    {
        return gpu % m_gpusPerServer;
    }

    /// @param server the server
    /// @param rail the rail
    /// @return the GPU of the server on that rail
    uint32_t GetGpu(uint32_t server, uint32_t rail) const
    {
        return server * m_gpusPerServer + rail;
    }

    /// @param gpu the GPU
    /// @return its host in the fabric
    NodeIndex GetHost(uint32_t gpu) const
    {
        return m_hosts[gpu];
    }

    /// @param gpu the GPU
    /// @return its link to the scale-up switch
    const ScaleUpLink& GetScaleUpLink(uint32_t gpu) const
    {
        return m_links[m_links.size() == 1 ? 0 : gpu];
    }

    /// Connect two GPUs of a server by a link of their own, which takes the place of the switch.
    /// GPUs of a server without a switch reach each other by such links, or else by their adapters.
    /// @param a a GPU
    /// @param b another one of the same server
    /// @param link the link
    /// @throws std::invalid_argument if they are not two of one server, or the link is wrong
    void AddDirectLink(uint32_t a, uint32_t b, const ScaleUpLink& link);

    /// Have a server without a scale-up switch.
    /// @param server the server
    void RemoveSwitch(uint32_t server)
    {
        m_withoutSwitch.insert(server);
    }

    /// @param a a GPU
    /// @param b another one
    /// @return whether they are in one server that has a scale-up switch or a link of both
    bool AreConnected(uint32_t a, uint32_t b) const;

    /// @param a a GPU
    /// @param b another one
    /// @return the link of both; null if there is none
    const ScaleUpLink* FindDirectLink(uint32_t a, uint32_t b) const;

    /// Have a fabric keep the hosts of servers together (FabricPlan::SetServer()).
    /// @param fabric the fabric of the hosts
    void SetServers(FabricPlan& fabric) const;

  private:
    uint32_t m_gpusPerServer{0};        //!< GPUs of a server
    std::vector<NodeIndex> m_hosts;     //!< by GPU
    std::vector<ScaleUpLink> m_links;   //!< by GPU, or one of all
    std::set<uint32_t> m_withoutSwitch; //!< servers without a scale-up switch
    /// Links of two GPUs, the lower one first.
    std::map<std::pair<uint32_t, uint32_t>, ScaleUpLink> m_directLinks;
};

/// @ingroup aidc
/// @brief Make servers of the hosts of a fabric, each host a GPU: each consecutive hosts are one.
/// @param [in,out] fabric the fabric, finished, which then keeps the hosts of a server together
/// @param gpusPerServer the number of GPUs of a server, which divides that of hosts
/// @param link the link of each GPU to the scale-up switch
/// @return the servers
/// @throws std::invalid_argument if a value is out of range
ServerPlan MakeServers(FabricPlan& fabric, uint32_t gpusPerServer, const ScaleUpLink& link = {});

} // namespace ns3::aidc

#endif // AIDC_SERVER_PLAN_H
