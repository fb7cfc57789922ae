// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_FABRIC_H
#define AIDC_BGP_FABRIC_H

#include "model/core/bgp/bgp-update.h"
#include "test/core/core-test.h"

#include "ns3/bgp-rib.h"

// Fabrics of speakers without sockets, for the tests of the core: their messages are bytes that
// wait on links until a test delivers them.

namespace aidctest
{

/// A switch of a fabric.
struct BgpFabricNode
{
    PathBandwidthTier tier;        //!< where it is
    uint32_t as;                   //!< its AS
    uint32_t pod;                  //!< its pod
    std::vector<uint32_t> links{}; //!< its links, by the numbers of its peers
    std::unique_ptr<BgpRib> rib{}; //!< its routes
};

/// A link with a session, and the messages that are under way on it.
struct BgpFabricLink
{
    std::array<uint32_t, 2> nodes;                //!< its ends, the lower one first
    double rate;                                  //!< bytes a second
    std::array<uint32_t, 2> peers{};              //!< at each end, the number of the other one
    bool isUp{false};                             //!< the session is up
    std::array<std::deque<BgpBytes>, 2> toEnds{}; //!< messages to each end, in order
};

/// What all speakers of a fabric have in common.
struct BgpFabricSettings
{
    bool sparesLoops{true};           //!< peers are not told what they would reject
    bool attachesNonTransitive{true}; //!< super-spines attach the bandwidth of their links
    bool sharesUplinks{false};        //!< nodes below are told their share
    bool sharesPool{true};            //!< one pool for all
    BgpDecisionSettings decision;     //!< how they decide
    BandwidthCarrier carrier{BandwidthCarrier::PATH_BANDWIDTH}; //!< how bandwidths are written
};

/// A fabric of speakers.
class BgpFabric
{
  public:
    explicit BgpFabric(const BgpFabricSettings& all = {})
        : common(all)
    {
    }

    uint32_t AddNode(PathBandwidthTier tier, uint32_t as, uint32_t pod = 0)
    {
        nodes.push_back({tier, as, pod});
        return static_cast<uint32_t>(nodes.size() - 1);
    }

    /// Add a link, the lower switch first; rate in Gbit/s.
    uint32_t AddLink(uint32_t lower, uint32_t upper, double rate)
    {
        links.push_back({{lower, upper}, rate * 1e9 / 8});
        return static_cast<uint32_t>(links.size() - 1);
    }

    static uint32_t GetAddress(uint32_t link, uint32_t end)
    {
        return 0x0a000000 + 2 * link + end;
    }

    /// The router ID of a switch.
    static uint32_t GetIdentifier(uint32_t node)
    {
        return 0xc0000001 + node;
    }

    /// Make the speakers, whose sessions are down.
    void Build()
    {
        auto pool = std::make_shared<BgpAttributePool>();
        for (uint32_t node = 0; node < nodes.size(); ++node)
        {
            BgpRibSettings settings;
            settings.as = nodes[node].as;
            settings.decision = common.decision;
            settings.bandwidthFormat.carrier = common.carrier;
            settings.bandwidthFormat.routerId = GetIdentifier(node);
            settings.tier = nodes[node].tier;
            settings.attachesNonTransitive = common.attachesNonTransitive;
            settings.sharesUplinks = common.sharesUplinks;
            settings.sparesLoops = common.sparesLoops;
            nodes[node].rib = std::make_unique<BgpRib>(
                settings,
                common.sharesPool ? pool : std::make_shared<BgpAttributePool>());
        }
        for (uint32_t link = 0; link < links.size(); ++link)
        {
            for (uint32_t end = 0; end < 2; ++end)
            {
                const BgpFabricNode& other = nodes[links[link].nodes[1 - end]];
                BgpRibPeer peer;
                peer.as = other.as;
                peer.identifier = GetIdentifier(links[link].nodes[1 - end]);
                peer.address = GetAddress(link, 1 - end);
                peer.localAddress = GetAddress(link, end);
                peer.tier = other.tier;
                peer.linkBandwidth = links[link].rate;
                peer.exchangesNonTransitive = common.attachesNonTransitive;
                BgpFabricNode& node = nodes[links[link].nodes[end]];
                links[link].peers[end] = node.rib->AddPeer(peer);
                node.links.push_back(link);
            }
        }
    }

