// SPDX-License-Identifier: GPL-2.0-only

#include "topology-file.h"

#include "ns3/data-rate.h"
#include "ns3/graph-fabric.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// ids: some ids, ascending. @return how many of them are lower
uint32_t
CountBelow(const std::vector<NodeIndex>& ids, NodeIndex id)
{
    return static_cast<uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

/// What the first two lines of a topology file announce (see TopologyFile).
struct TopologyHeader
{
    uint32_t line{0};                //!< the first line
    uint32_t nNodes{0};              //!< the number of nodes, with NVSwitches
    uint64_t nNvSwitches{0};         //!< the number of NVSwitches
    uint64_t nSwitches{0};           //!< the number of switches
    uint64_t nLinks{0};              //!< the number of links
    uint32_t gpusPerServer{0};       //!< the GPUs of a server; 0 if there are no servers
    std::vector<NodeIndex> switches; //!< the ids of the switches, in the order of the file
    std::set<NodeIndex> nvSwitches;  //!< the ids of the NVSwitches
    std::set<NodeIndex> allSwitches; //!< the ids of both
};

/// The servers of a topology file in SimAI's format: NVSwitches, and the links of GPUs to them.
///
/// GPUs are the nodes that are neither NVSwitches nor switches. Each gpusPerServer of them, by
/// ascending ids, are a server. The rates of a GPU's links to NVSwitches add up. A message takes
/// the delays of two links, from GPU to NVSwitch and from there to the other GPU.
///
/// A server may have no links to NVSwitches; then its GPUs reach each other by the fabric. In a
/// file without NVSwitches, two GPUs of a server may have links of their own.
class TopologyServers
{
  public:
    explicit TopologyServers(const TopologyHeader& header)
        : m_gpusPerServer(header.gpusPerServer),
          m_nGpus(header.nNodes - static_cast<uint32_t>(header.allSwitches.size())),
          m_nvSwitches(header.nvSwitches.begin(), header.nvSwitches.end()),
          m_allSwitches(header.allSwitches.begin(), header.allSwitches.end())
    {
    }

    /// @param id the id of a node in the file @return whether it is an NVSwitch
    bool IsNvSwitch(NodeIndex id) const
    {
        return std::binary_search(m_nvSwitches.begin(), m_nvSwitches.end(), id);
    }

    /// @return the number of a node, which is no NVSwitch, without the NVSwitches
    NodeIndex GetNode(NodeIndex id) const
    {
        return NodeIndex(id.value - CountBelow(m_nvSwitches, id));
    }

    /// @return whether a link is one of a server: at an NVSwitch, or between GPUs
    bool IsOfServer(NodeIndex a, NodeIndex b) const
    {
        return IsNvSwitch(a) || IsNvSwitch(b) || (IsGpu(a) && IsGpu(b));
    }

    /// Add a server's link by ids in the file. @throws AidcInputError if it is none, or loses data
    void AddLink(const WorkloadFileReader& reader,
                 NodeIndex a,
                 NodeIndex b,
                 uint64_t rate,
                 double nanoseconds,
                 double errorRate)
    {
        const bool isDirect = !IsNvSwitch(a) && !IsNvSwitch(b);
        const NodeIndex gpu = IsNvSwitch(a) ? b : a;
        const std::string name = isDirect
                                     ? "a link of two GPUs"
                                     : "NVSwitch " + std::to_string((IsNvSwitch(a) ? a : b).value);
        if (!isDirect)
        {
            AddSwitchLink(reader, IsNvSwitch(a) ? a : b, gpu);
        }
        else if (!m_nvSwitches.empty() || GetServer(a) != GetServer(b))
        {
            reader.Fail(
                m_nvSwitches.empty() ? "links of GPUs to switches, or to GPUs of their server"
                                     : "links of GPUs to switches, or to NVSwitches",
                "one of the GPUs " + std::to_string(a.value) + " and " + std::to_string(b.value));
        }
        if (errorRate != 0)
        {
            reader.Fail("an error rate of 0 at " + name + ", which loses nothing",
                        reader.GetFields()[4]);
        }
        if (nanoseconds < 1)
        {
            reader.Fail("a delay of at least 1ns at " + name, reader.GetFields()[3]);
        }
        const auto ends = std::minmax(a, b);
        const auto [first, isFirst] = m_lines.emplace(ends, reader.GetLine());
        if (!isFirst)
        {
            m_notes.push_back(std::to_string(reader.GetLine()) +
                              ": another link between the nodes " + std::to_string(a.value) +
                              " and " + std::to_string(b.value) + " of line " +
                              std::to_string(first->second) + "; their rates add up");
        }
        if (!isDirect)
        {
            m_linkedServers.insert(GetServer(gpu));
        }
        Links& links = isDirect ? m_pairs[ends] : m_gpus[gpu];
        links.rate += rate;
        links.nanoseconds = std::max(links.nanoseconds, nanoseconds);
    }

    /// @return what a user should know: repeated links, and servers without any
    std::vector<std::string> GetNotes() const
    {
        std::vector<std::string> notes = m_notes;
        const std::size_t nServers = m_nGpus / std::max(m_gpusPerServer, 1U);
        if (m_gpusPerServer > 1 && m_linkedServers.size() < nServers)
        {
            notes.push_back(
                "1: " + std::to_string(nServers - m_linkedServers.size()) +
                " servers have no NVSwitch: " +
                (m_pairs.empty() ? "their GPUs" : "GPUs that have no link of their own") +
                " reach each other by the network");
        }
        return notes;
    }

    /// @param id the id of a GPU in the file @return whether it has all links that a server needs
    bool IsLinked(NodeIndex id) const
    {
        return m_gpusPerServer <= 1 || m_gpus.count(id) > 0 ||
               m_linkedServers.count(GetServer(id)) == 0;
    }

    /// @return the servers of the GPUs, ascending; without GPUs if the file has none
    ServerPlan MakePlan(const std::vector<NodeIndex>& hosts) const
    {
        if (m_gpusPerServer == 0)
        {
            return {};
        }
        // GPUs that have no links to switches do not use theirs
        std::vector<ScaleUpLink> links(m_gpus.empty() ? 1 : hosts.size());
        for (const auto& [id, gpu] : m_gpus)
        {
            links[GetGpu(id)] = {gpu.rate, std::llround(2 * gpu.nanoseconds)};
        }
        ServerPlan plan(m_gpusPerServer, hosts, links);
        for (uint32_t server = 0; server < plan.GetNServers(); ++server)
        {
            if (m_linkedServers.count(server) == 0)
            {
                plan.RemoveSwitch(server);
            }
        }
        for (const auto& [ends, pair] : m_pairs)
        {
            plan.AddDirectLink(GetGpu(ends.first),
                               GetGpu(ends.second),
                               {pair.rate, std::llround(pair.nanoseconds)});
        }
        return plan;
    }

  private:
    /// Links of a GPU to NVSwitches, or of two GPUs.
    struct Links
    {
        uint64_t rate{0};      //!< bit/s of all of them
        double nanoseconds{0}; //!< the longest of their delays
    };

    void AddSwitchLink(const WorkloadFileReader& reader, NodeIndex nvSwitch, NodeIndex gpu)
    {
        const std::string name = "NVSwitch " + std::to_string(nvSwitch.value);
        if (!IsGpu(gpu))
        {
            reader.Fail("a link of " + name + " to a GPU",
                        "one to " + std::string(IsNvSwitch(gpu) ? "NVSwitch " : "switch ") +
                            std::to_string(gpu.value));
        }
        const uint32_t server = m_serverOf.emplace(nvSwitch, GetServer(gpu)).first->second;
        if (server != GetServer(gpu))
        {
            reader.Fail("links of " + name + " to GPUs of one server",
                        "GPU " + std::to_string(gpu.value) + " of server " +
                            std::to_string(GetServer(gpu)) + " and GPUs of server " +
                            std::to_string(server));
        }
    }

    bool IsGpu(NodeIndex id) const
    {
        return m_gpusPerServer > 0 &&
               !std::binary_search(m_allSwitches.begin(), m_allSwitches.end(), id);
    }

    uint32_t GetGpu(NodeIndex id) const
    {
        return id.value - CountBelow(m_allSwitches, id);
    }

    uint32_t GetServer(NodeIndex id) const
    {
        return GetGpu(id) / m_gpusPerServer;
    }

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

/// Read the numbers of the first line.
TopologyHeader
ReadNumbers(WorkloadFileReader& reader)
{
    static constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();
    static const std::string EXPECTED =
        "3 numbers: nodes switches links; PowerTCP's 4 numbers: nodes switches tors links; "
        "Reverie's 6 numbers: the same and two rates; or SimAI's 6 fields: nodes gpus_per_server "
        "nvswitches switches links gpu_type";

    if (!reader.Next())
    {
        reader.Fail(EXPECTED, "end of file");
    }
    const auto& fields = reader.GetFields();
    const std::size_t nFields = fields.size();
    if (nFields != 3 && nFields != 4 && nFields != 6)
    {
        reader.Fail(EXPECTED, reader.GetText());
    }
    TopologyHeader header;
    header.line = reader.GetLine();
    header.nNodes = static_cast<uint32_t>(reader.GetUnsigned(0, 1, MAX, "a number of nodes"));
    const uint64_t n = header.nNodes;
    // The type of GPU is a name; Reverie has rates there, which its links have again
    double rate = 0;
    const bool hasTors = nFields == 4 || (nFields == 6 && ParseNumber(fields[5], rate));
    if (nFields == 3 || hasTors)
    {
        header.nSwitches = reader.GetUnsigned(1, 0, n, "a number of switches");
        if (hasTors)
        {
            // Not used, as in the simulators
            reader.GetUnsigned(2, 0, header.nSwitches, "a number of ToR switches");
        }
        header.nLinks = reader.GetUnsigned(hasTors ? 3 : 2, 0, MAX, "a number of links");
        return header;
    }
    header.gpusPerServer =
        static_cast<uint32_t>(reader.GetUnsigned(1, 1, MAX, "a number of GPUs of a server"));
    header.nNvSwitches = reader.GetUnsigned(2, 0, n, "a number of NVSwitches");
    header.nSwitches =
        reader.GetUnsigned(3, 0, n - header.nNvSwitches, "a number of switches without NVSwitches");
    header.nLinks = reader.GetUnsigned(4, 0, MAX, "a number of links");
    const uint64_t nGpus = n - header.nNvSwitches - header.nSwitches;
    if (nGpus == 0 || nGpus % header.gpusPerServer != 0)
    {
        reader.Fail("a number of GPUs, nodes without switches, that is a multiple of the " +
                        std::to_string(header.gpusPerServer) + " of a server",
                    std::to_string(nGpus));
    }
    return header;
}

/// Read the ids of switches. header: what the first line announces.
void
ReadSwitches(WorkloadFileReader& reader, TopologyHeader& header)
{
    const uint64_t nIds = header.nNvSwitches + header.nSwitches;
    if (nIds == 0)
    {
        return;
    }
    reader.Require(nIds,
                   nIds == 1 ? "the id of 1 switch"
                             : std::to_string(nIds) + " ids of switches" +
                                   (header.gpusPerServer == 0 ? "" : ", NVSwitches first"));
    for (std::size_t i = 0; i < nIds; ++i)
    {
        const NodeIndex id(static_cast<uint32_t>(
            reader.GetUnsigned(i, 0, header.nNodes - 1, "the id of a switch")));
        if (!header.allSwitches.insert(id).second)
        {
            reader.Fail("each switch once", std::to_string(id.value) + " twice");
        }
        if (i < header.nNvSwitches)
        {
            header.nvSwitches.insert(id);
        }
        else
        {
            header.switches.push_back(id);
        }
    }
}

/// Read a rate with ns3::DataRate's units, or of bit/s as PowerTCP's and Reverie's. Its own reader
/// is asked for one unit, as its arithmetic does not check for overflow.
bool
ParseRate(const std::string& text, DataRate& rate)
{
    static constexpr double MAX = 1e15;
    static constexpr double MIN_WITHOUT_UNIT = 1e6;
    double number = 0;
    if (ParseNumber(text, number))
    {
        rate = DataRate(number <= MAX ? static_cast<uint64_t>(std::llround(number)) : 0);
        return number >= MIN_WITHOUT_UNIT && number <= MAX;
    }
    if (text.empty() || text.back() != 's')
    {
        return false;
    }
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    if (!ParseNumber(text.substr(0, digits), number))
    {
        return false;
    }
    std::istringstream unitStream("1" + text.substr(digits));
    DataRate unit;
    if (!(unitStream >> unit) || number * static_cast<double>(unit.GetBitRate()) > MAX)
    {
        return false;
    }
    std::istringstream stream(text);
    return (stream >> rate) && rate.GetBitRate() > 0;
}

/// Read a delay, which has a unit unless it is 0. @return whether it is one, up to one hour
bool
ParseDelay(const std::string& text, double& nanoseconds)
{
    struct Unit
    {
        const char* name;
        double perHour;
    };

    static constexpr Unit UNITS[] = {{"s", 3600},
                                     {"ms", 3600e3},
                                     {"us", 3600e6},
                                     {"ns", 3600e9},
                                     {"ps", 3600e12},
                                     {"fs", 3600e15},
                                     {"min", 60},
                                     {"h", 1}};

    // No unit begins with a character of a number
    const std::size_t last = text.find_last_of("0123456789.");
    const std::size_t digits = last == std::string::npos ? 0 : last + 1;
    double number = 0;
    if (!ParseNumber(text.substr(0, digits), number) || number < 0)
    {
        return false;
    }
    const std::string name = text.substr(digits);
    if (name.empty() && number == 0)
    {
        nanoseconds = 0;
        return true;
    }
    for (const auto& unit : UNITS)
    {
        if (name == unit.name)
        {
            if (number > unit.perHour)
            {
                return false;
            }
            nanoseconds = 3600e9 * (number / unit.perHour);
            return true;
        }
    }
    return false;
}

} // namespace

TopologyFile
TopologyFile::Read(const std::string& path)
{
    std::ifstream stream = WorkloadFileReader::Open(path);
    return Parse(stream, path);
}

TopologyFile
TopologyFile::Parse(std::istream& stream, const std::string& name)
{
    WorkloadFileReader reader(stream, name);
    TopologyHeader header = ReadNumbers(reader);
    ReadSwitches(reader, header);
    TopologyServers servers(header);
    TopologyFile topology;
    topology.m_name = name;
    topology.m_nNodes = header.nNodes - static_cast<uint32_t>(header.nNvSwitches);
    for (const NodeIndex id : header.switches)
    {
        topology.m_switches.push_back(servers.GetNode(id));
    }

    static const std::string FIELDS = ", 5 fields: a b rate delay error_rate";
    double nanoseconds = 0; // the delay of the last link
    const auto readLink = [&reader, &nanoseconds](uint64_t maxId) {
        FabricLink link;
        link.line = reader.GetLine();
        const auto readId = [&reader, maxId](std::size_t field) {
            return NodeIndex(
                static_cast<uint32_t>(reader.GetUnsigned(field, 0, maxId, "the id of a node")));
        };
        link.a = readId(0);
        link.b = readId(1);
        if (link.a == link.b)
        {
            reader.Fail("a link between two different nodes",
                        reader.GetFields()[0] + " " + reader.GetFields()[1]);
        }
        DataRate rate;
        if (!ParseRate(reader.GetFields()[2], rate))
        {
            reader.Fail("a rate above 0 and at most 1 Pb/s, such as 100Gbps",
                        reader.GetFields()[2]);
        }
        if (!ParseDelay(reader.GetFields()[3], nanoseconds))
        {
            reader.Fail("a delay from 0 to 1h, such as 3us (units: h min s ms us ns ps fs)",
                        reader.GetFields()[3]);
        }
        link.rate = rate.GetBitRate();
        link.delay = std::llround(nanoseconds);
        link.errorRate = reader.GetNumber(4, 0, 1, "an error rate from 0 to 1");
        return link;
    };
    std::set<NodeIndex> linked;
    std::size_t nRounded = 0;
    for (uint64_t i = 0; i < header.nLinks; ++i)
    {
        reader.Require(5,
                       "link " + std::to_string(i + 1) + " of " + std::to_string(header.nLinks) +
                           FIELDS);
        auto link = readLink(header.nNodes - 1);
        if (servers.IsOfServer(link.a, link.b))
        {
            servers.AddLink(reader, link.a, link.b, link.rate, nanoseconds, link.errorRate);
            continue;
        }
        const auto rounded = static_cast<double>(link.delay);
        if (std::abs(nanoseconds - rounded) > 1e-6 * nanoseconds && nRounded++ == 0)
        {
            topology.m_notes.push_back(std::to_string(link.line) + ": the delay " +
                                       reader.GetFields()[3] + " is rounded to " +
                                       std::to_string(link.delay) +
                                       "ns, and so are delays of other links");
        }
        linked.insert(link.a);
        linked.insert(link.b);
        link.a = servers.GetNode(link.a);
        link.b = servers.GetNode(link.b);
        topology.m_links.Add(link);
    }
    // Published files have spare links, of a larger network
    topology.m_trailingText = reader.SkipRest(5, "text or another link" + FIELDS, [&readLink] {
        readLink(std::numeric_limits<uint32_t>::max());
    });

    // This ends at the first node that nothing was said of, so it is bound by the size of the file
    for (NodeIndex id; id < NodeIndex(header.nNodes); ++id)
    {
        if (header.nvSwitches.count(id) > 0)
        {
            continue;
        }
        topology.m_ids.push_back(id);
        if (header.allSwitches.count(id) > 0)
        {
            continue;
        }
        if (linked.count(id) == 0)
        {
            throw AidcInputError(name,
                                 header.line,
                                 header.gpusPerServer == 0 ? "a link for each host"
                                                           : "a link of each GPU to a switch",
                                 (header.gpusPerServer == 0 ? "host " : "GPU ") +
                                     std::to_string(id.value) + " without a link");
        }
        if (!servers.IsLinked(id))
        {
            throw AidcInputError(name,
                                 header.line,
                                 "a link of each GPU to an NVSwitch",
                                 "GPU " + std::to_string(id.value) + " without a link");
        }
        topology.m_hosts.push_back(servers.GetNode(id));
    }
    topology.m_servers = servers.MakePlan(topology.m_hosts);
    for (std::string& note : servers.GetNotes())
    {
        topology.m_notes.push_back(std::move(note));
    }
    return topology;
}

FabricPlan
TopologyFile::GetFabric() const
{
    try
    {
        auto fabric = MakeFabric(m_name, m_nNodes, m_switches, m_links);
        m_servers.SetServers(fabric);
        return fabric;
    }
    catch (const std::invalid_argument& error)
    {
        const bool isRenumbered = m_ids.back() != NodeIndex(m_nNodes - 1);
        throw std::runtime_error(
            m_name + ": " + (isRenumbered ? "numbered without NVSwitches, " : "") + error.what());
    }
}

void
TopologyFile::PrintNotes() const
{
    NoteTrailingText(m_name, m_trailingText);
    for (const std::string& note : m_notes)
    {
        PrintUserLine("note: " + m_name + ":" + note);
    }
    std::map<std::pair<NodeIndex, NodeIndex>, uint32_t> lines;
    for (const auto& link : m_links)
    {
        const auto [first, isNew] = lines.emplace(std::minmax(link.a, link.b), link.line);
        if (!isNew)
        {
            std::ostringstream note;
            note << "note: " << m_name << ":" << link.line << ": another link between the nodes "
                 << m_ids[link.a.value] << " and " << m_ids[link.b.value] << " of line "
                 << first->second << "; they are parallel";
            PrintUserLine(note.str());
        }
    }
}

} // namespace ns3::aidc
