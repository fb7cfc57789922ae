// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_PATH_ATTRIBUTES_H
#define AIDC_BGP_PATH_ATTRIBUTES_H

#include "bgp-as-path.h"
#include "bgp-bytes.h"
#include "bgp-prefix.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <tuple>
#include <unordered_map>
#include <vector>

/// @file
/// Path attributes (RFC 4271, section 5, and the RFCs that are named below), among them communities
/// (RFC 1997), extended communities (RFC 4360) and large ones (RFC 8092).

namespace ns3::aidc
{

/// The types of known attributes; as on the wire.
enum class BgpAttributeType : uint8_t
{
    ORIGIN = 1,                //!< RFC 4271
    AS_PATH = 2,               //!< RFC 4271
    NEXT_HOP = 3,              //!< RFC 4271
    MULTI_EXIT_DISC = 4,       //!< RFC 4271
    LOCAL_PREF = 5,            //!< RFC 4271
    ATOMIC_AGGREGATE = 6,      //!< RFC 4271
    AGGREGATOR = 7,            //!< RFC 4271
    COMMUNITIES = 8,           //!< RFC 1997
    ORIGINATOR_ID = 9,         //!< RFC 4456
    CLUSTER_LIST = 10,         //!< RFC 4456
    MP_REACH_NLRI = 14,        //!< RFC 4760
    MP_UNREACH_NLRI = 15,      //!< RFC 4760
    EXTENDED_COMMUNITIES = 16, //!< RFC 4360
    AS4_PATH = 17,             //!< RFC 6793
    AS4_AGGREGATOR = 18,       //!< RFC 6793
    LARGE_COMMUNITIES = 32     //!< RFC 8092
};

/// The flags of an attribute.
struct BgpAttributeFlag
{
    static constexpr uint8_t OPTIONAL = 0x80;        //!< not every speaker has to know it
    static constexpr uint8_t TRANSITIVE = 0x40;      //!< forwarded by speakers that do not know it
    static constexpr uint8_t PARTIAL = 0x20;         //!< some speaker on the path did not know it
    static constexpr uint8_t EXTENDED_LENGTH = 0x10; //!< the length has two octets
};

/// The origins of routes; as on the wire, the best one first.
enum class BgpOrigin : uint8_t
{
    IGP = 0,       //!< from within the AS
    EGP = 1,       //!< by EGP
    INCOMPLETE = 2 //!< by some other means
};

/// The router that has aggregated a route.
struct BgpAggregator
{
    uint32_t as{0};      //!< the AS
    uint32_t address{0}; //!< the router, host byte order

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(as, address);
    }
};

/// Well-known community: not beyond the AS or confederation (RFC 1997).
constexpr uint32_t BGP_NO_EXPORT = 0xffffff01;

/// Well-known community: to no peer at all (RFC 1997).
constexpr uint32_t BGP_NO_ADVERTISE = 0xffffff02;

/// Well-known community: to no external peer, not even in the confederation (RFC 1997).
constexpr uint32_t BGP_NO_EXPORT_SUBCONFED = 0xffffff03;

/// Well-known community: the session is about to be shut down (RFC 8326).
constexpr uint32_t BGP_GRACEFUL_SHUTDOWN = 0xffff0000;

/// @return whether a route has a community
bool HasBgpCommunity(const std::vector<uint32_t>& communities, uint32_t community);

/// Add a community to a route, unless the route has it.
void AddBgpCommunity(std::vector<uint32_t>& communities, uint32_t community);

/// An extended community: eight octets. The first one or two are its type.
///
///      +0   I, T, and six bits of type: I is the authority that has assigned it, T is 1 if it is
///           not transitive across ASs
///      +1   low octet of the type (of types that have one)
///      +2   value
///
/// In address-specific communities (types 0x01 and 0x41) and in communities of a two-octet AS (0x00
/// and 0x40), the value is the global administrator, four octets or two, and the local
/// administrator.
struct BgpExtendedCommunity
{
    uint64_t value{0}; //!< all octets, the first one on top

    /// @return the high octet of the type
    uint8_t GetType() const
    {
        return static_cast<uint8_t>(value >> 56);
    }

    /// @return the low octet of the type
    uint8_t GetSubtype() const
    {
        return static_cast<uint8_t>(value >> 48);
    }

    /// @return the last two octets: the local administrator in an address-specific community
    uint16_t GetLocal16() const
    {
        return static_cast<uint16_t>(value);
    }

    /// @return the last four octets: the local administrator in an AS-specific community
    uint32_t GetLocal32() const
    {
        return static_cast<uint32_t>(value);
    }

