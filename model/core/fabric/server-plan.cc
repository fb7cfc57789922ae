// SPDX-License-Identifier: GPL-2.0-only

#include "server-plan.h"

#include "../require-argument.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// @throws std::invalid_argument if a link has no rate or latency
void
CheckLink(const ScaleUpLink& link)
{
    AIDC_REQUIRE(
        link.rate > 0 && link.latency > 0,
        "expected a scale-up link with a rate above 0 and a latency of at least 1 ns, found " +
            std::to_string(link.rate) + " bit/s and " + std::to_string(link.latency) + " ns");
}

} // namespace

ServerPlan::ServerPlan(uint32_t gpusPerServer,
                       std::vector<NodeIndex> hosts,
                       std::vector<ScaleUpLink> links)
    : m_gpusPerServer(gpusPerServer),
      m_hosts(std::move(hosts)),
      m_links(std::move(links))
{
    AIDC_REQUIRE(gpusPerServer > 0 && m_hosts.size() % gpusPerServer == 0,
                 "expected a number of GPUs that is a multiple of the " +
                     std::to_string(gpusPerServer) + " GPUs of a server, found " +
                     std::to_string(m_hosts.size()));
    AIDC_REQUIRE(m_links.size() == 1 || m_links.size() == m_hosts.size(),
                 "expected a scale-up link for each of " + std::to_string(m_hosts.size()) +
                     " GPUs, found " + std::to_string(m_links.size()));
    for (const auto& link : m_links)
    {
        CheckLink(link);
    }
    std::map<NodeIndex, uint32_t> servers;
    for (uint32_t gpu = 0; gpu < GetNGpus(); ++gpu)
    {
        const uint32_t server = servers.emplace(m_hosts[gpu], GetServer(gpu)).first->second;
        if (server != GetServer(gpu))
        {
            throw std::invalid_argument("expected hosts with GPUs of one server, found host " +
                                        std::to_string(m_hosts[gpu].value) + " of servers " +
                                        std::to_string(server) + " and " +
                                        std::to_string(GetServer(gpu)));
        }
    }
}

void
ServerPlan::AddDirectLink(uint32_t a, uint32_t b, const ScaleUpLink& link)
{
    if (a == b || std::max(a, b) >= GetNGpus() || GetServer(a) != GetServer(b))
    {
        throw std::invalid_argument("expected a link between two GPUs of a server, found " +
                                    std::to_string(a) + " and " + std::to_string(b));
    }
    CheckLink(link);
    m_directLinks[std::minmax(a, b)] = link;
}

const ScaleUpLink*
ServerPlan::FindDirectLink(uint32_t a, uint32_t b) const
{
    const auto found = m_directLinks.find(std::minmax(a, b));
    return found == m_directLinks.end() ? nullptr : &found->second;
}

void
ServerPlan::SetServers(FabricPlan& fabric) const
{
    for (uint32_t gpu = 0; gpu < GetNGpus(); ++gpu)
    {
        fabric.SetServer(GetHost(gpu), GetServer(gpu));
    }
}

ServerPlan
MakeServers(FabricPlan& fabric, uint32_t gpusPerServer, const ScaleUpLink& link)
{
    ServerPlan servers(gpusPerServer, fabric.GetHosts(), {link});
    servers.SetServers(fabric);
    return servers;
}

namespace
{

constexpr uint32_t MAX_GPUS = 1U << 24;          //!< the most that addresses can number
constexpr uint32_t MAX_SERVER_SPINES = 1U << 20; //!< the most that addresses can number
constexpr uint64_t MAX_SERVER_LINKS = 1U << 26;  //!< more are a slip of the pen

/// Check a setting that counts something. @throws std::invalid_argument if it is 0 or above
void
CheckServerCount(const char* name, uint32_t value, uint32_t max = UINT32_MAX)
{
    AIDC_REQUIRE(value >= 1 && value <= max,
                 std::string("expected ") + name + " from 1 to " + std::to_string(max) +
                     ", found " + std::to_string(value));
}

void
CheckSettings(const ServerFabricSettings& settings)
{
    CheckServerCount("gpus", settings.gpus, MAX_GPUS);
    CheckServerCount("gpusPerServer", settings.gpusPerServer, MAX_GPUS);
    CheckServerCount("gpusPerLeaf", settings.gpusPerLeaf, MAX_GPUS);
    CheckServerCount("spines", settings.spines, MAX_SERVER_SPINES);
    CheckServerCount("leavesPerSpine", settings.leavesPerSpine);
    AIDC_REQUIRE(settings.gpus % settings.gpusPerServer == 0,
                 "expected gpus that are a multiple of gpusPerServer " +
                     std::to_string(settings.gpusPerServer) + ", found " +
                     std::to_string(settings.gpus));
    AIDC_REQUIRE(
        !settings.isDualPlane || (settings.isRailOptimized && settings.isDualHomed),
        "expected isDualPlane with isRailOptimized and isDualHomed only, found it without");
    AIDC_REQUIRE(!settings.isDualPlane || settings.spines % 2 == 0,
                 "expected an even number of spines of two planes, found " +
                     std::to_string(settings.spines));
}

const std::map<std::string, ServerFabricSettings>&
GetTemplates()
{
    static const auto templates = [] {
        std::map<std::string, ServerFabricSettings> all;
        all["spectrum-x"].gpus = 4096;

        auto& hpn = all["hpn"];
        hpn.gpus = 15360;
        hpn.isDualHomed = true;
        hpn.hostRate = 200000000000;
        hpn.gpusPerLeaf = 128;
        hpn.spines = 120;
        hpn.leavesPerSpine = 240;

        auto& dualPlane = all["hpn-dual-plane"];
        dualPlane = hpn;
        dualPlane.isDualPlane = true;
        dualPlane.leavesPerSpine = 120;

        auto& dcn = all["dcn+"];
        dcn.gpus = 512;
        dcn.isRailOptimized = false;
        dcn.spines = 8;
        dcn.leavesPerSpine = 8;

        auto& dualHomed = all["dcn+-dual-homed"];
        dualHomed = dcn;
        dualHomed.isDualHomed = true;
        dualHomed.hostRate = 200000000000;
        dualHomed.gpusPerLeaf = 128;
        return all;
    }();
    return templates;
}

} // namespace

