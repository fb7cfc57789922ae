/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "share-monitor.h"

#include "ns3/rank-gather.h"
#include "ns3/result-file.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// Readings of 100 us: a window of Jain's index, and how long shares have to be fair.
constexpr std::size_t WINDOW = 100000 / ShareMonitor::INTERVAL_NS;

/// Jain's index from which on shares are fair.
constexpr double FAIR = 0.95;

/// What the first sender keeps when it has given up half of what the second one is due.
constexpr double REACTED = 0.75;

constexpr double SECONDS = 1e-9 * ShareMonitor::INTERVAL_NS; //!< between two readings

} // namespace

ShareMonitor::ShareMonitor(const FabricHelper& network,
                           const std::vector<NodeIndex>& senders,
                           const std::vector<Time>& joins,
                           Time end,
                           double goodput)
    : m_network(network),
      m_senders(senders),
      m_goodput(goodput * SECONDS),
      m_sent(senders.size())
{
    auto times = joins;
    times.push_back(end);
    for (const auto& time : times)
    {
        m_joins.push_back(
            static_cast<std::size_t>((time.GetNanoSeconds() + INTERVAL_NS - 1) / INTERVAL_NS));
    }
    m_event = Simulator::Schedule(Time(), &ShareMonitor::Read, this);
}

ShareMonitor::~ShareMonitor()
{
    m_event.Cancel();
}

void
ShareMonitor::Read()
{
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        if (m_network.IsLocal(m_senders[i]))
        {
            const auto nic = RoceHelper::GetNic(m_network.GetNode(m_senders[i]));
            m_sent[i].push_back(nic->GetStatistics().sentBytes);
        }
    }
    ++m_nReadings;
    m_event = Simulator::Schedule(NanoSeconds(INTERVAL_NS), &ShareMonitor::Read, this);
}

void
ShareMonitor::Gather()
{
    std::vector<PlacedItem<uint64_t>> own;
    for (std::size_t i = 0; i < m_sent.size(); ++i)
    {
        for (const uint64_t sent : m_sent[i])
        {
            own.push_back({i, sent});
        }
        m_sent[i].clear();
    }
    for (const auto& [sender, sent] : GatherItems(own))
    {
        m_sent[sender].push_back(sent);
    }
}

double
ShareMonitor::GetSent(std::size_t sender, std::size_t begin, std::size_t end) const
{
    return static_cast<double>(m_sent[sender][end] - m_sent[sender][begin]);
}

double
ShareMonitor::GetFairness(std::size_t nSenders, std::size_t begin, std::size_t end) const
{
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < nSenders; ++i)
    {
        const double sent = GetSent(i, begin, end);
        sum += sent;
        squares += sent * sent;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(nSenders) * squares) : 0;
}

ShareMonitor::Result
ShareMonitor::GetResult() const
{
    Result result;
    const auto nJoins = static_cast<double>(m_senders.size() - 1);
    for (std::size_t joining = 1; joining < m_senders.size(); ++joining)
    {
        const std::size_t begin = m_joins[joining];
        const std::size_t end = std::min(m_joins[joining + 1], m_nReadings - 1);
        std::size_t fairFrom = end;
        std::size_t nFair = 0;
        for (std::size_t i = begin + WINDOW; i <= end && nFair < WINDOW; ++i)
        {
            nFair = GetFairness(joining + 1, i - WINDOW, i) >= FAIR ? nFair + 1 : 0;
            fairFrom = nFair == 1 ? i : fairFrom;
        }
        const bool hasConverged = nFair == WINDOW;
        fairFrom = hasConverged ? fairFrom : end;
        result.convergence += static_cast<double>(fairFrom - begin) * SECONDS / nJoins;
        result.converged += hasConverged ? 1 / nJoins : 0;
        result.fairness += GetFairness(joining + 1, (begin + end) / 2, end) / nJoins;
    }
    const std::size_t begin = m_joins[1];
    std::size_t reacted = begin + 1;
    while (reacted < m_joins[2] && GetSent(0, reacted - 1, reacted) > REACTED * m_goodput)
    {
        ++reacted;
    }
    result.reaction = static_cast<double>(reacted - begin) * SECONDS;
    return result;
}

void
ShareMonitor::Write(const std::string& path) const
{
    std::string names = "time_s";
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        names += ",sender_" + std::to_string(i) + "_bit_s";
    }
    ResultFile file(path, names);
    for (std::size_t end = WINDOW; end < m_nReadings; end += WINDOW)
    {
        file << static_cast<double>(end) * SECONDS;
        for (std::size_t i = 0; i < m_senders.size(); ++i)
        {
            file << ',' << 8 * GetSent(i, end - WINDOW, end) / (SECONDS * WINDOW);
        }
        file << '\n';
    }
    file.Close();
}

} // namespace ns3::aidc
