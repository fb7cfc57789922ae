/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-nic.h"

#include "ns3/abort.h"
#include "ns3/roce-psn.h"
#include "ns3/roce-timing.h"
#include "ns3/simulator.h"

#include <iostream>
#include <utility>

/**
 * @file
 * @ingroup aidc
 * The queue pairs of a RoceNic: how they are set up and given work.
 */

namespace ns3::aidc
{

namespace
{

/// The key of all memory, which is registered first.
constexpr uint32_t ALL_MEMORY = 1;

/// Bytes of a switch's buffer where the path is not known: the default of SharedBuffer.
constexpr double UNKNOWN_BUFFER = 12e6;

} // namespace

uint32_t
RoceNic::Create()
{
    NS_ABORT_MSG_IF(m_ports.empty(), "RoceNic: a queue pair needs a port");
    const uint32_t port = m_nextPort;
    m_nextPort = (m_nextPort + 1) % GetNPorts();
    return CreateAt(port);
}

uint32_t
RoceNic::CreateAt(uint32_t port)
{
    GetPort(port); // there has to be one
    m_pairs.emplace_back();
    m_pairs.back().port = port;
    return FIRST_QP + GetNQueuePairs() - 1;
}

RoceNic::Entry&
RoceNic::GetEntry(uint32_t qp)
{
    NS_ABORT_MSG_UNLESS(qp >= FIRST_QP && qp - FIRST_QP < m_pairs.size(),
                        "RoceNic: there is no queue pair " << qp);
    return m_pairs[qp - FIRST_QP];
}

RoceQueuePair&
RoceNic::Get(uint32_t qp) const
{
    NS_ABORT_MSG_UNLESS(qp >= FIRST_QP && qp - FIRST_QP < m_pairs.size() &&
                            m_pairs[qp - FIRST_QP].pair,
                        "RoceNic: there is no queue pair " << qp << " that is connected");
    return *m_pairs[qp - FIRST_QP].pair;
}

uint32_t
RoceNic::GetPortOf(uint32_t qp) const
{
    return const_cast<RoceNic*>(this)->GetEntry(qp).port;
}

void
RoceNic::SetFirstPsn(uint32_t qp, uint32_t firstPsn, uint32_t remotePsn)
{
    Entry& entry = GetEntry(qp);
    NS_ABORT_MSG_IF(entry.pair, "RoceNic: queue pair " << qp << " is connected already");
    entry.firstPsn = firstPsn;
    entry.remotePsn = remotePsn;
}

void
RoceNic::Connect(uint32_t qp, Ipv4Address remote, uint32_t remoteQp, const RocePath& path)
{
    Entry& entry = GetEntry(qp);
    NS_ABORT_MSG_IF(entry.pair, "RoceNic: queue pair " << qp << " is connected already");
    const auto& port = m_ports[entry.port];
    UpdateCommon();

    RoceSettings settings;
    settings.pathMtu = m_pathMtu;
    settings.ackInterval = m_ackInterval;
    settings.maxPackets = m_maxPackets;
    settings.retryCount = m_retryCount;
    settings.rnrRetry = m_rnrRetry;
    settings.rnrTimer = m_rnrTimer;
    settings.recovery =
        m_recovery == SELECTIVE_REPEAT ? RoceRecovery::SELECTIVE_REPEAT : RoceRecovery::GO_BACK_N;
    settings.reorderWindow = m_reorderWindow;

    RoceConnection connection;
    connection.localAddress = port->GetAddress();
    connection.remoteAddress = remote.Get();
    connection.localQp = qp;
    connection.remoteQp = remoteQp;
    connection.firstPsn = entry.firstPsn;
    connection.remotePsn = entry.remotePsn;
    connection.dscp = m_dscp;
    connection.lineRate = port->GetDevice()->GetDataRate().GetBitRate();

    const auto control = m_control.Create<CongestionControl>();
    NS_ABORT_MSG_UNLESS(control,
                        "RoceNic: " << m_control.GetTypeId().GetName()
                                    << " is no CongestionControl");
    CongestionControl::Connection properties;
    properties.lineRate = connection.lineRate;
    properties.packetSize = m_pathMtu + RoceQueuePair::WIRE_OVERHEAD;
    properties.baseRtt = path.baseRtt;
    control->Start(Simulator::Now(), properties);
    entry.pair = std::make_unique<RoceQueuePair>(settings, connection, control, m_regions);
    entry.pair->trafficClass =
        static_cast<uint8_t>(m_common.classes.GetClassOfTos(static_cast<uint8_t>(m_dscp << 2)));
    if (m_ackTimeout != 0)
    {
        entry.pair->timeout.emplace(MakeTimeoutConfig(connection, path));
    }
    m_stateTrace(qp, RoceQpState::READY_TO_SEND);
}

void
RoceNic::UpdateCommon()
{
    m_common.cnpDscp = m_cnpDscp;
    m_common.timeToLive = m_timeToLive;
    m_common.signals = m_signals;
}

RoceTimeout::Config
RoceNic::MakeTimeoutConfig(const RoceConnection& connection, const RocePath& path) const
{
    RoceTimeout::Config config;
    if (path.baseRtt.IsStrictlyPositive())
    {
        config.baseRtt = (path.baseRtt + m_ackDelay).GetNanoSeconds();
    }
    config.queueing =
        path.queueing.IsStrictlyPositive()
            ? path.queueing.GetNanoSeconds()
            : static_cast<int64_t>(8e9 * UNKNOWN_BUFFER / static_cast<double>(connection.lineRate));
    config.lowPackets = m_recovery == SELECTIVE_REPEAT ? m_lowPackets : 0;
    config.seed = (uint64_t{connection.localAddress} << 32) + connection.localQp;
    if (m_ackTimeout != DERIVED_TIMEOUT)
    {
        config.high = static_cast<int64_t>(GetAckTimeoutNanoseconds(m_ackTimeout));
        WarnIfBelow("AckTimeout",
                    *config.high,
                    config.baseRtt == 0 || path.queueing.IsZero() ? config.baseRtt
                                                                  : RoceTimeout::GetHigh(config));
    }
    if (m_lowTimeout.IsStrictlyPositive())
    {
        config.low = m_lowTimeout.GetNanoSeconds();
        WarnIfBelow("LowTimeout",
                    *config.low,
                    config.baseRtt > 0 && config.lowPackets > 0 ? RoceTimeout::GetLow(config) : 0);
    }
    return config;
}

void
RoceNic::WarnIfBelow(const std::string& attribute, int64_t set, int64_t derived) const
{
    if (set < derived && m_warned->insert(attribute).second)
    {
        std::cerr << "aidc: warning: RoceNic: " << attribute << " of "
                  << static_cast<double>(set) / 1e3 << " us is below the "
                  << static_cast<double>(derived) / 1e3
                  << " us that the path takes, idle or with a full buffer: packets that only wait "
                     "are sent again; left unset, it is derived from the path"
                  << std::endl;
    }
}

uint32_t
RoceNic::RegisterMemory(uint64_t address, uint64_t nBytes)
{
    return m_regions.Register(address, nBytes);
}

void
RoceNic::SetCompletionSink(uint32_t qp, RoceQueuePair::CompletionSink sink)
{
    Get(qp).completionSink = sink;
}

void
RoceNic::SetDeliverySink(uint32_t qp, RoceQueuePair::DeliverySink sink)
{
    Get(qp).deliverySink = sink;
}

Ptr<CongestionControl>
RoceNic::GetCongestionControl(uint32_t qp) const
{
    return Get(qp).control;
}

const RoceWaitTimes&
RoceNic::GetWaitTimes(uint32_t qp) const
{
    return Get(qp).waits;
}

bool
RoceNic::HasFailed(uint32_t qp) const
{
    return Get(qp).requester.HasFailed();
}

uint32_t
RoceNic::GetNQueuePairs() const
{
    return static_cast<uint32_t>(m_pairs.size());
}

const RoceNicStatistics&
RoceNic::GetStatistics() const
{
    return m_common.counted;
}

// Work requests

void
RoceNic::Post(uint32_t qp, const RoceWork& work)
{
    RoceQueuePair& pair = Get(qp);
    NS_ABORT_MSG_IF(work.nBytes > ROCE_MAX_MESSAGE ||
                        GetRocePackets(work.nBytes, m_pathMtu) >= PSN_HALF_TURN,
                    "RoceNic: a message of " << work.nBytes << " bytes is too long");
    RoceWork begun = work;
    if (begun.remoteKey == 0)
    {
        begun.remoteKey = ALL_MEMORY;
    }
    if (m_messageDelay.IsZero())
    {
        Begin(&pair, begun);
    }
    else
    {
        Simulator::Schedule(m_messageDelay, &RoceNic::Begin, this, &pair, begun);
    }
}

void
RoceNic::Begin(RoceQueuePair* pair, const RoceWork& work)
{
    if (pair->isGone)
    {
        return;
    }
    if (pair->requester.Post(work))
    {
        GetPortOf(*pair).Activate(*pair);
        return;
    }
    pair->completions.push_back({work.id, work.nBytes, work.operation, RoceStatus::FLUSHED});
    GetPortOf(*pair).Report(*pair);
}

void
RoceNic::PostReceive(uint32_t qp, uint32_t n)
{
    RoceQueuePair& pair = Get(qp);
    pair.responder.LimitReceives();
    pair.responder.PostReceive(n);
}

void
RoceNic::Restart()
{
    std::vector<uint32_t> forgotten;
    for (const auto& entry : m_pairs)
    {
        if (entry.pair)
        {
            forgotten.push_back(entry.pair->connection.localQp);
        }
    }
    Forget();
    for (const uint32_t qp : forgotten)
    {
        m_stateTrace(qp, RoceQpState::RESET);
    }
}

void
RoceNic::Forget()
{
    for (const auto& port : m_ports)
    {
        port->Clear();
    }
    for (auto& entry : m_pairs)
    {
        if (entry.pair)
        {
            // Events may still know it.
            entry.pair->timer.Cancel();
            entry.pair->isGone = true;
            m_former.push_back(std::move(entry.pair));
        }
    }
}

RoceNicPort&
RoceNic::GetPortOf(const RoceQueuePair& pair) const
{
    return *m_ports[m_pairs[pair.connection.localQp - FIRST_QP].port];
}

} // namespace ns3::aidc
