// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_ELEMENTS_H
#define AIDC_FABRIC_ELEMENTS_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <utility>
#include <vector>

/// @file
/// The elements of a FabricPlan, and their numbers, as types that do not mix.

namespace ns3::aidc
{

/// The number of an element of a FabricPlan, from 0.
///
/// Conversions from and to numbers are explicit, and there is no arithmetic: a port plus 1 is not a
/// port, and a port is not a node.
/// @tparam Element the type of numbered elements
template <typename Element>
struct FabricIndex
{
    /// Constructor of the first one.
    constexpr FabricIndex() = default;

    /// Constructor. @param number the number
    explicit constexpr FabricIndex(uint32_t number)
        : value(number)
    {
    }

    /// Advance to the next one. @return the next one
    FabricIndex& operator++()
    {
        ++value;
        return *this;
    }

    /// @return whether both are the same
    friend constexpr bool operator==(FabricIndex a, FabricIndex b)
    {
        return a.value == b.value;
    }

    /// @return whether they differ
    friend constexpr bool operator!=(FabricIndex a, FabricIndex b)
    {
        return a.value != b.value;
    }

    /// @return whether a is the first one
    friend constexpr bool operator<(FabricIndex a, FabricIndex b)
    {
        return a.value < b.value;
    }

    /// Write the number. @return where it was written
    friend std::ostream& operator<<(std::ostream& os, FabricIndex index)
    {
        return os << index.value;
    }

    uint32_t value{0}; //!< the number
};

struct FabricNode;
struct FabricPort;
struct FabricLink;

/// The number of a node in its plan.
using NodeIndex = FabricIndex<FabricNode>;
/// The number of a port at its node.
using PortIndex = FabricIndex<FabricPort>;
/// The number of a link in its plan.
using LinkIndex = FabricIndex<FabricLink>;

/// A std::vector that is accessed by one kind of index. It has the vector as a member, as cppyy
/// finds no items in a class derived from it.
/// @tparam Index the FabricIndex
/// @tparam T the type of items
template <typename Index, typename T>
class IndexedVector
{
  public:
    IndexedVector() = default;

    /// Constructor. @param items the items, by number
    IndexedVector(std::vector<T> items)
        : m_items(std::move(items))
    {
    }

    /// Constructor. @param items the items, by number
    IndexedVector(std::initializer_list<T> items)
        : m_items(items)
    {
    }

    /// Constructor. item: the value of each item.
    explicit IndexedVector(std::size_t n, const T& item = T())
        : m_items(n, item)
    {
    }

    /// @return the item @param index its index, below GetEnd()
    T& operator[](Index index)
    {
        return m_items[index.value];
    }

    /// @return the item @param index its index, below GetEnd()
    const T& operator[](Index index) const
    {
        return m_items[index.value];
    }

    /// @return the item @throws std::out_of_range if there is none
    const T& at(Index index) const
    {
        return m_items.at(index.value);
    }

    /// Add an item. @return its index
    Index Add(T item)
    {
        m_items.push_back(std::move(item));
        return Index(static_cast<uint32_t>(m_items.size() - 1));
    }

    /// @return the index after the last one, which no item has
    Index GetEnd() const
    {
        return Index(static_cast<uint32_t>(m_items.size()));
    }

    /// @return the items, by number
    const std::vector<T>& GetItems() const
    {
        return m_items;
    }

    /// @return the number of items
    std::size_t size() const
    {
        return m_items.size();
    }

    /// @return whether there is no item
    bool empty() const
    {
        return m_items.empty();
    }

    /// @return the first item
    const T& front() const
    {
        return m_items.front();
    }

    /// @return the last item
    const T& back() const
    {
        return m_items.back();
    }

    /// Begin a loop. @return the first item
    auto begin()
    {
        return m_items.begin();
    }

    /// Begin a loop. @return the first item
    auto begin() const
    {
        return m_items.begin();
    }

    /// End a loop. @return what is after the last item
    auto end()
    {
        return m_items.end();
    }

    /// End a loop. @return what is after the last item
    auto end() const
    {
        return m_items.end();
    }

  private:
    std::vector<T> m_items; //!< the items
};

/// The tier of a node in a fabric.
enum class FabricTier : uint8_t
{
    HOST,        //!< an end system
    LEAF,        //!< a switch that hosts are attached to
    SPINE,       //!< a switch above the leaves
    SUPER_SPINE, //!< a switch above the spines
};

/// The pod of the switches of the top tier, which belong to none.
inline constexpr uint32_t NO_POD = 0xffffffff;

/// The server of a host that is a server of its own, and of switches.
inline constexpr uint32_t NO_SERVER = 0xffffffff;

/// A host or switch of a FabricPlan.
struct FabricNode
{
    FabricTier tier{FabricTier::HOST}; //!< its tier
    uint32_t pod{NO_POD};              //!< its pod, from 0, or NO_POD
    /// Its number in the tier, from 0; for leaves and spines below super-spines, in their pod.
    uint32_t index{0};
    uint32_t server{NO_SERVER}; //!< of a host that is a GPU: the server that it is in, or NO_SERVER
};

/// A link of a FabricPlan. Each node counts its ports from 0 in the order of its links.
struct FabricLink
{
    NodeIndex a;         //!< the node at one end
    NodeIndex b;         //!< the node at the other end
    PortIndex aPort;     //!< the port of a
    PortIndex bPort;     //!< the port of b
    uint64_t rate{0};    //!< bit/s in each direction, above 0
    int64_t delay{0};    //!< one-way propagation delay in ns, at least 0
    double errorRate{0}; //!< share of packets lost in each direction, 0 to 1
    uint32_t line{0};    //!< the line of the file that it was read from, 0 if none
};

/// The link and the peer of a port of a node in a FabricPlan.
struct FabricPort
{
    LinkIndex link; //!< the link
    NodeIndex peer; //!< the node at its other end
};

/// An attachment of hosts: a leaf, or a set of leaves to which each of the hosts has links.
///
/// All hosts with the same set of leaves have addresses of one prefix, like the hosts of a leaf.
struct FabricAttachment
{
    std::vector<NodeIndex> leaves; //!< the leaves, in the order of FabricPlan::GetLeaves()
    uint32_t pod{0};               //!< the number of the pod in its addresses
    uint32_t number{0};            //!< its number in that pod, as a leaf's
};

/// The nodes of a plan.
using FabricNodes = IndexedVector<NodeIndex, FabricNode>;
/// The links of a plan.
using FabricLinks = IndexedVector<LinkIndex, FabricLink>;
/// The ports of a node.
using FabricNodePorts = IndexedVector<PortIndex, FabricPort>;
/// The ports of all nodes.
using FabricPorts = IndexedVector<NodeIndex, FabricNodePorts>;

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ELEMENTS_H
