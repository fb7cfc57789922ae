// SPDX-License-Identifier: GPL-2.0-only

// Speakers that tell each other routes over links that fail, in random order: in the end all have
// the routes of an oracle, which knows Clos networks and the draft (draft-xu-idr-fare, section
// "Solution Description"), but neither messages nor the decision process. Rates are multiples of
// 100 Gbit/s, so that in a fabric of this size only shares of uplinks are rounded.

#include "bgp-fabric.h"
#include "test/core/core-test.h"

constexpr auto LEAF = PathBandwidthTier::LEAF;
constexpr auto SPINE = PathBandwidthTier::SPINE;
constexpr auto SUPER_SPINE = PathBandwidthTier::SUPER_SPINE;
constexpr auto HOST = PathBandwidthTier::HOST;
constexpr double GB = 1e9;
constexpr double MAX = 65504 * GB;

/// What the oracle knows of a switch and a prefix.
struct Known
{
    std::optional<uint32_t> distance{};    //!< hops to the nearest origin
    std::map<uint32_t, double> weights{};  //!< of the links that lead there
    double transitive{0};                  //!< what the switch advertises, bytes a second
    std::optional<double> nonTransitive{}; //!< and what it attaches
};

/// The routes that all switches should have to a prefix of some leaves: the way goes up, then down.
class Oracle
{
  public:
    Oracle(const BgpFabric& fabric, const std::set<uint32_t>& origins)
        : known(fabric.nodes.size()),
          m_fabric(fabric)
    {
        for (const uint32_t leaf : origins)
        {
            known[leaf].distance = 0;
            known[leaf].transitive = MAX;
        }
        // Breadth first: a switch is found from the switches one hop nearer. A way up goes on up or
        // down, a way down only down.
        std::set<uint32_t> up(origins);
        std::set<uint32_t> down;
        for (uint32_t distance = 1; !up.empty() || !down.empty(); ++distance)
        {
            std::set<uint32_t> nextUp;
            std::set<uint32_t> nextDown;
            for (uint32_t link = 0; link < fabric.links.size(); ++link)
            {
                const auto& [lower, upper] = fabric.links[link].nodes;
                if (fabric.links[link].isUp && up.count(lower) > 0)
                {
                    Reach(upper, link, distance, nextUp);
                }
                if (fabric.links[link].isUp && (up.count(upper) > 0 || down.count(upper) > 0) &&
                    !IsInPodOf(lower, origins))
                {
                    Reach(lower, link, distance, nextDown);
                }
            }
            for (const auto* found : {&nextUp, &nextDown})
            {
                for (const uint32_t node : *found)
                {
                    Weigh(node);
                }
            }
            up = nextUp;
            down = nextDown;
        }
    }

    std::vector<Known> known; //!< by switch

  private:
    /// Whether a switch is a spine of the origins' pod, whose AS each path from above has.
    bool IsInPodOf(uint32_t node, const std::set<uint32_t>& origins) const
    {
        return m_fabric.nodes[node].tier == SPINE &&
               m_fabric.nodes[node].pod == m_fabric.nodes[*origins.begin()].pod;
    }

    /// What each node below has of a sum, if all use it: nodes that can take no more than an equal
    /// part take all they can, and the rest is divided among the others.
    double GetShare(uint32_t node, double sum) const
    {
        std::map<uint32_t, double> demands;
        for (const BgpFabricLink& link : m_fabric.links)
        {
            if (link.isUp && link.nodes[1] == node)
            {
                demands[link.nodes[0]] += link.rate;
            }
        }
        double share = MAX;
        for (bool isFound = true; isFound && !demands.empty();)
        {
            share = sum / static_cast<double>(demands.size());
            isFound = false;
            for (auto demand = demands.begin(); demand != demands.end();)
            {
                const bool isSmall = demand->second <= share;
                sum -= isSmall ? demand->second : 0;
                isFound = isFound || isSmall;
                demand = isSmall ? demands.erase(demand) : std::next(demand);
            }
        }
        return demands.empty() ? MAX : share;
    }

