/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "incast-flow-generator.h"

#include "aidc-input-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::aidc
{

IncastFlowGenerator::IncastFlowGenerator(const std::vector<NodeIndex>& hosts,
                                         const FlowSizeDistribution& sizes)
    : FlowGenerator(hosts, sizes),
      m_nSenders(static_cast<uint32_t>(hosts.size()) - 1),
      m_interval(MilliSeconds(1)),
      m_duration(MilliSeconds(10)),
      m_gap(CreateObject<ExponentialRandomVariable>()),
      m_receiver(CreateObject<UniformRandomVariable>()),
      m_sender(CreateObject<UniformRandomVariable>())
{
    m_size = CreateObject<UniformRandomVariable>();
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
    // The receiver comes first; of the others, the senders are those that a shuffle brings next
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

int64_t
IncastFlowGenerator::AssignStreams(int64_t stream)
{
    m_gap->SetStream(stream);
    m_receiver->SetStream(stream + 1);
    m_sender->SetStream(stream + 2);
    m_size->SetStream(stream + 3);
    return 4;
}

} // namespace ns3::aidc
