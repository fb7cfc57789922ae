/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-adj-ribs-in.h"

#include "../mix-bits.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

std::size_t
BgpAdjRibsIn::PrefixHash::operator()(const BgpPrefix& prefix) const
{
    return static_cast<std::size_t>(MixBits(uint64_t{prefix.length} << 32 | prefix.network));
}

uint32_t
BgpAdjRibsIn::FindOrAdd(const BgpPrefix& prefix)
{
    const auto [known, isNew] = m_numbers.try_emplace(prefix, 0);
    if (isNew)
    {
        if (m_free.empty())
        {
            m_free.push_back(static_cast<uint32_t>(m_entries.size()));
            m_entries.emplace_back();
        }
        known->second = m_free.back();
        m_free.pop_back();
        m_entries[known->second].prefix = prefix;
    }
    return known->second;
}

std::optional<uint32_t>
BgpAdjRibsIn::Find(const BgpPrefix& prefix) const
{
    const auto known = m_numbers.find(prefix);
    return known == m_numbers.end() ? std::nullopt : std::make_optional(known->second);
}

bool
BgpAdjRibsIn::Forget(uint32_t number)
{
    Entry& entry = m_entries[number];
    const auto known = m_numbers.find(entry.prefix);
    if (!entry.routes.empty() || known == m_numbers.end() || known->second != number)
    {
        return false;
    }
    m_numbers.erase(known);
    entry = Entry();
    m_free.push_back(number);
    return true;
}

BgpAdjRibsIn::Change
BgpAdjRibsIn::Set(uint32_t number, BgpReceivedRoute route)
{
    std::vector<BgpReceivedRoute>& routes = m_entries[number].routes;
    const auto place = std::lower_bound(
        routes.begin(),
        routes.end(),
        route.peer,
        [](const BgpReceivedRoute& other, uint32_t peer) { return other.peer < peer; });
    if (place == routes.end() || place->peer != route.peer)
    {
        routes.insert(place, std::move(route));
        return Change::ADDED;
    }
    if (place->attributes == route.attributes && place->nextHop == route.nextHop)
    {
        return Change::NONE;
    }
    *place = std::move(route);
    return Change::REPLACED;
}

BgpAdjRibsIn::Change
BgpAdjRibsIn::Remove(uint32_t number, uint32_t peer)
{
    std::vector<BgpReceivedRoute>& routes = m_entries[number].routes;
    const BgpReceivedRoute* const route = FindRoute(number, peer);
    if (!route)
    {
        return Change::NONE;
    }
    routes.erase(routes.begin() + (route - routes.data()));
    return Change::REMOVED;
}

const BgpReceivedRoute*
BgpAdjRibsIn::FindRoute(uint32_t number, uint32_t peer) const
{
    const std::vector<BgpReceivedRoute>& routes = m_entries[number].routes;
    const auto place = std::lower_bound(
        routes.begin(),
        routes.end(),
        peer,
        [](const BgpReceivedRoute& route, uint32_t other) { return route.peer < other; });
    return place != routes.end() && place->peer == peer ? &*place : nullptr;
}

std::vector<uint32_t>
BgpAdjRibsIn::GetNumbers() const
{
    std::vector<uint32_t> numbers;
    for (const auto& entry : m_numbers)
    {
        numbers.push_back(entry.second);
    }
    return numbers;
}

std::size_t
BgpAdjRibsIn::GetMemorySize() const
{
    // A node of the hash table has a pointer beside its value, and there is a bucket for it.
    std::size_t size = m_entries.capacity() * sizeof(Entry) +
                       m_numbers.size() * (sizeof(*m_numbers.begin()) + sizeof(void*)) +
                       m_numbers.bucket_count() * sizeof(void*) +
                       m_free.capacity() * sizeof(uint32_t);
    for (const Entry& entry : m_entries)
    {
        size += entry.routes.capacity() * sizeof(BgpReceivedRoute);
    }
    return size;
}

} // namespace ns3::aidc
