// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TOPOLOGY_FILE_H
#define AIDC_TOPOLOGY_FILE_H

#include "workload-file-reader.h"

#include "ns3/fabric-plan.h"
#include "ns3/server-plan.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A topology in the format of public RoCE simulators that are based on ns-3.
///
/// The first line is `nodes switches links`, the second one the ids of the switches, and then each
/// link has a line `a b rate delay error_rate`. Nodes have the ids 0 to nodes - 1; nodes that are
/// not switches are hosts. Without switches the second line is missing or blank. Blank lines and
/// lines that begin with `#` may appear anywhere and are skipped.
///
/// - rate: a number and a unit as in ns3::DataRate (`100Gbps`), above 0 and at most 1 Pb/s; or a
///   number of bit/s from 1e6 on (`25000000000.0`).
/// - delay: a number and one of the units h, min, s, ms, us, ns, ps, fs, or none for seconds; from
///   0 to one hour. It is rounded to nanoseconds; the two links of an NVSwitch together.
/// - error_rate: from 0 to 1.
///
/// PowerTCP's files have four numbers in the first line, `nodes switches tors links`, and Reverie's
/// two rates after them. Tors and rates are not used, as in these simulators.
///
/// SimAI's files have six fields in the first line: `nodes gpus_per_server nvswitches switches
/// links gpu_type`. Hosts are GPUs; in the order of their ids, every gpus_per_server of them form a
/// server. The second line has the ids of the NVSwitches, then the ids of the switches. NVSwitches
/// are no nodes of the fabric: a link to them is a GPU's link to the scale-up switch of its server
/// (GetServers()), and the other nodes are numbered without them. Each GPU has links to NVSwitches
/// of its server, with an error rate of 0 and a delay, and to a switch. Without NVSwitches, GPUs of
/// a server may have links of their own. The type of GPU is not used.
///
/// Parallel links are legal, and a host may have links to several switches. An id out of range, a
/// switch listed twice, a link from a node to itself and a host without a link are errors. Lines
/// after the announced number of links are not read. The simulators that the format comes from do
/// not read them either, and their files keep remarks and spare links there; GetTrailingText()
/// counts such lines. Memory grows with the lines read, never with the numbers that the first line
/// announces.
class TopologyFile
{
  public:
    /// @return the topology in a file
    /// @throws AidcInputError if the file is not a topology
    static TopologyFile Read(const std::string& path);

    /// The same from a stream. name: for errors.
    static TopologyFile Parse(std::istream& stream, const std::string& name);

    /// @return the name of the file
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return the number of hosts and switches
    uint32_t GetNNodes() const
    {
        return m_nNodes;
    }

    /// @return the switches, in the order of the file
    const std::vector<NodeIndex>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return the hosts, ascending
    const std::vector<NodeIndex>& GetHosts() const
    {
        return m_hosts;
    }

    /// @return the links except links to NVSwitches, in the order of the file, and without ports
    const FabricLinks& GetLinks() const
    {
        return m_links;
    }

    /// Make the plan of the network: tiers and pods, addresses, ports.
    ///
    /// Nodes and links keep their numbers (see MakeFabric()), and hosts have their servers.
    /// @return the plan
    /// @throws std::runtime_error that names file and line, unless all links of hosts lead to
    ///         switches and each host can reach all others
    FabricPlan GetFabric() const;

    /// @return the servers; without GPUs if the file does not tell of servers
    const ServerPlan& GetServers() const
    {
        return m_servers;
    }

    /// @return the lines after the last link, which were not read
    const TrailingText& GetTrailingText() const
    {
        return m_trailingText;
    }

    /// Tell the user of possible mistakes that the format allows: records that are not read,
    /// repeated links between the same two nodes, servers without links, and delays that are
    /// rounded.
    void PrintNotes() const;

  private:
    std::string m_name;                //!< the name of the file
    uint32_t m_nNodes{0};              //!< the number of nodes
    std::vector<NodeIndex> m_switches; //!< the switches, in the order of the file
    std::vector<NodeIndex> m_hosts;    //!< the hosts, ascending
    FabricLinks m_links;               //!< the links
    std::vector<NodeIndex> m_ids;      //!< the ids of nodes in the file
    ServerPlan m_servers;              //!< the servers
    TrailingText m_trailingText;       //!< what follows them
    std::vector<std::string> m_notes;  //!< on servers and delays, with lines
};

} // namespace ns3::aidc

#endif // AIDC_TOPOLOGY_FILE_H
