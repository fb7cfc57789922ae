// SPDX-License-Identifier: GPL-2.0-only

#include "collective-schedule.h"

#include "collective-tree.h"

#include <algorithm>
#include <array>
#include <boost/integer/integer_log2.hpp>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

// The steps of each algorithm are a struct with GetNSteps(), the number of steps of a member in a
// lane, and GetStep().

/// The order of the members in the ring of a channel.
///
/// The ring of channel k goes through one server after another. It leaves a server of even number
/// by its member k mod g, where g is the number of members of a server, and enters it by the next
/// member. It goes through the servers of odd number in the other direction, so that messages
/// between servers keep to their rail, as NCCL's alternating rings do (src/graph/connect.cc of
/// NCCL).
class CollectiveRingOrder
{
  public:
    CollectiveRingOrder(uint32_t nPerServer, uint32_t channel)
        : m_nPerServer(nPerServer),
          m_leaving(channel % nPerServer)
    {
    }

    /// @param place a place in the ring, counted from 0 @return the member there
    uint32_t GetMember(uint32_t place) const
    {
        const uint32_t g = m_nPerServer;
        const uint32_t server = place / g;
        const uint32_t inside = place % g;
        return server * g + (server % 2 == 0 ? m_leaving + 1 + inside : m_leaving + g - inside) % g;
    }

    uint32_t GetPlace(uint32_t member) const
    {
        const uint32_t g = m_nPerServer;
        const uint32_t server = member / g;
        const uint32_t inside = member % g;
        return server * g +
               (server % 2 == 0 ? inside + 2 * g - m_leaving - 1 : m_leaving + g - inside) % g;
    }

  private:
    uint32_t m_nPerServer; //!< the members of a server
    uint32_t m_leaving;    //!< the number in its server of the member that is the last one there
};

/// The blocks that pass a place of a ring in a step.
///
/// While reducing, the last block received is the place's own one, which is where gathering begins.
struct CollectiveRingBlocks
{
    uint32_t sent;     //!< the block that is sent to the next place
    uint32_t received; //!< the block that comes from the place before

    /// n: places, at least 2, and blocks; step: below n - 1; reduces: adds blocks, else gathers
    CollectiveRingBlocks(uint32_t n, uint32_t place, uint32_t step, bool reduces)
        : sent((place + 2 * n - step - (reduces ? 1 : 0)) % n),
          received((sent + n - 1) % n) // what a place has sent in a step, the next one has received
    {
    }
};

/// The steps of a ring: all-reduce, all-gather and reduce-scatter.
struct CollectiveRing
{
    const CollectiveScheduleSettings& settings; //!< the collective

    uint32_t GetNSteps(uint32_t, uint32_t) const
    {
        const uint32_t n = settings.nMembers - 1;
        return settings.kind == CollectiveKind::ALL_REDUCE ? 2 * n : n;
    }

    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t n = settings.nMembers;
        const CollectiveRingOrder order(settings.nPerServer, lane % settings.nChannels);
        const uint32_t place = order.GetPlace(member);
        const bool reduces = settings.kind == CollectiveKind::REDUCE_SCATTER ||
                             (settings.kind == CollectiveKind::ALL_REDUCE && step < n - 1);
        const CollectiveRingBlocks blocks(n, place, step % (n - 1), reduces);
        const auto getBlock = [&](uint32_t owner) {
            return settings.GetBlocks(lane, n, order.GetMember(owner));
        };
        CollectiveStep result;
        result.Send(order.GetMember((place + 1) % n), getBlock(blocks.sent));
        result.Receive(order.GetMember((place + n - 1) % n), getBlock(blocks.received), reduces);
        return result;
    }
};

/// The steps of a collective in which pairs of members exchange data (halving-doubling, recursive
/// doubling), and in which members are folded into others if their number is not a power of two
/// (see CollectiveSchedule).
struct CollectivePairs
{
    const CollectiveScheduleSettings& settings; //!< the collective

    /// The logarithm of the largest power of two in the number of members
    uint32_t log2{static_cast<uint32_t>(boost::integer_log2(settings.nMembers))};

