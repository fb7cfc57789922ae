// SPDX-License-Identifier: GPL-2.0-only

#include "flow-generators.h"

#include "aidc-input-error.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace ns3::aidc
{

FlowGenerator::FlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes)
    : m_hosts(hosts),
      m_sizes(sizes)
{
    if (hosts.size() < 2)
    {
        throw AidcInputError("hosts of the flows", 0, "at least 2", std::to_string(hosts.size()));
    }
    if (sizes.GetPoints().empty())
    {
        throw AidcInputError("flow sizes", 0, "a distribution", "none");
    }
}

void
IncastFlowGenerator::SetSenders(uint32_t nSenders)
{
    if (nSenders == 0 || nSenders >= m_hosts.size())
    {
        throw AidcInputError("senders of an incast",
                             0,
                             "a number from 1 to " + std::to_string(m_hosts.size() - 1),
                             std::to_string(nSenders));
    }
    m_nSenders = nSenders;
}

void
IncastFlowGenerator::SetReceiver(NodeIndex receiver)
{
    if (std::find(m_hosts.begin(), m_hosts.end(), receiver) == m_hosts.end())
    {
        throw AidcInputError("receiver of incasts",
                             0,
                             "one of the hosts",
                             std::to_string(receiver.value));
    }
    m_fixedReceiver = receiver;
}

void
IncastFlowGenerator::SetInterval(const Time& interval, bool isPoisson)
{
    if (!interval.IsStrictlyPositive())
    {
        throw AidcInputError("time between incasts",
                             0,
                             "a time above 0",
                             std::to_string(interval.GetSeconds()) + " s");
    }
    m_interval = interval;
    m_isPoisson = isPoisson;
}

void
IncastFlowGenerator::AddIncast(const Time& start, std::vector<FlowSpec>& flows)
{
    const auto nHosts = static_cast<uint32_t>(m_hosts.size());
    // The receiver comes first; the senders are the other hosts that a shuffle brings next
    std::vector<NodeIndex> hosts = m_hosts;
    const auto receiver = m_fixedReceiver ? std::find(hosts.begin(), hosts.end(), *m_fixedReceiver)
                                          : hosts.begin() + m_receiver->GetInteger(0, nHosts - 1);
    std::iter_swap(hosts.begin(), receiver);
    for (uint32_t i = 1; i <= m_nSenders; ++i)
    {
        std::swap(hosts[i], hosts[m_sender->GetInteger(i, nHosts - 1)]);
        flows.push_back(DrawFlow(hosts[i], hosts[0], start));
    }
}

std::vector<FlowSpec>
IncastFlowGenerator::Generate()
{
    std::vector<FlowSpec> flows;
    const double mean = m_interval.GetSeconds();
    const double end = m_duration.GetSeconds();
    if (m_isPoisson)
    {
        for (double now = m_gap->GetValue(mean, 0); now < end; now += m_gap->GetValue(mean, 0))
        {
            AddIncast(Seconds(now), flows);
        }
    }
    else
    {
        for (Time now; now < m_duration; now += m_interval)
        {
            AddIncast(now, flows);
        }
    }
    return flows;
}

std::vector<uint32_t>
PermutationFlowGenerator::DrawPermutation()
{
    // Shuffles until one has no fixed point, which takes 2.7 on average whatever the number
    std::vector<uint32_t> permutation(m_hosts.size());
    for (;;)
    {
        std::iota(permutation.begin(), permutation.end(), 0);
        auto i = static_cast<uint32_t>(permutation.size()) - 1;
        for (;; --i)
        {
            std::swap(permutation[i], permutation[m_destination->GetInteger(0, i)]);
            if (permutation[i] == i || i == 0)
            {
                break; // place i is not touched any more
            }
        }
        if (permutation[i] != i)
        {
            return permutation;
        }
    }
}

std::vector<FlowSpec>
PermutationFlowGenerator::Generate()
{
    std::vector<FlowSpec> flows;
    const auto permutation = DrawPermutation();
    for (std::size_t i = 0; i < m_hosts.size(); ++i)
    {
        flows.push_back(DrawFlow(m_hosts[i], m_hosts[permutation[i]]));
    }
    return flows;
}

void
PoissonFlowGenerator::SetLoad(double load)
{
    if (!(load > 0 && load <= 1))
    {
        throw AidcInputError("load", 0, "a number above 0 and at most 1", std::to_string(load));
    }
    m_load = load;
}

void
PoissonFlowGenerator::SetHostRate(const DataRate& rate)
{
    if (rate.GetBitRate() == 0)
    {
        throw AidcInputError("rate of a host's link", 0, "a rate above 0", "0");
    }
    m_hostRate = rate;
}

std::vector<FlowSpec>
PoissonFlowGenerator::Generate()
{
    const auto nHosts = static_cast<uint32_t>(m_hosts.size());
    const double meanInterval = 1 / GetArrivalRate();
    const double end = m_duration.GetSeconds();
    std::vector<FlowSpec> flows;
    for (double now = m_interval->GetValue(meanInterval, 0); now < end;
         now += m_interval->GetValue(meanInterval, 0))
    {
        const uint32_t source = m_source->GetInteger(0, nHosts - 1);
        // The hosts but the source, counted from 0
        uint32_t destination = m_destination->GetInteger(0, nHosts - 2);
        if (destination >= source)
        {
            ++destination;
        }
        flows.push_back(DrawFlow(m_hosts[source], m_hosts[destination], Seconds(now)));
    }
    return flows;
}

} // namespace ns3::aidc
