/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-path-balancer.h"

#include "ns3/simulator.h"

namespace ns3::aidc
{

CsigPathBalancer::CsigPathBalancer(Ptr<CsigUdpSource> source,
                                   Ptr<CsigDomain> domain,
                                   CsigSignal signal,
                                   const CsigPathPolicySettings& settings)
    : m_source(source),
      m_domain(domain),
      m_signal(signal),
      m_policy(settings)
{
    m_source->TraceConnectWithoutContext("Signal",
                                         MakeCallback(&CsigPathBalancer::NoteSignal, this));
}

CsigPathBalancer::~CsigPathBalancer()
{
    m_source->TraceDisconnectWithoutContext("Signal",
                                            MakeCallback(&CsigPathBalancer::NoteSignal, this));
}

void
CsigPathBalancer::NoteSignal(const FlowKey& flow, const CsigFields& fields)
{
    // What is still reflected of a path that was left says nothing of the present one.
    const auto reading = m_domain->Read(fields);
    if (flow.sourcePort != m_source->GetFlow().sourcePort || !reading ||
        reading->signal != m_signal)
    {
        return;
    }
    const auto now = Simulator::Now().GetNanoSeconds();
    switch (m_policy.NoteSignal(now, reading->GetValue(), reading->locator))
    {
    case CsigPathAction::REHASH:
        m_source->Rehash();
        break;
    case CsigPathAction::LAST_HOP:
        ++m_nLastHop;
        break;
    case CsigPathAction::KEEP:
        break;
    }
}

} // namespace ns3::aidc