    /// Round to a binary16 of GB/s, which has 11 significant bits.
    static double Round(double bandwidth)
    {
        int exponent = 0;
        const double fraction = std::frexp(bandwidth / GB, &exponent);
        return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11) * GB;
    }

    void Reach(uint32_t node, uint32_t link, uint32_t distance, std::set<uint32_t>& found)
    {
        if (known[node].distance.value_or(distance) == distance)
        {
            known[node].distance = distance;
            known[node].weights[link] = 0;
            found.insert(node);
        }
    }

    /// The draft's minima and sums, node by node.
    void Weigh(uint32_t node)
    {
        struct Neighbor
        {
            double links{0};
            double path{0};
        };

        const PathBandwidthTier tier = m_fabric.nodes[node].tier;
        Known& own = known[node];
        std::map<uint32_t, Neighbor> neighbors;
        bool isFromAbove = false;
        bool isLeafFromSpine = false;
        bool haveAll = true;
        double allLinks = 0;
        double transitive = 0;
        for (const auto& entry : own.weights)
        {
            const BgpFabricLink& link = m_fabric.links[entry.first];
            const uint32_t from = link.nodes[0] == node ? link.nodes[1] : link.nodes[0];
            isFromAbove = tier == SPINE && m_fabric.nodes[from].tier == SUPER_SPINE;
            isLeafFromSpine = tier == LEAF && m_fabric.nodes[from].tier == SPINE;
            neighbors[from].links += link.rate;
            allLinks += link.rate;
            transitive = known[from].transitive;
            haveAll = haveAll && (!isFromAbove || known[from].nonTransitive);
        }
        double sum = 0;
        for (auto& [from, neighbor] : neighbors)
        {
            neighbor.path = std::min(neighbor.links,
                                     isFromAbove ? known[from].nonTransitive.value_or(0)
                                                 : known[from].transitive);
            sum += neighbor.path;
        }
        for (auto& [number, weight] : own.weights)
        {
            const BgpFabricLink& link = m_fabric.links[number];
            const Neighbor& neighbor =
                neighbors[link.nodes[0] == node ? link.nodes[1] : link.nodes[0]];
            weight = haveAll ? neighbor.path * link.rate / neighbor.links : 0;
        }
        const bool isKept = tier == SUPER_SPINE || isFromAbove;
        own.transitive = isKept ? transitive : sum;
        if (m_fabric.common.sharesUplinks && haveAll && (isFromAbove || isLeafFromSpine))
        {
            own.transitive = std::min(own.transitive, GetShare(node, sum));
        }
        own.transitive = Round(own.transitive);
        if (tier == SUPER_SPINE && m_fabric.common.attachesNonTransitive)
        {
            own.nonTransitive = allLinks;
        }
    }

    const BgpFabric& m_fabric; //!< the fabric
};

double
DrawRate()
{
    return DrawElement({100.0, 200.0, 400.0});
}

/// Draw hosts that speak BGP, each with links to two leaves or two links to one.
void
DrawHosts(BgpFabric& fabric, const std::vector<uint32_t>& leaves)
{
    for (auto i = DrawEvenly<uint32_t>(0, 4); i > 0; --i)
    {
        const uint32_t host = fabric.AddNode(HOST, 64999);
        for (uint32_t link = 0; link < 2; ++link)
        {
            fabric.AddLink(host, leaves[DrawEvenly<std::size_t>(0, leaves.size())], DrawRate());
        }
    }
}

/// Draw a leaf-spine fabric with parallel links.
void
DrawLeafSpine(BgpFabric& fabric)
{
    const auto nLeaves = DrawEvenly<uint32_t>(2, 5);
    const auto nSpines = DrawEvenly<uint32_t>(1, 4);
    std::vector<uint32_t> leaves;
    for (uint32_t i = 0; i < nLeaves; ++i)
    {
        leaves.push_back(fabric.AddNode(LEAF, 65000 + i));
    }
    for (uint32_t i = 0; i < nSpines; ++i)
    {
        fabric.AddNode(SPINE, 64512);
    }
    for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < nSpines; ++spine)
        {
            const auto nLinks = DrawEvenly<uint32_t>(1, 3);
            for (uint32_t i = 0; i < nLinks; ++i)
            {
                fabric.AddLink(leaf, nLeaves + spine, DrawRate());
            }
        }
    }
    DrawHosts(fabric, leaves);
}

