/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-file.h"

#include "ns3/graph-fabric.h"
#include "ns3/warning.h"

#include <algorithm>
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

/// Read a data rate, which has a unit.
///
/// The units are those of ns3::DataRate, whose own reader is asked for one unit of it; its
/// arithmetic is checked for overflow beforehand, because it has no such check.
/// @param text the text
/// @param rate where the rate goes
/// @return whether the text is a rate above 0 and at most 1 Pb/s
bool
ParseRate(const std::string& text, DataRate& rate)
{
    static constexpr double MAX = 1e15;
    // ns-3 takes a number without a unit as bit/s
    if (text.empty() || text.back() != 's')
    {
        return false;
    }
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    if (!WorkloadFileReader::ParseNumber(text.substr(0, digits), number))
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

/// Read a delay, which has a unit unless it is 0.
/// @param text the text
/// @param delay where the delay goes
/// @return whether the text is a delay from 0 to one hour
bool
ParseDelay(const std::string& text, Time& delay)
{
    struct Unit
    {
        const char* name;
        Time::Unit unit;
        double perHour;
    };

    static constexpr Unit UNITS[] = {{"s", Time::S, 3600},
                                     {"ms", Time::MS, 3600e3},
                                     {"us", Time::US, 3600e6},
                                     {"ns", Time::NS, 3600e9},
                                     {"ps", Time::PS, 3600e12},
                                     {"fs", Time::FS, 3600e15},
                                     {"min", Time::MIN, 60},
                                     {"h", Time::H, 1}};

    // No unit begins with a character of a number
    const std::size_t last = text.find_last_of("0123456789.");
    const std::size_t digits = last == std::string::npos ? 0 : last + 1;
    double number = 0;
    if (!WorkloadFileReader::ParseNumber(text.substr(0, digits), number) || number < 0)
    {
        return false;
    }
    const std::string name = text.substr(digits);
    if (name.empty() && number == 0)
    {
        delay = Time();
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
            delay = Time::FromDouble(number, unit.unit);
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
    static constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();

    WorkloadFileReader reader(stream, name);
    TopologyFile topology;
    topology.m_name = name;

    reader.Require(3, "3 numbers: nodes switches links");
    const uint32_t headerLine = reader.GetLine();
    const auto nNodes = static_cast<uint32_t>(reader.GetUnsigned(0, 1, MAX, "a number of nodes"));
    const uint64_t nSwitches = reader.GetUnsigned(1, 0, nNodes, "a number of switches");
    const uint64_t nLinks = reader.GetUnsigned(2, 0, MAX, "a number of links");
    topology.m_nNodes = nNodes;

    std::set<NodeIndex> switches;
    if (nSwitches > 0)
    {
        const std::string count = std::to_string(nSwitches);
        reader.Require(nSwitches,
                       nSwitches == 1 ? "the id of 1 switch" : count + " ids of switches");
        for (std::size_t i = 0; i < nSwitches; ++i)
        {
            const NodeIndex id(
                static_cast<uint32_t>(reader.GetUnsigned(i, 0, nNodes - 1, "the id of a switch")));
            if (!switches.insert(id).second)
            {
                reader.Fail("each switch once", std::to_string(id.value) + " twice");
            }
            topology.m_switches.push_back(id);
        }
    }
    topology.m_sortedSwitches.assign(switches.begin(), switches.end());

    static const std::string FIELDS = ", 5 fields: a b rate delay error_rate";
    const auto readLink = [&reader](uint64_t maxId) {
        TopologyLink link;
        link.line = reader.GetLine();
        link.a =
            NodeIndex(static_cast<uint32_t>(reader.GetUnsigned(0, 0, maxId, "the id of a node")));
        link.b =
            NodeIndex(static_cast<uint32_t>(reader.GetUnsigned(1, 0, maxId, "the id of a node")));
        if (link.a == link.b)
        {
            reader.Fail("a link between two different nodes",
                        reader.GetFields()[0] + " " + reader.GetFields()[1]);
        }
        if (!ParseRate(reader.GetFields()[2], link.rate))
        {
            reader.Fail("a rate above 0 and at most 1 Pb/s, such as 100Gbps",
                        reader.GetFields()[2]);
        }
        if (!ParseDelay(reader.GetFields()[3], link.delay))
        {
            reader.Fail("a delay from 0 to 1h, such as 3us (units: h min s ms us ns ps fs)",
                        reader.GetFields()[3]);
        }
        link.errorRate = reader.GetNumber(4, 0, 1, "an error rate from 0 to 1");
        return link;
    };
    std::set<NodeIndex> linked;
    for (uint64_t i = 0; i < nLinks; ++i)
    {
        reader.Require(5,
                       "link " + std::to_string(i + 1) + " of " + std::to_string(nLinks) + FIELDS);
        topology.m_links.push_back(readLink(nNodes - 1));
        linked.insert(topology.m_links.back().a);
        linked.insert(topology.m_links.back().b);
    }
    // Published files have spare links, of a larger network
    topology.m_trailingText =
        reader.SkipRest(5, "text or another link" + FIELDS, [&readLink] { readLink(MAX); });

    // This ends at the first node that nothing was said of, so it is bound by the size of the file
    for (NodeIndex id; id < NodeIndex(nNodes); ++id)
    {
        if (switches.count(id) > 0)
        {
            continue;
        }
        if (linked.count(id) == 0)
        {
            throw AidcInputError(name,
                                 headerLine,
                                 "a link for each host",
                                 "host " + std::to_string(id.value) + " without a link");
        }
        topology.m_hosts.push_back(id);
    }
    return topology;
}

bool
TopologyFile::IsSwitch(NodeIndex id) const
{
    return std::binary_search(m_sortedSwitches.begin(), m_sortedSwitches.end(), id);
}

bool
TopologyFile::IsHost(NodeIndex id) const
{
    return id < NodeIndex(m_nNodes) && !IsSwitch(id);
}

FabricPlan
TopologyFile::GetFabric() const
{
    FabricLinks links;
    for (const auto& link : m_links)
    {
        FabricLink plan;
        plan.a = link.a;
        plan.b = link.b;
        plan.rate = link.rate.GetBitRate();
        plan.delay = link.delay.GetNanoSeconds();
        plan.errorRate = link.errorRate;
        plan.line = link.line;
        links.Add(plan);
    }
    try
    {
        return MakeFabric(m_name, m_nNodes, m_switches, links);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(m_name + ": " + error.what());
    }
}

void
TopologyFile::PrintNotes() const
{
    NoteTrailingText(m_name, m_trailingText);
    std::map<std::pair<NodeIndex, NodeIndex>, uint32_t> lines;
    for (const auto& link : m_links)
    {
        const auto [first, isNew] = lines.emplace(std::minmax(link.a, link.b), link.line);
        if (!isNew)
        {
            std::ostringstream note;
            note << "note: " << m_name << ":" << link.line << ": another link between the nodes "
                 << link.a << " and " << link.b << " of line " << first->second
                 << "; they are parallel";
            PrintUserLine(note.str());
        }
    }
}

} // namespace ns3::aidc