    uint32_t GetNSteps(uint32_t member, uint32_t) const
    {
        const uint32_t nFolded = GetNFolded();
        const bool isFolded = member < 2 * nFolded;
        if (isFolded && member % 2 == 0)
        {
            return 2;
        }
        const bool both = settings.kind == CollectiveKind::ALL_REDUCE &&
                          settings.algorithm == CollectiveAlgorithm::HALVING_DOUBLING;
        uint32_t n = (both ? 2 : 1) * log2 + (isFolded ? 2 : 0);
        for (uint32_t pairStep = 0; pairStep < log2; ++pairStep)
        {
            n += HasSignal(isFolded ? member / 2 : member - nFolded, pairStep) ? 1 : 0;
        }
        return n;
    }

    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t nFolded = GetNFolded();
        const CollectivePart all = settings.GetBlocks(lane, 1, 0);
        CollectiveStep result;
        uint32_t number = member - nFolded; // among the members that are left
        if (member < 2 * nFolded)
        {
            const bool isEven = member % 2 == 0;
            const uint32_t peer = isEven ? member + 1 : member - 1;
            if (step == 0 || step + 1 == GetNSteps(member, lane))
            {
                // The even one sends its buffer at first, and gets the result in the end
                if (isEven == (step == 0))
                {
                    result.Send(peer, all);
                }
                else
                {
                    result.Receive(peer, all, !isEven);
                }
                return result;
            }
            --step;
            number = member / 2;
        }
        // After the signals of the steps before it and, if there is one, its own
        uint32_t pairStep = 0;
        for (; step > (HasSignal(number, pairStep) ? 1U : 0U); ++pairStep)
        {
            step -= HasSignal(number, pairStep) ? 2 : 1;
        }
        const uint32_t distance = GetDistance(pairStep);
        const uint32_t other = number ^ distance;
        const uint32_t peer = other < nFolded ? 2 * other + 1 : other + nFolded;
        const CollectivePart nothing = {all.offset, 0};
        if (step == 0 && HasSignal(number, pairStep) && IsDelayed(number, pairStep))
        {
            result.Send(peer, nothing);
        }
        else if (step == 0 && HasSignal(number, pairStep))
        {
            result.Receive(peer, nothing, false);
        }
        else if (settings.algorithm == CollectiveAlgorithm::RECURSIVE_DOUBLING)
        {
            result.Send(peer, all);
            result.Receive(peer, all, true);
        }
        else
        {
            // The blocks that one of the two has in the end
            const auto get = [&](uint32_t one) {
                return settings.GetBlocks(lane, 1U << log2, one & ~(distance - 1), distance);
            };
            const bool reduces = settings.kind == CollectiveKind::REDUCE_SCATTER ||
                                 (settings.kind == CollectiveKind::ALL_REDUCE && pairStep < log2);
            result.Send(peer, get(reduces ? other : number));
            result.Receive(peer, get(reduces ? number : other), reduces);
        }
        return result;
    }

    /// @return the number of members that are folded into others: members above a power of two
    uint32_t GetNFolded() const
    {
        return settings.nMembers - (1U << log2);
    }

    /// Get how far apart the members of a pair are, a power of two.
    uint32_t GetDistance(uint32_t pairStep) const
    {
        const bool halves = settings.algorithm == CollectiveAlgorithm::HALVING_DOUBLING &&
                            settings.kind != CollectiveKind::ALL_GATHER && pairStep < log2;
        return halves ? (1U << log2) >> (pairStep + 1) : 1U << pairStep % log2;
    }

    /// Tell whether the fold delays a member, directly or by a partner of an earlier step.
    bool IsDelayed(uint32_t number, uint32_t pairStep) const
    {
        // It has met, directly or not, all that differ from it in distances of the steps before.
        // The members that others are folded into have the lowest numbers.
        uint32_t lowest = number;
        for (uint32_t before = 0; before < pairStep && before < log2; ++before)
        {
            lowest &= ~GetDistance(before);
        }
        return lowest < GetNFolded();
    }

    /// Tell whether one of two partners tells the other one that it is ready.
    bool HasSignal(uint32_t number, uint32_t pairStep) const
    {
        return IsDelayed(number, pairStep) != IsDelayed(number ^ GetDistance(pairStep), pairStep);
    }
};

