// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NEXT_HOP_SELECTOR_H
#define AIDC_NEXT_HOP_SELECTOR_H

#include "ns3/flow-key.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <vector>

/// @file
/// The next hops of a route, shared by all routes with the same next hops, and the choice among
/// them.

namespace ns3::aidc
{

/// A next hop as a user gives it.
struct NextHop
{
    /// Constructor
    /// @param toInterface the index of the outgoing interface
    /// @param toGateway the next router, or Ipv4Address::GetAny() if the destination is on the link
    /// @param toWeight the share of the traffic relative to the group's other members; finite and
    ///        not negative, 0 for none
    NextHop(uint32_t toInterface = 0,
            Ipv4Address toGateway = Ipv4Address::GetAny(),
            double toWeight = 1)
        : interface(toInterface),
          gateway(toGateway),
          weight(toWeight)
    {
    }

    uint32_t interface;  //!< the index of the outgoing interface
    Ipv4Address gateway; //!< the next router, or GetAny() if the destination is on the link
    double weight;       //!< the share of the traffic, relative to the other members
};

/// The state of a NextHopSelector for a group: its tables.
class NextHopGroupState
{
  public:
    virtual ~NextHopGroupState() = default;
};

/// Next hops of equal cost.
///
/// A member whose interface goes down stays a member, so that the state of selectors survives a
/// failure: the member is only no longer usable.
struct NextHopGroup
{
    /// A member.
    struct Member
    {
        NextHop nextHop;      //!< where it leads
        bool isUp{false};     //!< whether its interface is up and not blocked
        bool isHeld{false};   //!< the group is held, and does without it
        Ptr<Ipv4Route> route; //!< the route that is handed to ns-3's stack

        /// Tell whether packets may go there.
        /// @return whether the interface is up, and the next hop has a weight and is not held
        bool IsUsable() const
        {
            return isUp && !isHeld && nextHop.weight > 0;
        }
    };

    uint32_t nRoutes{0};                      //!< the number of routes that use the group
    bool isHeld{false};                       //!< waits for a table, with one next hop
    uint32_t turn{0};                         //!< which of the next hops is used while it is held
    std::vector<Member> members;              //!< all members
    std::vector<uint32_t> usable;             //!< the members that are up and have a weight
    std::unique_ptr<NextHopGroupState> state; //!< the selector's state of the group
};

/// Chooses among the next hops of a MultipathRouting.
///
/// A selector serves one MultipathRouting. It is asked for groups of several members, even while
/// only one of them can be used, so that its memory of a flow stays current.
class NextHopSelector : public Object
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// Choose a next hop for a packet.
    /// @param group the next hops, of which at least one is usable
    /// @param key the flow of the packet
    /// @return the index of a usable member
    virtual uint32_t Select(NextHopGroup& group, const FlowKey& key) = 0;

    /// Note that a group is new, or that a member's weight or state has changed.
    /// @param group the group
    virtual void NotifyGroup([[maybe_unused]] NextHopGroup& group)
    {
    }

    /// Note which protocol stack the routing serves.
    /// @param ipv4 the stack; its node gives the hash its seed
    virtual void SetIpv4(Ptr<Ipv4> ipv4);

    /// Note that an interface has gone up or down, after the groups were told.
    /// @param interface the index of the interface
    /// @param isUp whether it is up
    virtual void NotifyInterface([[maybe_unused]] uint32_t interface, [[maybe_unused]] bool isUp)
    {
    }

    /// Assign fixed random variable streams.
    /// @param stream the first stream to use
    /// @return the number of streams used
    virtual int64_t AssignStreams([[maybe_unused]] int64_t stream)
    {
        return 0;
    }

    /// Hash a flow with the seed of this switch.
    ///
    /// If all switches had the same seed, a switch would choose as the one before it did, so that a
    /// tier would use only a fraction of its links (polarization).
    /// @param key the flow
    /// @return the hash
    uint32_t Hash(const FlowKey& key) const
    {
        return HashFlow(key, m_switchSeed);
    }

  private:
    uint32_t m_seed{0};       //!< the seed as set, 0 to derive it
    uint32_t m_switchSeed{0}; //!< the seed in use
};

/// Equal-cost multipath by a hash of the five-tuple (RFC 2991, RFC 2992): a flow keeps its
/// next hop as long as the usable next hops stay the same.
///
/// All usable members get equal shares, whatever their weights. When a member comes or goes, flows
/// of the others move too; WeightedSelector avoids that.
class HashSelector : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
};

/// Weighted equal-cost multipath with resilient hashing.
///
/// Each group has a table of buckets. A member owns a share of the buckets by its weight, and the
/// hash of the five-tuple chooses a bucket. When a weight changes, or a member comes or goes, as
/// few buckets as possible change their member, and so as few flows.
class WeightedSelector : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    void NotifyGroup(NextHopGroup& group) override;

  private:
    uint32_t m_nBuckets; //!< attribute Buckets
};

/// Flowlet switching: after a pause of a flow, its next packets take a next hop that is
/// chosen at random (Vanini et al., "Let It Flow", NSDI 2017).
///
/// Each group has a table of flowlets by the hash of the five-tuple; flows with the same place in
/// it share an entry.
class FlowletSelector : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Time m_gap;           //!< attribute Gap
    uint32_t m_tableSize; //!< attribute TableSize
    /// Chooses among next hops
    Ptr<UniformRandomVariable> m_variable{CreateObject<UniformRandomVariable>()};
};

/// Packet spraying: each packet goes its own way, at random or in turn (Dixit et al., "On the
/// Impact of Packet Spraying in Data Center Networks", INFOCOM 2013).
///
/// The load is even, or proportional to the weights of the next hops if attribute Weighted is set.
/// Packets of a flow are reordered.
///
/// ROUND_ROBIN with weights is smooth weighted round robin: each packet takes the next hop that is
/// furthest behind its share of the packets so far. With integral weights, shares are exact after
/// as many packets as the sum of the weights. Changes of weights do not restart it.
class SpraySelector : public NextHopSelector
{
  public:
    /// How a packet's next hop is chosen.
    enum Mode
    {
        RANDOM,     //!< at random
        ROUND_ROBIN //!< one after the other, in each group
    };

    /// @return the type ID
    static TypeId GetTypeId();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    void NotifyGroup(NextHopGroup& group) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// Choose a next hop by weights. @return the index of a usable member
    uint32_t SelectByWeight(NextHopGroup& group) const;

    Mode m_mode;       //!< attribute Mode
    bool m_isWeighted; //!< attribute Weighted
    /// Chooses among next hops
    Ptr<UniformRandomVariable> m_variable{CreateObject<UniformRandomVariable>()};
};

} // namespace ns3::aidc

#endif // AIDC_NEXT_HOP_SELECTOR_H
