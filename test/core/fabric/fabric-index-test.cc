// SPDX-License-Identifier: GPL-2.0-only

// Numbers of nodes, ports and links do not mix: what must not compile is asked of the compiler.

#include "model/core/fabric/fabric-elements.h"
#include "test/core/core-test.h"

#include "ns3/fabric-plan.h"
#include "ns3/fabric-routes.h"

#include <type_traits>

/// Whether a Container can be subscripted with an Index.
template <typename Container, typename Index, typename = void>
struct CanSubscript : std::false_type
{
};

template <typename Container, typename Index>
struct CanSubscript<Container,
                    Index,
                    std::void_t<decltype(std::declval<Container>()[std::declval<Index>()])>>
    : std::true_type
{
};

/// Whether an A and a B can be added.
template <typename A, typename B, typename = void>
struct CanAdd : std::false_type
{
};

template <typename A, typename B>
struct CanAdd<A, B, std::void_t<decltype(std::declval<A>() + std::declval<B>())>> : std::true_type
{
};

/// Whether an A and a B can be compared.
template <typename A, typename B, typename = void>
struct CanCompare : std::false_type
{
};

template <typename A, typename B>
struct CanCompare<A, B, std::void_t<decltype(std::declval<A>() == std::declval<B>())>>
    : std::true_type
{
};

using Names = std::vector<std::string>;

// names[port + 1], the number of an interface, and names[port]
static_assert(CanAdd<uint32_t, int>(), "numbers can be added");
static_assert(!CanAdd<PortIndex, int>(), "a port plus 1 is no port");
static_assert(!CanAdd<PortIndex, PortIndex>(), "nor are two of them");
static_assert(CanSubscript<Names, uint32_t>(), "a vector takes a number");
static_assert(!CanSubscript<Names, PortIndex>(), "a vector takes no port");

// Numbers become indices only where that is written, indices no numbers, and none another one.
static_assert(std::is_constructible<PortIndex, uint32_t>(), "PortIndex(1)");
static_assert(!std::is_convertible<uint32_t, PortIndex>(), "a number is no port");
static_assert(!std::is_convertible<PortIndex, uint32_t>(), "a port is no number");
static_assert(!std::is_constructible<NodeIndex, PortIndex>(), "a port is no node");
static_assert(!std::is_constructible<LinkIndex, NodeIndex>(), "a node is no link");
static_assert(!std::is_assignable<NodeIndex&, LinkIndex>(), "a link is no node");
static_assert(!std::is_assignable<NodeIndex&, uint32_t>(), "a number is no node");
static_assert(CanCompare<PortIndex, PortIndex>(), "ports can be compared");
static_assert(!CanCompare<PortIndex, NodeIndex>(), "a port and a node cannot");
static_assert(!CanCompare<PortIndex, int>(), "nor a port and a number");

// What a plan has is reached with its own kind of index.
static_assert(CanSubscript<FabricLinks, LinkIndex>(), "links");
static_assert(!CanSubscript<FabricLinks, NodeIndex>(), "no node among links");
static_assert(!CanSubscript<FabricLinks, int>(), "no number among links");
static_assert(CanSubscript<FabricNodePorts, PortIndex>(), "ports");
static_assert(!CanSubscript<FabricNodePorts, LinkIndex>(), "no link among ports");
static_assert(std::is_invocable<decltype(&FabricPlan::GetPorts), FabricPlan&, NodeIndex>(), "");
static_assert(!std::is_invocable<decltype(&FabricPlan::GetPorts), FabricPlan&, PortIndex>(), "");
static_assert(!std::is_invocable<decltype(&FabricPlan::GetPorts), FabricPlan&, uint32_t>(), "");
static_assert(
    !std::is_invocable<decltype(&FabricPlan::GetPortName), FabricPlan&, PortIndex, NodeIndex>(),
    "the node comes first");
static_assert(!std::is_invocable<decltype(&FabricRoutes::FailLink), FabricRoutes&, NodeIndex>(),
              "");

// They cost what numbers cost.
static_assert(sizeof(NodeIndex) == sizeof(uint32_t), "");
static_assert(std::is_trivially_copyable<NodeIndex>(), "");

TEST(FabricIndex, CountsAndCompares)
{
    PortIndex port;
    EXPECT_EQ(port.value, 0U);
    EXPECT_EQ(port, PortIndex(0));
    EXPECT_EQ(++port, PortIndex(1));
    EXPECT_NE(port, PortIndex(0));
    EXPECT_TRUE(PortIndex(0) < port);
    EXPECT_FALSE(port < port);
    EXPECT_FALSE(PortIndex(2) < port);
}

TEST(FabricIndex, ReachesTheItemsOfAnIndexedVector)
{
    IndexedVector<PortIndex, std::string> names{"a", "b"};
    EXPECT_EQ(names.Add("c"), PortIndex(2));
    EXPECT_EQ(names.GetEnd(), PortIndex(3));
    EXPECT_EQ(names[PortIndex(1)], "b");
    names[PortIndex(1)] = "d";
    EXPECT_EQ(names.at(PortIndex(1)), "d");
    EXPECT_THROW(names.at(PortIndex(3)), std::out_of_range);
    EXPECT_EQ(names.GetItems(), (std::vector<std::string>{"a", "d", "c"}));
    EXPECT_EQ(names.front() + names.back(), "ac");
    EXPECT_TRUE((IndexedVector<PortIndex, int>().empty()));
    const IndexedVector<NodeIndex, int> sevens(3, 7);
    EXPECT_EQ(sevens.GetItems(), (std::vector<int>{7, 7, 7}));
}