/// The steps of a hierarchical all-reduce.
///
/// It has three phases: a reduce-scatter by a ring in each server, an all-reduce by a ring along
/// each rail (the members of equal numbers in their servers, which reduce their blocks), and an
/// all-gather by a ring in each server. A chunk enters a phase when the chunk before has left it,
/// so that chunks are in different phases, and use scale-up links and adapters at the same time.
struct CollectiveHierarchy
{
    const CollectiveScheduleSettings& settings; //!< the collective

    uint32_t GetNSteps(uint32_t, uint32_t) const
    {
        return 2 * (settings.nPerServer - 1) + 2 * (settings.GetNServers() - 1);
    }

    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t g = settings.nPerServer;
        const uint32_t nServers = settings.GetNServers();
        const uint32_t server = member / g;
        const uint32_t inside = member % g;
        const uint32_t railBegin = g - 1;
        const uint32_t railEnd = railBegin + 2 * (nServers - 1);
        CollectiveStep result;
        if (step >= railBegin && step < railEnd)
        {
            const uint32_t round = step - railBegin;
            const bool reduces = round < nServers - 1;
            const CollectiveRingBlocks blocks(nServers, server, round % (nServers - 1), reduces);
            const CollectivePart own = settings.GetBlocks(lane, g, inside);
            result.Send((server + 1) % nServers * g + inside, own.Divide(nServers, blocks.sent));
            result.Receive((server + nServers - 1) % nServers * g + inside,
                           own.Divide(nServers, blocks.received),
                           reduces);
            result.stepsBefore = round == 0 ? railEnd : 0;
            return result;
        }
        const bool reduces = step < railBegin;
        const uint32_t round = reduces ? step : step - railEnd;
        const CollectiveRingBlocks blocks(g, inside, round, reduces);
        result.Send(server * g + (inside + 1) % g, settings.GetBlocks(lane, g, blocks.sent));
        result.Receive(server * g + (inside + g - 1) % g,
                       settings.GetBlocks(lane, g, blocks.received),
                       reduces);
        if (round == 0)
        {
            result.stepsBefore = reduces ? railBegin : GetNSteps(member, lane);
        }
        return result;
    }
};

/// The steps of an all-to-all.
///
/// There are n - 1 rounds. In each one, each member sends to another one, and no two to the same
/// one. Rounds inside of servers come first; then, for each distance between servers, the distances
/// between the numbers of members inside of them, as in NCCL's schedule of sends and receives
/// (ncclP2pSchedule() in src/init.cc), which takes the distances in another order. With one member
/// a server, member i sends to i + k in round k. Pairwise, a round is a step of a lane. Direct,
/// each round is a lane of one step, so that all messages are under way at once.
///
/// Where nothing is to be sent, there is no message, as in PyTorch's all-to-alls over NCCL.
struct CollectiveExchange
{
    const CollectiveScheduleSettings& settings; //!< the collective