    /// @return whether the community is transitive across ASs
    bool IsTransitive() const
    {
        return (value >> 62 & 1) == 0;
    }

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(value);
    }
};

/// Print a community as 0x and 16 hexadecimal digits. @return os
std::ostream& operator<<(std::ostream& os, const BgpExtendedCommunity& community);

/// Remove the communities that must not leave the AS, as they are not transitive (RFC 4360, section
/// 6).
void RemoveNonTransitive(std::vector<BgpExtendedCommunity>& communities);

/// A large community (RFC 8092).
struct BgpLargeCommunity
{
    uint32_t global{0}; //!< global administrator: an AS
    uint32_t local1{0}; //!< first part of the local data
    uint32_t local2{0}; //!< second part of the local data

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(global, local1, local2);
    }
};

/// The contents of MP_REACH_NLRI for IPv4 unicast.
struct BgpMpReach
{
    uint32_t nextHop{0};             //!< host byte order
    std::vector<BgpPrefix> prefixes; //!< routes that are announced
};

/// An unknown optional transitive attribute, which is forwarded unchanged.
struct BgpUnknownAttribute
{
    uint8_t type{0}; //!< its type
    BgpBytes value;  //!< its value

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(type, value);
    }
};

/// The attributes of a route.
///
/// AS numbers have four octets, whatever the session has: AS4_PATH and AS4_AGGREGATOR are handled
/// when messages are encoded and decoded. MP_REACH_NLRI and MP_UNREACH_NLRI belong to the message.
/// The lists are in the order of the wire.
struct BgpPathAttributes
{
    BgpOrigin origin{BgpOrigin::IGP};        //!< ORIGIN
    BgpAsPath asPath;                        //!< AS_PATH
    uint32_t nextHop{0};                     //!< NEXT_HOP, host byte order
    std::optional<uint32_t> multiExitDisc;   //!< MULTI_EXIT_DISC
    std::optional<uint32_t> localPref;       //!< LOCAL_PREF, of internal peers only
    bool isAtomicAggregate{false};           //!< ATOMIC_AGGREGATE
    std::optional<BgpAggregator> aggregator; //!< AGGREGATOR
    std::vector<uint32_t> communities;       //!< COMMUNITIES
    std::optional<uint32_t> originatorId;    //!< ORIGINATOR_ID, of internal peers only
    std::vector<uint32_t> clusterList;       //!< CLUSTER_LIST, of internal peers only
    std::vector<BgpExtendedCommunity> extendedCommunities; //!< EXTENDED_COMMUNITIES
    std::vector<BgpLargeCommunity> largeCommunities;       //!< LARGE_COMMUNITIES
    std::vector<BgpUnknownAttribute> unknown;              //!< by type, each type once
    uint64_t partial{0}; //!< bits of known types that arrived as partial, and must stay so

    /// @return references to all members, for comparisons and hashes
    auto Tie() const
    {
        return std::tie(origin,
                        asPath,
                        nextHop,
                        multiExitDisc,
                        localPref,
                        isAtomicAggregate,
                        aggregator,
                        communities,
                        originatorId,
                        clusterList,
                        extendedCommunities,
                        largeCommunities,
                        unknown,
                        partial);
    }
};

/// Attributes that several routes share.
using BgpSharedAttributes = std::shared_ptr<const BgpPathAttributes>;

/// @return a number that is equal for equal attributes, and the same on all machines
uint64_t HashBgpPathAttributes(const BgpPathAttributes& attributes);

/// Keeps sets of attributes, so that routes of equal ones share one object.
///
/// Two sets of one pool are equal if and only if they are the same object. Objects that no route
/// has any longer are freed when there are twice as many objects as after the last time.
///
/// Speakers may share a pool as long as they run in one thread: in a Clos network, all leaves of a
/// pod have the same routes but for the next hops, which are not part of the shared attributes.
class BgpAttributePool
{
  public:
    /// Get the shared object of a set of attributes. @return the object
    BgpSharedAttributes Intern(BgpPathAttributes attributes);

    /// Free the objects that no route has.
    void Sweep();

    /// @return the number of objects, in use or not
    std::size_t GetSize() const
    {
        return m_objects.size();
    }

  private:
    /// The fewest objects at which to sweep.
    static constexpr std::size_t MIN_SWEEP = 64;

    std::unordered_multimap<uint64_t, BgpSharedAttributes> m_objects; //!< by hash
    std::size_t m_nextSweep{MIN_SWEEP};                               //!< objects to sweep at
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PATH_ATTRIBUTES_H