ServerFabric
MakeServerFabric(const ServerFabricSettings& settings)
{
    CheckSettings(settings);
    const uint32_t nRails = settings.isRailOptimized ? settings.gpusPerServer : 1;
    const uint64_t gpusPerSegment = uint64_t{settings.gpusPerLeaf} * nRails;
    const auto nSegments =
        static_cast<uint32_t>((settings.gpus + gpusPerSegment - 1) / gpusPerSegment);
    const uint32_t nHomes = settings.isDualHomed ? 2 : 1;
    const uint32_t nPlanes = settings.isDualPlane ? 2 : 1;
    const uint32_t nFirstLeaves = nSegments * nRails;
    const uint32_t nLeaves = nHomes * nFirstLeaves;
    AIDC_REQUIRE(nLeaves / nPlanes <= settings.leavesPerSpine,
                 "expected at most " + std::to_string(settings.leavesPerSpine) +
                     " leaves at a spine (leavesPerSpine), found " +
                     std::to_string(nLeaves / nPlanes) + " for " + std::to_string(settings.gpus) +
                     " GPUs");
    AIDC_REQUIRE(uint64_t{nLeaves} * settings.spines <= MAX_SERVER_LINKS,
                 "expected at most " + std::to_string(MAX_SERVER_LINKS) +
                     " links of leaves and spines, found more");

    FabricPlan fabric(settings.isRailOptimized ? "rails" : "servers");
    std::vector<NodeIndex> hosts;
    for (uint32_t gpu = 0; gpu < settings.gpus; ++gpu)
    {
        hosts.push_back(fabric.AddNode(FabricTier::HOST, NO_POD, gpu));
    }
    for (uint32_t i = 0; i < nLeaves; ++i)
    {
        fabric.AddNode(FabricTier::LEAF, i, i);
    }
    for (uint32_t i = 0; i < settings.spines; ++i)
    {
        fabric.AddNode(FabricTier::SPINE, NO_POD, i);
    }
    for (uint32_t gpu = 0; gpu < settings.gpus; ++gpu)
    {
        const auto segment = static_cast<uint32_t>(gpu / gpusPerSegment);
        const uint32_t leaf = settings.gpus + segment * nRails + gpu % nRails;
        for (uint32_t home = 0; home < nHomes; ++home)
        {
            fabric.AddLink(hosts[gpu],
                           NodeIndex(leaf + home * nFirstLeaves),
                           settings.hostRate,
                           settings.delay);
        }
    }
    const uint32_t nSpines = settings.spines / nPlanes;
    for (uint32_t i = 0; i < nLeaves; ++i)
    {
        const uint32_t plane = i / nFirstLeaves % nPlanes;
        for (uint32_t j = plane * nSpines; j < (plane + 1) * nSpines; ++j)
        {
            fabric.AddLink(NodeIndex(settings.gpus + i),
                           NodeIndex(settings.gpus + nLeaves + j),
                           settings.spineRate,
                           settings.delay);
        }
    }
    fabric.Finish();
    ServerPlan servers(settings.gpusPerServer, std::move(hosts), {settings.scaleUp});
    servers.SetServers(fabric);
    return {std::move(fabric), std::move(servers)};
}

std::vector<std::string>
GetServerFabricTemplates()
{
    std::vector<std::string> names;
    for (const auto& [name, settings] : GetTemplates())
    {
        names.push_back(name);
    }
    return names;
}

ServerFabricSettings
GetServerFabricTemplate(const std::string& name)
{
    const auto found = GetTemplates().find(name);
    if (found == GetTemplates().end())
    {
        std::string known;
        for (const auto& other : GetServerFabricTemplates())
        {
            known += (known.empty() ? "" : ", ") + other;
        }
        throw std::invalid_argument("expected a template of server fabrics, one of " + known +
                                    "; found " + name);
    }
    return found->second;
}

} // namespace ns3::aidc