    uint32_t GetNSteps(uint32_t, uint32_t) const
    {
        const uint32_t nRounds = settings.nMembers - 1;
        return settings.algorithm == CollectiveAlgorithm::DIRECT ? std::min(nRounds, 1U) : nRounds;
    }

    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t n = settings.nMembers;
        const uint32_t g = settings.nPerServer;
        const uint32_t nServers = settings.GetNServers();
        const uint32_t nStreams = settings.GetNStreams();
        const uint32_t round = (nStreams > 1 ? lane % nStreams : step) + 1;
        const uint32_t outside = round / g;
        const uint32_t inside = round % g;
        const uint32_t to = (member / g + outside) % nServers * g + (member % g + inside) % g;
        const uint32_t from =
            (member / g + nServers - outside) % nServers * g + (member % g + g - inside) % g;
        CollectivePart sent;
        CollectivePart received;
        if (settings.sizes)
        {
            sent = settings.sizes->GetSent(member, to);
            received = settings.sizes->GetReceived(from, member);
        }
        else
        {
            // All members send as much to this one, so that their blocks stand one after another
            const CollectivePart all = {0, settings.bytes};
            sent = all.Divide(n, to);
            received = all.Divide(n, member);
            received.offset = from * received.bytes;
        }
        const uint32_t chunk = lane / nStreams;
        CollectiveStep result;
        // Both ends know the size, and no later step needs a message that brings nothing
        if (const auto part = sent.Divide(settings.nChunks, chunk); part.bytes > 0)
        {
            result.Send(to, part);
        }
        if (const auto part = received.Divide(settings.nChunks, chunk); part.bytes > 0)
        {
            result.Receive(from, part, false);
        }
        return result;
    }
};

/// The steps of a broadcast, by a binomial tree or a chain.
///
/// The chain of a channel has the order of the channel's ring, from the root on.
struct CollectiveBroadcast
{
    const CollectiveScheduleSettings& settings; //!< the collective

    uint32_t GetNSteps(uint32_t member, uint32_t lane) const
    {
        const uint32_t n = settings.nMembers;
        const uint32_t place = GetPlace(member, lane);
        uint32_t nSteps = place > 0 ? 1 : 0;
        if (IsChain())
        {
            return nSteps + (place + 1 < n ? 1 : 0);
        }
        // A member receives in the step of the highest bit of its place, and sends in later ones
        uint32_t step = place > 0 ? boost::integer_log2(place) + 1 : 0;
        for (; step < 32 && place + (1ULL << step) < n; ++step)
        {
            ++nSteps;
        }
        return nSteps;
    }

    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        const uint32_t place = GetPlace(member, lane);
        const CollectivePart all = settings.GetBlocks(lane, 1, 0);
        const uint32_t bit = place > 0 ? boost::integer_log2(place) : 0;
        CollectiveStep result;
        if (place > 0 && step == 0)
        {
            result.Receive(GetMember(IsChain() ? place - 1 : place - (1U << bit), lane),
                           all,
                           false);
        }
        else if (IsChain())
        {
            result.Send(GetMember(place + 1, lane), all);
        }
        else
        {
            result.Send(GetMember(place + (1U << (bit + step)), lane), all);
            result.waitsForSend = true; // all of the link is for one message
        }
        return result;
    }

    bool IsChain() const
    {
        return settings.algorithm == CollectiveAlgorithm::CHAIN;
    }

    /// @return how far behind the root it is
    uint32_t GetPlace(uint32_t member, uint32_t lane) const
    {
        const CollectiveRingOrder order(settings.nPerServer, lane % settings.nChannels);
        const uint32_t n = settings.nMembers;
        return (order.GetPlace(member) + n - order.GetPlace(settings.root)) % n;
    }

    uint32_t GetMember(uint32_t place, uint32_t lane) const
    {
        const CollectiveRingOrder order(settings.nPerServer, lane % settings.nChannels);
        return order.GetMember((place + order.GetPlace(settings.root)) % settings.nMembers);
    }
};

/// The steps of an all-reduce by the double tree, or with NVLS.
///
/// Half of the data goes up and down each tree. The nodes of the trees are servers. In channel k,
/// the member k mod g of each server is its head, which meets the heads of the other servers; the
/// other members form a chain below it. If a server is one member, the nodes are the members.
///
/// With NVLS, each member of a server is the head of an equal part of each channel. Even channels
/// take the first tree, odd ones the second one. All other members are the children of the head,
/// but the switch of the server adds up what they send, and copies what they get: the head's
/// ingress carries a sum, and its egress a result, once.
struct CollectiveTree
{
    const CollectiveScheduleSettings& settings; //!< the collective

