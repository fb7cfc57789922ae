// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PROCESS_GATHER_H
#define AIDC_PROCESS_GATHER_H

#include "mpi-processes.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

/// @file
/// What observers of a network ask of other processes (MpiProcesses), so that each one knows all of
/// it. Each process calls these functions at the same points. With one process they return what
/// they are given.

namespace ns3::aidc
{

/// Join the items of all processes.
/// @tparam T the type of an item, without pointers
/// @param own the items of this process
/// @return the items of all processes, by process
template <typename T>
std::vector<T>
GatherItems(std::vector<T> own)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const auto& processes = MpiProcesses::Get();
    if (processes.GetN() == 1)
    {
        return own;
    }
    const std::string bytes(reinterpret_cast<const char*>(own.data()), own.size() * sizeof(T));
    std::vector<T> all;
    for (const auto& text : processes.Gather(bytes))
    {
        for (std::size_t begin = 0; begin + sizeof(T) <= text.size(); begin += sizeof(T))
        {
            T item;
            std::memcpy(static_cast<void*>(&item), text.data() + begin, sizeof(T));
            all.push_back(item);
        }
    }
    return all;
}

/// An item of a place, such as a node or a flow.
template <typename T>
struct PlacedItem
{
    std::size_t place; //!< the number of the place, the same in each process
    T item;            //!< the item
};

/// Join the items of all processes in the order of their places. Each place belongs to one process.
/// @tparam T the type of an item, without pointers
/// @param own the items of this process; the items of a place are in their order
/// @return the items of all processes
template <typename T>
std::vector<T>
GatherInOrder(const std::vector<PlacedItem<T>>& own)
{
    auto all = GatherItems(own);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.place < b.place;
    });
    std::vector<T> items;
    items.reserve(all.size());
    for (const auto& placed : all)
    {
        items.push_back(placed.item);
    }
    return items;
}

/// Add up a count, or counters, over the processes.
/// @tparam T a whole number, or whole numbers with `+=`
/// @param own the count of this process
/// @return the sum
template <typename T>
T
SumOverProcesses(const T& own)
{
    static_assert(!std::is_floating_point_v<T>, "its last digits would depend on the processes");
    T sum{};
    for (const auto& item : GatherItems(std::vector<T>{own}))
    {
        sum += item;
    }
    return sum;
}

/// Add up a counter of objects, such as ports, over the processes.
/// @param objects the objects of this process
/// @param counter the counter
/// @return the sum
template <typename Objects, typename Object>
uint64_t
SumOverProcesses(const Objects& objects, uint64_t Object::* counter)
{
    uint64_t sum = 0;
    for (const Object& object : objects)
    {
        sum += object.*counter;
    }
    return SumOverProcesses(sum);
}

/// Get the latest time of all processes.
/// @param own the time of this process
/// @return the latest one
inline Time
GetLatestOverProcesses(Time own)
{
    const auto all = GatherItems(std::vector<int64_t>{own.GetTimeStep()});
    return TimeStep(static_cast<uint64_t>(*std::max_element(all.begin(), all.end())));
}

/// Add up numbers of nodes in the order of their nodes: the last digits of the sum are the
/// same with any number of processes.
/// @param own the number of each node of this process, by the id of the node
/// @return the sum over the nodes of all processes
inline double
SumByNode(const std::map<uint32_t, double>& own)
{
    /// The number of a node.
    struct Item
    {
        uint32_t node;
        double value;
    };

    std::vector<Item> items;
    for (const auto& [node, value] : own)
    {
        items.push_back({node, value});
    }
    std::map<uint32_t, double> all;
    for (const auto& item : GatherItems(items))
    {
        all[item.node] += item.value;
    }
    return std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const auto& item) {
        return sum + item.second;
    });
}

} // namespace ns3::aidc

#endif // AIDC_PROCESS_GATHER_H