    /// A session comes up.
    void Restore(uint32_t link)
    {
        links[link].isUp = true;
        for (uint32_t end = 0; end < 2; ++end)
        {
            const uint32_t other = links[link].nodes[1 - end];
            BgpRib& rib = GetRib(link, end);
            rib.SetUp(links[link].peers[end], nodes[other].as, GetIdentifier(other));
            rib.Decide();
        }
    }

    /// A session goes down, and what is under way is lost.
    void Fail(uint32_t link)
    {
        links[link].isUp = false;
        for (uint32_t end = 0; end < 2; ++end)
        {
            links[link].toEnds[end].clear();
            GetRib(link, end).SetDown(links[link].peers[end]);
            GetRib(link, end).Decide();
        }
    }

    /// An end of a link sends what its peer has to be told.
    bool Send(uint32_t link, uint32_t end)
    {
        BgpRib& rib = GetRib(link, end);
        const uint32_t peer = links[link].peers[end];
        if (!links[link].isUp || !rib.HasChanges(peer))
        {
            return false;
        }
        const BgpPeerChanges changes = rib.TakeChanges(peer);
        auto packed = PackBgpUpdates(changes.withdrawn, changes.announced, GetSession(link, end));
        for (BgpBytes& message : packed.messages)
        {
            nBytes += message.size();
            ++nMessages;
            links[link].toEnds[1 - end].push_back(std::move(message));
        }
        return true;
    }

    /// An end of a link takes the next message.
    bool Deliver(uint32_t link, uint32_t end)
    {
        auto& messages = links[link].toEnds[end];
        if (messages.empty())
        {
            return false;
        }
        const BgpBytes message = std::move(messages.front());
        messages.pop_front();
        constexpr std::size_t HEADER = 19;
        BgpUpdateResult result = DecodeBgpUpdate(message.data() + HEADER,
                                                 message.size() - HEADER,
                                                 GetSession(link, end));
        if (result.action != BgpErrorAction::NONE)
        {
            throw std::logic_error("a speaker has sent an UPDATE with errors");
        }
        BgpRib& rib = GetRib(link, end);
        rib.Receive(links[link].peers[end], GetBgpRouteChanges(std::move(result.update)));
        rib.Decide();
        return true;
    }

    /// Send and deliver until nobody has anything to say.
    void Settle()
    {
        for (bool isBusy = true; isBusy;)
        {
            isBusy = false;
            for (uint32_t link = 0; link < links.size(); ++link)
            {
                for (uint32_t end = 0; end < 2; ++end)
                {
                    isBusy = Send(link, end) || isBusy;
                    while (Deliver(link, 1 - end))
                    {
                        isBusy = true;
                    }
                }
            }
        }
    }

    /// Bring all sessions up, and settle.
    void Start()
    {
        for (uint32_t link = 0; link < links.size(); ++link)
        {
            if (!links[link].isUp)
            {
                Restore(link);
            }
        }
        Settle();
    }

    /// The weights of a switch's routes in GB/s, in the order of its links; -1: not used
    std::vector<double> GetWeights(uint32_t node, const BgpPrefix& prefix) const
    {
        std::vector<double> weights(nodes[node].links.size(), -1);
        for (const BgpRibPath& path : nodes[node].rib->GetPaths(prefix))
        {
            if (path.peer != BGP_NO_PEER)
            {
                weights[path.peer] = path.weight / 1e9;
            }
        }
        return weights;
    }

    BgpFabricSettings common;         //!< what all speakers have in common
    std::vector<BgpFabricNode> nodes; //!< switches
    std::vector<BgpFabricLink> links; //!< links
    std::size_t nMessages{0};         //!< UPDATEs that have been sent
    std::size_t nBytes{0};            //!< their bytes

  private:
    BgpRib& GetRib(uint32_t link, uint32_t end)
    {
        return *nodes[links[link].nodes[end]].rib;
    }

    BgpSessionTerms GetSession(uint32_t link, uint32_t end) const
    {
        BgpSessionTerms session;
        session.firstAs = nodes[links[link].nodes[1 - end]].as;
        return session;
    }
};

inline BgpPrefix
GetRackPrefix(uint32_t rack)
{
    return {0x14000000 + (rack << 8), 24};
}

} // namespace aidctest

#endif // AIDC_BGP_FABRIC_H