    uint32_t GetNSteps(uint32_t member, uint32_t lane) const
    {
        const Place place = GetPlace(member, lane);
        return 2 * (place.nHeads + place.nInside) + (place.parent == CollectiveStep::NONE ? 0 : 1);
    }

    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const
    {
        // All children's data comes; the sum goes to the parent, which sends the result; it goes to
        // all children.
        const Place place = GetPlace(member, lane);
        const CollectivePart all = settings.GetBlocks(lane, 1, 0);
        const uint32_t nChildren = place.nHeads + place.nInside;
        CollectiveStep result;
        if (step < nChildren)
        {
            result.Receive(GetChild(member, place, step), all, true);
            return result;
        }
        step -= nChildren;
        if (place.parent != CollectiveStep::NONE)
        {
            if (step == 0)
            {
                Send(result, member, place.parent, lane);
                result.Receive(place.parent, all, false);
                return result;
            }
            --step;
        }
        Send(result, member, GetChild(member, place, step), lane);
        return result;
    }

    /// A member's neighbors.
    struct Place
    {
        uint32_t parent{CollectiveStep::NONE}; //!< the parent, if it has one
        std::array<uint32_t, 2> heads{};       //!< children that are heads of other servers
        uint32_t nHeads{0};                    //!< how many there are
        uint32_t nInside{0}; //!< how many children of its server it has, the next members
    };

    /// lane: a lane, which goes by one tree of a channel. @return its neighbors
    Place GetPlace(uint32_t member, uint32_t lane) const
    {
        const bool isNvls = settings.algorithm == CollectiveAlgorithm::NVLS;
        const uint32_t g = settings.nPerServer;
        const uint32_t stream = lane % settings.GetNStreams();
        const uint32_t head = isNvls ? stream % g : stream / 2 % g;
        const uint32_t tree = isNvls ? stream / g % 2 : stream % 2;
        const uint32_t server = member / g;
        const uint32_t inside = (member % g + g - head) % g; // its number from the head on
        Place place;
        if (inside > 0)
        {
            place.parent = server * g + (isNvls ? head : (head + inside - 1) % g);
            place.nInside = !isNvls && inside + 1 < g ? 1 : 0;
            return place;
        }
        const CollectiveDoubleTree trees(settings.GetNServers());
        const uint32_t parent = trees.GetParent(tree, server);
        if (parent != CollectiveDoubleTree::NONE)
        {
            place.parent = parent * g + head;
        }
        for (const uint32_t child : trees.GetChildren(tree, server))
        {
            if (child != CollectiveDoubleTree::NONE)
            {
                place.heads[place.nHeads] = child * g + head;
                ++place.nHeads;
            }
        }
        place.nInside = isNvls ? g - 1 : std::min(g - 1, 1U);
        return place;
    }

    /// @return a child of a member at a place
    uint32_t GetChild(uint32_t member, const Place& place, uint32_t child) const
    {
        if (child < place.nHeads)
        {
            return place.heads[child];
        }
        const uint32_t g = settings.nPerServer;
        return member / g * g + (member % g + 1 + child - place.nHeads) % g;
    }

    /// Fill in what a member sends to another one: all that the lane carries.
    void Send(CollectiveStep& step, uint32_t member, uint32_t to, uint32_t lane) const
    {
        step.Send(to, settings.GetBlocks(lane, 1, 0));
        const uint32_t g = settings.nPerServer;
        if (settings.algorithm == CollectiveAlgorithm::NVLS && member / g == to / g)
        {
            const bool isHead = member % g == lane % settings.GetNStreams() % g;
            step.work = isHead ? SwitchWork::COPY : SwitchWork::REDUCE;
        }
    }
};

