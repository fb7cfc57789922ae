/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TOPOLOGY_SERVERS_H
#define AIDC_TOPOLOGY_SERVERS_H

#include "workload-file-reader.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-plan.h"
#include "ns3/server-plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The servers of a topology file in SimAI's format: NVSwitches, and the links of GPUs to
 *        them.
 *
 * GPUs are the nodes that are neither NVSwitches nor switches. Each gpusPerServer of them, by
 * ascending ids, are a server. The rates of a GPU's links to NVSwitches add up. A message takes the
 * delays of two links, from GPU to NVSwitch and from there to the other GPU.
 *
 * A server may have no links to NVSwitches; then its GPUs reach each other by the fabric. In a file
 * without NVSwitches, two GPUs of a server may have links of their own.
 */
class TopologyServers
{
  public:
    /// Constructor of a file without servers.
    TopologyServers() = default;

    /// @param gpusPerServer the number of GPUs of a server, at least 1
    /// @param nGpus the number of GPUs
    /// @param nvSwitches the ids of the NVSwitches, ascending
    /// @param allSwitches the ids of NVSwitches and switches, ascending
    TopologyServers(uint32_t gpusPerServer,
                    uint32_t nGpus,
                    std::vector<NodeIndex> nvSwitches,
                    std::vector<NodeIndex> allSwitches);

    /// @param id the id of a node in the file @return whether it is an NVSwitch
    bool IsNvSwitch(NodeIndex id) const;

    /// Get the number of a node without the NVSwitches. @param id the id of a node in the file, not
    /// of an NVSwitch
    NodeIndex GetNode(NodeIndex id) const;

    /// a: the id of one end of a link in the file; b: the id of the other end. @return whether the
    /// link is one of a server: at an NVSwitch, or between GPUs
    bool IsOfServer(NodeIndex a, NodeIndex b) const;

    /// Add a link of a server.
    /// @param reader the reader at the line of the link, for errors
    /// @param a the id of one end in the file
    /// @param b the id of the other end
    /// @param rate the rate in each direction
    /// @param nanoseconds the one-way delay
    /// @param errorRate the share that is lost, which must be 0
    /// @throws AidcInputError if it is not such a link
    void AddLink(const WorkloadFileReader& reader,
                 NodeIndex a,
                 NodeIndex b,
                 const DataRate& rate,
                 double nanoseconds,
                 double errorRate);

    /// @return what a user should know: repeated links, and servers without any
    std::vector<std::string> GetNotes() const;

    /// @param id the id of a GPU in the file @return whether it has all links that a server needs
    bool IsLinked(NodeIndex id) const;

    /// Make the plan. @param hosts the numbers of the GPUs, ascending @return the servers; without
    /// GPUs if the file has none
    ServerPlan MakePlan(const std::vector<NodeIndex>& hosts) const;

  private:
    /// Links of a GPU to NVSwitches, or of two GPUs.
    struct Links
    {
        uint64_t rate{0};      //!< bit/s of all of them
        double nanoseconds{0}; //!< the longest of their delays
    };

    /// Add a link of a GPU and an NVSwitch.
    void AddSwitchLink(const WorkloadFileReader& reader, NodeIndex nvSwitch, NodeIndex gpu);

    /// @return whether it is a GPU of a server
    bool IsGpu(NodeIndex id) const;

    /// @return its number among GPUs
    uint32_t GetGpu(NodeIndex id) const;

    uint32_t GetServer(NodeIndex id) const;

    uint32_t m_gpusPerServer{0};                              //!< 0 if there are no servers
    uint32_t m_nGpus{0};                                      //!< the number of GPUs
    std::set<uint32_t> m_linkedServers;                       //!< servers with links to NVSwitches
    std::vector<NodeIndex> m_nvSwitches;                      //!< ascending
    std::vector<NodeIndex> m_allSwitches;                     //!< ascending
    std::map<NodeIndex, Links> m_gpus;                        //!< by id, the links to NVSwitches
    std::map<std::pair<NodeIndex, NodeIndex>, Links> m_pairs; //!< by ids, links of two GPUs
    std::map<std::pair<NodeIndex, NodeIndex>, uint32_t> m_lines; //!< by ids, the first line
    std::vector<std::string> m_notes;                            //!< what a user should know
    std::map<NodeIndex, uint32_t> m_serverOf; //!< the server of each NVSwitch that has links
};

} // namespace ns3::aidc

#endif // AIDC_TOPOLOGY_SERVERS_H
