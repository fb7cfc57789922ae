// SPDX-License-Identifier: GPL-2.0-only

// Path bandwidths in tables of few entries: each degraded link of a fat-tree of k = 16.

#include "model/core/fare/path-bandwidth-topology.h"
#include "test/core/core-test.h"

#include "ns3/next-hop-weights.h"

constexpr uint32_t K = 16;
constexpr uint32_t HALF = K / 2;

/// Bytes a second of a link of 400 Gbit/s
constexpr double RATE = 50e9;

/// A fat-tree of k = 16, by the numbers of switches: leaves and spines of each pod, and then the
/// super-spines of each plane.
struct FatTree
{
    FatTree()
    {
        // AS numbers as in RFC 7938: one of all super-spines, one of the spines of each pod
        for (uint32_t pod = 0; pod < K; ++pod)
        {
            for (uint32_t i = 0; i < HALF; ++i)
            {
                Add(PathBandwidthTier::LEAF, 1000 + pod * HALF + i);
            }
            for (uint32_t i = 0; i < HALF; ++i)
            {
                Add(PathBandwidthTier::SPINE, 100 + pod);
            }
        }
        for (uint32_t i = 0; i < HALF * HALF; ++i)
        {
            Add(PathBandwidthTier::SUPER_SPINE, 1);
        }
        for (uint32_t pod = 0; pod < K; ++pod)
        {
            for (uint32_t spine = 0; spine < HALF; ++spine)
            {
                for (uint32_t i = 0; i < HALF; ++i)
                {
                    links.push_back({GetLeaf(pod, i), GetSpine(pod, spine), pod, i, true});
                    links.push_back(
                        {GetSpine(pod, spine), 2 * HALF * K + spine * HALF + i, pod, spine, false});
                }
            }
        }
        for (const Link& link : links)
        {
            topology.AddLink(link.lower, link.upper, RATE);
        }
    }

    void Add(PathBandwidthTier tier, uint32_t as)
    {
        const uint32_t number = topology.AddSwitch(tier, as, ++nSwitches);
        ASSERT_EQ(number + 1, nSwitches);
    }

    static uint32_t GetLeaf(uint32_t pod, uint32_t i)
    {
        return pod * K + i;
    }

    static uint32_t GetSpine(uint32_t pod, uint32_t i)
    {
        return pod * K + HALF + i;
    }

    struct Link
    {
        uint32_t lower;   //!< the leaf or spine
        uint32_t upper;   //!< the spine or super-spine
        uint32_t pod;     //!< the pod of the lower end
        uint32_t place;   //!< the place of the lower end in its pod and tier
        bool isLeafSpine; //!< whether its lower end is a leaf
    };

    PathBandwidthTopology topology; //!< all of it
    std::vector<Link> links;        //!< its links, by number
    uint32_t nSwitches{0};          //!< switches so far
};

/// The weights of routes of several next hops over the greatest of each, ascending.
std::set<std::vector<double>>
GetWeights(const std::vector<PathBandwidthRoutes>& routes)
{
    std::set<std::vector<double>> found;
    std::vector<double> weights; // one for millions of routes
    std::vector<double> last;
    for (const auto& ways : routes)
    {
        weights.clear();
        for (const auto& nextHop : ways.nextHops)
        {
            weights.push_back(nextHop.weight);
        }
        if (weights.size() < 2 || weights == last)
        {
            continue;
        }
        last = weights;
        std::sort(weights.begin(), weights.end());
        const double greatest = weights.back();
        for (double& weight : weights)
        {
            weight /= greatest;
        }
        found.insert(weights);
    }
    return found;
}

/// All weights that a degraded link leads to: of prefixes of its lower end's leaf, of another leaf
/// of the pod, and of a leaf of another pod. All other prefixes are like one of these.
std::set<std::vector<double>>
DegradeAndCompute(FatTree& tree, uint32_t index, double share)
{
    const auto& link = tree.links[index];
    tree.topology.SetLinkBandwidth(index, share * RATE);
    std::set<std::vector<double>> all;
    for (const uint32_t leaf : {FatTree::GetLeaf(link.pod, link.place),
                                FatTree::GetLeaf(link.pod, (link.place + 1) % HALF),
                                FatTree::GetLeaf((link.pod + 1) % K, link.place)})
    {
        const auto found = GetWeights(tree.topology.Compute({leaf}));
        all.insert(found.begin(), found.end());
    }
    tree.topology.SetLinkBandwidth(index, RATE);
    return all;
}

/// Eight equal weights, and one of eight that has a share of the others'.
std::set<std::vector<double>>
GetExpected(double share)
{
    std::vector<double> one(HALF, 1);
    one.front() = share;
    return {std::vector<double>(HALF, 1), one};
}

// Wherever a link has a share r of its rate, some switches have a next hop of weight r and seven of
// weight 1, and all others have eight equal ones. In 128 entries these are exact, or nearly so.
// Each link has the shares of Ethernet's rates (200, 100 and 40 of 400 Gbit/s), and another share
// in turn: 50 of 400 and 40 of 100 Gbit/s, and aggregates that have lost a quarter or an eighth of
// their links.
TEST(PathBandwidthTables, EachDegradedLinkOfAFatTreeIn128Entries)
{
    const std::vector<double> others{0.125, 0.4, 0.75, 0.875};
    FatTree tree;
    ASSERT_EQ(tree.links.size(), 2048U);
    std::set<double> reduced; // shares whose expected weights have been reduced
    for (uint32_t index = 0; index < tree.links.size(); ++index)
    {
        // Links of leaves and of super-spines take turns, too.
        for (const double share : {0.5, 0.25, 0.1, others[index / 2 % others.size()]})
        {
            SCOPED_TRACE(testing::Message() << "link " << index << " with " << share);
            const auto all = DegradeAndCompute(tree, index, share);
            ASSERT_EQ(all, GetExpected(share));
            if (!reduced.insert(share).second)
            {
                continue;
            }
            for (const auto& weights : all)
            {
                const auto entries = ReduceWeights(weights, 128);
                ASSERT_LE(GetOversubscription(weights, entries), 1.03);
                ASSERT_LE(GetShareError(weights, entries), 0.03);
            }
        }
    }
}

// With any share in whole percents from 6 on, no path gets 3 % too much; below, the degraded one
// gets too much, because it has an entry: 1 of 127 where 7 others have 18 each. It may get too
// little by more than 3 %.
TEST(PathBandwidthTables, AnyShareFromSixPercentOnIn128Entries)
{
    FatTree tree;
    double worst = 1;
    for (uint32_t percent = 6; percent <= 100; ++percent)
    {
        for (const auto& weights : DegradeAndCompute(tree, percent % 2, percent / 100.0))
        {
            worst = std::max(worst, GetOversubscription(weights, ReduceWeights(weights, 128)));
        }
    }
    EXPECT_LE(worst, 1.03);
    const auto slow = *DegradeAndCompute(tree, 0, 0.05).begin();
    ASSERT_DOUBLE_EQ(slow.front(), 0.05);
    EXPECT_GT(GetOversubscription(slow, ReduceWeights(slow, 128)), 1.03);
}