/// Call a function with the steps of a collective's algorithm. @return what the function returns
template <typename F>
auto
CallWithSteps(const CollectiveScheduleSettings& settings, F function)
{
    switch (settings.algorithm)
    {
    case CollectiveAlgorithm::HALVING_DOUBLING:
    case CollectiveAlgorithm::RECURSIVE_DOUBLING:
        return function(CollectivePairs{settings});
    case CollectiveAlgorithm::PAIRWISE:
    case CollectiveAlgorithm::DIRECT:
        return function(CollectiveExchange{settings});
    case CollectiveAlgorithm::BINOMIAL_TREE:
    case CollectiveAlgorithm::CHAIN:
        return function(CollectiveBroadcast{settings});
    case CollectiveAlgorithm::DOUBLE_TREE:
    case CollectiveAlgorithm::NVLS:
        return function(CollectiveTree{settings});
    case CollectiveAlgorithm::HIERARCHICAL:
        if (settings.nPerServer > 1 && settings.GetNServers() > 1)
        {
            return function(CollectiveHierarchy{settings});
        }
        break; // one ring: of all servers, or in the only one
    case CollectiveAlgorithm::RING:
        break;
    }
    return function(CollectiveRing{settings});
}

} // namespace

CollectiveSchedule::CollectiveSchedule(const CollectiveScheduleSettings& settings)
    : m_settings(std::make_shared<const CollectiveScheduleSettings>(settings))
{
    m_settings->Check();
}

CollectiveSchedule::CollectiveSchedule(CollectiveKind kind,
                                       CollectiveAlgorithm algorithm,
                                       uint32_t nMembers,
                                       uint64_t bytes,
                                       uint32_t nChunks,
                                       uint32_t root)
    : CollectiveSchedule(
          CollectiveScheduleSettings{kind, algorithm, 0, nMembers, bytes, nChunks, root})
{
}

uint32_t
CollectiveSchedule::GetNSteps(uint32_t member, uint32_t lane) const
{
    return CallWithSteps(*m_settings,
                         [=](const auto& steps) { return steps.GetNSteps(member, lane); });
}

CollectiveStep
CollectiveSchedule::GetStep(uint32_t member, uint32_t lane, uint32_t step) const
{
    return CallWithSteps(*m_settings,
                         [=](const auto& steps) { return steps.GetStep(member, lane, step); });
}

namespace
{

/// @return how many ranks in a row each server has; 1 if not all are equal and in a row
uint32_t
GetNTogether(const std::vector<uint32_t>& ranks, uint32_t nPerServer)
{
    const auto isElsewhere = [&](std::size_t i) {
        return ranks[i] / nPerServer != ranks[i - 1] / nPerServer;
    };
    std::size_t n = 1;
    while (n < ranks.size() && !isElsewhere(n))
    {
        ++n;
    }
    std::vector<uint32_t> servers;
    for (std::size_t i = 0; i < ranks.size(); ++i)
    {
        if (i > 0 && isElsewhere(i) != (i % n == 0))
        {
            return 1;
        }
        if (i % n == 0)
        {
            servers.push_back(ranks[i] / nPerServer);
        }
    }
    std::sort(servers.begin(), servers.end());
    const bool isOnce = std::adjacent_find(servers.begin(), servers.end()) == servers.end();
    return isOnce && ranks.size() % n == 0 ? static_cast<uint32_t>(n) : 1;
}

} // namespace

CollectiveSchedule
CollectiveSettings::MakeSchedule(CollectiveKind kind,
                                 CollectiveAlgorithm algorithm,
                                 const std::vector<uint32_t>& ranks,
                                 uint64_t bytes) const
{
    CollectiveScheduleSettings settings;
    settings.kind = kind;
    settings.algorithm = algorithm;
    settings.nMembers = static_cast<uint32_t>(ranks.size());
    settings.bytes = bytes;
    settings.nChunks = nChunks;
    if (CollectiveScheduleSettings::KnowsServers(algorithm))
    {
        settings.nPerServer = GetNTogether(ranks, nPerServer);
    }
    if (CollectiveScheduleSettings::HasChannels(algorithm))
    {
        const bool isOverServers = settings.GetNServers() > 1;
        const uint32_t nDerived =
            isOverServers ? std::min(settings.nPerServer, CollectiveScheduleSettings::MAX_CHANNELS)
                          : 1;
        settings.nChannels = nChannels > 0 ? nChannels : nDerived;
    }
    return CollectiveSchedule(settings);
}

} // namespace ns3::aidc
