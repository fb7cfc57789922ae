/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-lookahead.h"
#include "time-window-simulator-impl.h"

#include "ns3/cache-line.h"
#include "ns3/channel-list.h"
#include "ns3/node-sort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <typeinfo>

/**
 * @file
 * @ingroup aidc
 * How a TimeWindowSimulatorImpl runs events.
 */

namespace ns3::aidc
{

namespace
{

/// The length of a window, in time steps, where there is no lookahead.
constexpr uint64_t DEFAULT_LENGTH = 1000;

/// How many events ahead memory is fetched.
constexpr std::size_t PREFETCH_AHEAD = 3;

/// The lines of the caches that are fetched of an event: that of a frame on a link has a few.
constexpr std::size_t PREFETCH_LINES = 3;

} // namespace

void
TimeWindowSimulatorImpl::UpdateLookahead()
{
    m_nChannels = ChannelList::GetNChannels();
    const auto found = NetworkLookahead::Find();
    m_lookahead = static_cast<uint64_t>(found.delay.GetTimeStep());
    const bool hasSides = m_lookahead > 0 && found.hasSides;
    m_window = hasSides ? 2 * m_lookahead : m_lookahead;
    if (!found.reason.empty() && found.reason != m_reason)
    {
        std::cerr << "Time windows: " << found.reason << "; events run in the order of time\n";
    }
    m_reason = found.reason;
    m_events.SetWindows(m_lookahead > 0 ? m_window : DEFAULT_LENGTH,
                        hasSides ? found.sides : std::vector<uint8_t>(),
                        m_now);
}

void
TimeWindowSimulatorImpl::Align()
{
    if (m_lookahead > 0)
    {
        m_events.SetHorizon(m_events.GetLatestLimit());
        while (!m_isStopped && RunNext())
        {
        }
        m_events.SetHorizon(UINT64_MAX);
    }
}

void
TimeWindowSimulatorImpl::Run()
{
    m_mainThread = std::this_thread::get_id();
    // This class has none, and needs no EventId for it at each event.
    m_mayHaveHook = typeid(*this) != typeid(TimeWindowSimulatorImpl);
    m_isStopped = false;
    UpdateLookahead();
    TakeForeign();
    while (!IsFinished())
    {
        RunNext();
        if (m_nChannels != ChannelList::GetNChannels())
        {
            Align();
            UpdateLookahead();
        }
        TakeForeign();
    }
    m_now = m_latest;
    m_context = Simulator::NO_CONTEXT;
}

bool
TimeWindowSimulatorImpl::RunNext()
{
    const auto next = m_events.Open();
    if (next == WindowEvents::Next::NOTHING)
    {
        return false;
    }
    if (next == WindowEvents::Next::GLOBAL)
    {
        ++m_phase;
        Invoke(m_events.PopGlobal());
    }
    else if (m_lookahead > 0)
    {
        RunTurns();
    }
    else
    {
        m_running = Running::IN_ORDER;
        Invoke(m_events.PopFirst());
        m_running = Running::NOTHING;
    }
    m_context = Simulator::NO_CONTEXT;
    return true;
}

void
TimeWindowSimulatorImpl::RunTurns()
{
    m_events.TakeWindow(m_turn);
    SortByNode(m_turn, m_sorted, m_places);
    m_running = Running::TURN;
    while (m_next < m_turn.size())
    {
        m_context = m_turn[m_next].node;
        std::size_t end = m_next + 1;
        while (end < m_turn.size() && m_turn[end].node == m_context)
        {
            ++end;
        }
        std::sort(m_turn.begin() + static_cast<std::ptrdiff_t>(m_next),
                  m_turn.begin() + static_cast<std::ptrdiff_t>(end),
                  EarlierEvent());
        RunTurn(end);
    }
    m_running = Running::NOTHING;
    m_turn.clear();
    m_next = 0;
    // What other threads schedule comes after all that was run.
    m_now = m_events.GetLimit().time;
}

void
TimeWindowSimulatorImpl::RunTurn(std::size_t end)
{
    while (m_next < end || !m_own.IsEmpty())
    {
        if (m_own.IsEmpty() || (m_next < end && m_turn[m_next].order < m_own.GetFirst().order))
        {
            const PendingEvent event = m_turn[m_next++];
            PrefetchTurn();
            if (event.impl)
            {
                Invoke(event);
            }
        }
        else
        {
            Invoke(m_own.Pop());
        }
    }
}

void
TimeWindowSimulatorImpl::PrefetchTurn() const
{
    if (m_next + PREFETCH_AHEAD < m_turn.size())
    {
        const auto* event = reinterpret_cast<const char*>(m_turn[m_next + PREFETCH_AHEAD].impl);
        for (std::size_t line = 0; line < PREFETCH_LINES; ++line)
        {
            __builtin_prefetch(event + line * CACHE_LINE);
        }
    }
}

void
TimeWindowSimulatorImpl::Invoke(const PendingEvent& event)
{
    if (m_mayHaveHook)
    {
        PreEventHook(event.GetId());
    }
    m_now = event.order.time;
    m_latest = std::max(m_latest, m_now);
    m_context = event.node;
    ++m_eventCount;
    event.impl->Invoke();
    event.impl->Unref();
}

} // namespace ns3::aidc