/// Draw a fabric of five stages: pods, and planes that connect their spines.
void
DrawFiveStages(BgpFabric& fabric)
{
    const auto nPods = DrawEvenly<uint32_t>(2, 4);
    const auto nLeaves = DrawEvenly<uint32_t>(1, 4);
    const auto nPlanes = DrawEvenly<uint32_t>(1, 3);
    const auto nSupers = DrawEvenly<uint32_t>(1, 4);
    std::vector<uint32_t> supers;
    for (uint32_t i = 0; i < nPlanes * nSupers; ++i)
    {
        supers.push_back(fabric.AddNode(SUPER_SPINE, 64512, 99));
    }
    uint32_t as = 65000;
    for (uint32_t pod = 0; pod < nPods; ++pod)
    {
        std::vector<uint32_t> leaves;
        for (uint32_t i = 0; i < nLeaves; ++i)
        {
            leaves.push_back(fabric.AddNode(LEAF, as++, pod));
        }
        for (uint32_t plane = 0; plane < nPlanes; ++plane)
        {
            const uint32_t spine = fabric.AddNode(SPINE, 64600 + pod, pod);
            for (const uint32_t leaf : leaves)
            {
                fabric.AddLink(leaf, spine, DrawRate());
            }
            for (uint32_t i = 0; i < nSupers; ++i)
            {
                fabric.AddLink(spine, supers[plane * nSupers + i], DrawRate());
            }
        }
        DrawHosts(fabric, leaves);
    }
}

/// Draw who has which prefix: each leaf has its own, and two leaves of a pod share some.
std::map<BgpPrefix, std::set<uint32_t>>
DrawOrigins(BgpFabric& fabric)
{
    std::map<BgpPrefix, std::set<uint32_t>> origins;
    uint32_t rack = 0;
    for (uint32_t leaf = 0; leaf < fabric.nodes.size(); ++leaf)
    {
        if (fabric.nodes[leaf].tier != LEAF)
        {
            continue;
        }
        std::set<uint32_t>& leaves = origins[GetRackPrefix(rack++)];
        leaves.insert(leaf);
        const uint32_t other = leaf + 1;
        if (other < fabric.nodes.size() && fabric.nodes[other].tier == LEAF &&
            fabric.nodes[other].pod == fabric.nodes[leaf].pod && DrawAny<bool>())
        {
            leaves.insert(other);
        }
    }
    for (const auto& [prefix, leaves] : origins)
    {
        for (const uint32_t leaf : leaves)
        {
            fabric.nodes[leaf].rib->Originate(prefix);
            fabric.nodes[leaf].rib->Decide();
        }
    }
    return origins;
}

/// Links fail and come back, and messages are sent and delivered, in random order; then all
/// settles.
void
Disturb(BgpFabric& fabric)
{
    const auto nLinks = static_cast<uint32_t>(fabric.links.size());
    const auto nSteps = DrawEvenly(0, 400);
    for (int i = 0; i < nSteps; ++i)
    {
        const auto link = DrawEvenly<uint32_t>(0, nLinks);
        const auto end = DrawEvenly<uint32_t>(0, 2);
        switch (DrawEvenly(0, 12))
        {
        case 0:
            if (fabric.links[link].isUp)
            {
                fabric.Fail(link);
            }
            break;
        case 1:
        case 2:
            if (!fabric.links[link].isUp)
            {
                fabric.Restore(link);
            }
            break;
        case 3:
        case 4:
        case 5:
            fabric.Send(link, end);
            break;
        default:
            for (uint32_t other = 0; other < nLinks; ++other) // one that has something
            {
                if (fabric.Deliver((link + other) % nLinks, end))
                {
                    break;
                }
            }
            break;
        }
    }
    fabric.Settle();
}

