// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_COMPAT_H
#define AIDC_COMPAT_H

#include "ns3/attribute-accessor-helper.h"
#include "ns3/attribute.h"
#include "ns3/enum.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4-routing-protocol.h"

#include <string>
#include <type_traits>
#include <utility>

/// @defgroup aidc AIDC: congestion signaling for AI data centers
/// The classes and functions of the namespace ns3::aidc.

/// @defgroup aidc-test Tests of AIDC
/// @ingroup aidc

/// @file
/// What differs between ns-3.37 and ns-3.48, in one place.
///
/// These are traits, not version macros: a macro that is set for this module's sources does not
/// reach its users' sources.

namespace ns3::aidc
{

/// The type of the values of an enumeration attribute, which is a template from ns-3.41 on.
/// @tparam E the enumeration: unscoped, inside its class
template <typename E>
using EnumValueOf = decltype(EnumValue(std::declval<E>()));

/// Make the accessor of an enumeration attribute. MakeEnumAccessor() takes the enumeration as a
/// template argument from ns-3.41 on.
/// @tparam E the enumeration
/// @tparam T the class
/// @param member the member that has its value
/// @return the accessor
template <typename E, typename T>
Ptr<const AttributeAccessor>
MakeEnumAccessorFor(E T::* member)
{
    return MakeAccessorHelper<EnumValueOf<E>>(member);
}

/// The types of the callbacks of Ipv4RoutingProtocol::RouteInput: values up to ns-3.38, constant
/// references from ns-3.39 on. It is taken from the base class itself.
/// @tparam T the type of that member function
template <typename T>
struct RouteInputTypes;

/// @copydoc RouteInputTypes
template <typename U, typename M, typename L, typename E>
struct RouteInputTypes<bool (
    Ipv4RoutingProtocol::*)(Ptr<const Packet>, const Ipv4Header&, Ptr<const NetDevice>, U, M, L, E)>
{
    using Unicast = U;   //!< forwards a unicast packet
    using Multicast = M; //!< forwards a multicast packet
    using Local = L;     //!< delivers a packet to this node
    using Error = E;     //!< takes a packet that cannot be forwarded
};

/// The types that an override of RouteInput takes.
using RouteInputArgs = RouteInputTypes<decltype(&Ipv4RoutingProtocol::RouteInput)>;

/// Whether an address of an interface takes a broadcast address (up to ns-3.47): later ones compute
/// it from the mask.
/// @tparam A Ipv4InterfaceAddress
/// @tparam V void
template <typename A, typename V = void>
struct HasBroadcastSetter : std::false_type
{
};

/// @copydoc HasBroadcastSetter
template <typename A>
struct HasBroadcastSetter<
    A,
    std::void_t<decltype(std::declval<A>().SetBroadcast(std::declval<Ipv4Address>()))>>
    : std::true_type
{
};

/// Clear the broadcast address of a /31, if this ns-3 can.
/// @tparam A Ipv4InterfaceAddress
/// @param address an address of a /31, which has no broadcast address (RFC 3021): ns-3 takes the
///        higher of its two for one
template <typename A>
void
ClearBroadcast(A& address)
{
    if constexpr (HasBroadcastSetter<A>::value)
    {
        address.SetBroadcast(address.GetLocal());
    }
}

/// Get the type of an attribute's values.
/// @param checker the attribute's checker
/// @return the name of their class without the namespace, which some classes lack up to ns-3.40
inline std::string
GetValueType(const AttributeChecker& checker)
{
    const std::string name = checker.GetValueTypeName();
    return name.rfind("ns3::", 0) == 0 ? name.substr(5) : name;
}

} // namespace ns3::aidc

#endif // AIDC_COMPAT_H