/// All switches have the routes of the oracle, and no other.
void
Check(const BgpFabric& fabric, const std::map<BgpPrefix, std::set<uint32_t>>& origins)
{
    std::vector<std::vector<BgpPrefix>> prefixes(fabric.nodes.size());
    for (const auto& [prefix, leaves] : origins)
    {
        const Oracle oracle(fabric, leaves);
        for (uint32_t node = 0; node < fabric.nodes.size(); ++node)
        {
            const Known& known = oracle.known[node];
            const auto& paths = fabric.nodes[node].rib->GetPaths(prefix);
            RC_ASSERT(paths.empty() == !known.distance);
            if (!known.distance)
            {
                continue;
            }
            prefixes[node].push_back(prefix);
            if (*known.distance == 0)
            {
                RC_ASSERT(paths == (std::vector<BgpRibPath>{{BGP_NO_PEER, 0, 0}}));
                continue;
            }
            std::map<uint32_t, double> weights;
            for (const BgpRibPath& path : paths)
            {
                const uint32_t link = fabric.nodes[node].links.at(path.peer);
                const uint32_t end = fabric.links[link].nodes[0] == node ? 1 : 0;
                RC_ASSERT(path.nextHop == BgpFabric::GetAddress(link, end));
                weights[link] = path.weight;
            }
            RC_ASSERT(weights == known.weights);
            RC_ASSERT(fabric.nodes[node].rib->GetBest(prefix)->asPath.GetLength() ==
                      *known.distance);
        }
    }
    for (uint32_t node = 0; node < fabric.nodes.size(); ++node)
    {
        RC_ASSERT(fabric.nodes[node].rib->GetPrefixes() == prefixes[node]);
    }
    // What one side has told is what the other one has, but for what it has rejected.
    for (const BgpFabricLink& link : fabric.links)
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            const BgpRib& rib = *fabric.nodes[link.nodes[end]].rib;
            const BgpRib& other = *fabric.nodes[link.nodes[1 - end]].rib;
            const uint32_t nTold = rib.CountTold(link.peers[end]);
            const uint32_t nReceived = other.CountReceived(link.peers[1 - end]);
            RC_ASSERT(!rib.HasChanges(link.peers[end]));
            RC_ASSERT(nTold == nReceived || (nTold > nReceived && !fabric.common.sparesLoops));
            RC_ASSERT(link.isUp || nTold == 0U);
        }
    }
}

RC_GTEST_PROP(BgpFabric,
              LeafSpineFabricsConverge,
              (bool sparesLoops, bool sharesUplinks, bool sharesPool))
{
    BgpFabricSettings settings;
    settings.sparesLoops = sparesLoops;
    settings.sharesUplinks = sharesUplinks;
    settings.sharesPool = sharesPool;
    BgpFabric fabric(settings);
    DrawLeafSpine(fabric);
    fabric.Build();
    const auto origins = DrawOrigins(fabric);
    Disturb(fabric);
    Check(fabric, origins);
    fabric.Start();
    Check(fabric, origins);
}

RC_GTEST_PROP(BgpFabric,
              FiveStageFabricsConverge,
              (bool sparesLoops, bool sharesUplinks, bool sharesPool, bool attachesNonTransitive))
{
    BgpFabricSettings settings;
    settings.sparesLoops = sparesLoops;
    settings.sharesUplinks = sharesUplinks;
    settings.sharesPool = sharesPool;
    settings.attachesNonTransitive = attachesNonTransitive;
    BgpFabric fabric(settings);
    DrawFiveStages(fabric);
    fabric.Build();
    const auto origins = DrawOrigins(fabric);
    Disturb(fabric);
    Check(fabric, origins);
    for (uint32_t link = 0; link < fabric.links.size(); ++link)
    {
        if (fabric.links[link].isUp)
        {
            fabric.Fail(link);
        }
    }
    fabric.Settle();
    Check(fabric, origins);
    fabric.Start();
    Check(fabric, origins);
}
