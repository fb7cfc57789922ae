// SPDX-License-Identifier: GPL-2.0-only

#include "roce-message-endpoint.h"

#include "../core/require-argument.h"
#include "congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceMessageEndpoint");

NS_OBJECT_ENSURE_REGISTERED(RoceMessageEndpoint);

namespace
{

/// The largest part of a message.
constexpr uint64_t MAX_PART = ROCE_MAX_MESSAGE / 2;

} // namespace

TypeId
RoceMessageEndpoint::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::RoceMessageEndpoint")
                            .SetParent<MessageEndpoint>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RoceMessageEndpoint>()
                            .AddAttribute("Striped",
                                          "Whether each message is divided over all queue pairs "
                                          "to its peer. Otherwise, messages take them in turn. "
                                          "The same at both ends. RoceRankHelper and ServerHelper "
                                          "derive it: true if hosts have several ports.",
                                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&RoceMessageEndpoint::m_isStriped),
                                          MakeBooleanChecker())
                            .AddTraceSource("Error",
                                            "A message could not be sent: it will not arrive.",
                                            MakeTraceSourceAccessor(&RoceMessageEndpoint::m_error),
                                            "ns3::aidc::RoceMessageEndpoint::ErrorTracedCallback");
    return tid;
}

void
RoceMessageEndpoint::DoDispose()
{
    m_nic = nullptr;
    m_peers.clear();
    m_pairs.clear();
    m_receiver = Receiver();
    MessageEndpoint::DoDispose();
}

void
RoceMessageEndpoint::AddPeer(uint32_t peer, uint32_t qp)
{
    AIDC_REFUSED_IF(m_pairs.count(qp) > 0,
                    "RoceMessageEndpoint: queue pair " << qp << " has been added already");
    m_peers[peer].qps.push_back(qp);
    m_pairs[qp].peer = peer;
    m_nic->GetQueuePair(qp).SetCompletionSink(MakeCallback(&RoceMessageEndpoint::NotifyEnd, this));
    m_nic->GetQueuePair(qp).SetDeliverySink(
        MakeCallback(&RoceMessageEndpoint::NotifyArrival, this));
}

void
RoceMessageEndpoint::SendPart(uint32_t peer,
                              uint64_t nBytes,
                              uint32_t tag,
                              bool isLast,
                              Callback<void> done)
{
    NS_LOG_FUNCTION(this << peer << nBytes << tag << isLast);
    const auto known = m_peers.find(peer);
    AIDC_REFUSED_IF(known == m_peers.end(),
                    "RoceMessageEndpoint: no queue pair is connected with rank " << peer);
    Peer& to = known->second;
    const std::size_t n = to.qps.size();
    if (!m_isStriped || n == 1)
    {
        Post(to.qps[to.sendNext], nBytes, tag, isLast, done);
        to.sendNext = isLast ? (to.sendNext + 1) % n : to.sendNext;
        return;
    }
    Callback<void> stripeDone;
    if (!done.IsNull())
    {
        const auto nLeft = std::make_shared<uint64_t>(isLast ? n : std::min<uint64_t>(n, nBytes));
        stripeDone = Callback<void>([nLeft, done] {
            if (--*nLeft == 0)
            {
                done();
            }
        });
    }
    for (std::size_t i = 0; i < n; ++i)
    {
        const uint64_t stripe = nBytes / n + (i < nBytes % n ? 1 : 0);
        if (stripe > 0 || isLast)
        {
            Post(to.qps[i], stripe, tag, isLast, stripeDone);
        }
    }
}

void
RoceMessageEndpoint::Post(uint32_t qp,
                          uint64_t nBytes,
                          uint32_t tag,
                          bool isLast,
                          const Callback<void>& done)
{
    auto& ends = m_pairs[qp].done;
    RoceWork work;
    work.operation = RoceOperation::SEND;
    work.immediate = tag;
    do
    {
        work.nBytes = std::min(nBytes, MAX_PART);
        nBytes -= work.nBytes;
        work.hasImmediate = isLast && nBytes == 0;
        ends.Push(nBytes == 0 ? done : Callback<void>());
        m_nic->Post(qp, work);
    } while (nBytes > 0);
}

void
RoceMessageEndpoint::Abort()
{
    for (const auto& entry : m_pairs)
    {
        m_nic->GetQueuePair(entry.first).SetError();
    }
}

uint64_t
RoceMessageEndpoint::GetPace(uint32_t peer) const
{
    const auto found = m_peers.find(peer);
    uint64_t sum = 0;
    for (const uint32_t qp : found == m_peers.end() ? std::vector<uint32_t>() : found->second.qps)
    {
        if (m_nic && m_nic->FindQueuePair(qp))
        {
            const auto control = m_nic->GetQueuePair(qp).GetControl();
            const uint64_t window = control->GetWindow(Simulator::Now());
            sum += window != CongestionControl::NO_WINDOW ? window
                                                          : control->GetRate(Simulator::Now());
        }
    }
    return sum;
}

std::vector<MessageEndpoint::Backlog>
RoceMessageEndpoint::GetBacklog(uint32_t peer) const
{
    std::vector<Backlog> backlog;
    const auto found = m_peers.find(peer);
    for (const uint32_t qp : found == m_peers.end() ? std::vector<uint32_t>() : found->second.qps)
    {
        const auto* pair = m_nic ? m_nic->FindQueuePair(qp) : nullptr;
        backlog.push_back(
            pair ? Backlog{pair->GetRequester().GetUnsent(), pair->GetRequester().GetBacklog()}
                 : Backlog());
    }
    return backlog;
}

void
RoceMessageEndpoint::NotifyEnd(uint32_t qp, const RoceCompletion& completion)
{
    QueuePair& pair = m_pairs[qp];
    const Callback<void> done = pair.done[0];
    pair.done.Pop();
    if (completion.status != RoceStatus::SUCCESS)
    {
        m_error(pair.peer, completion.status);
        NotifyFailure(pair.peer, GetRoceStatusName(completion.status));
    }
    else if (!done.IsNull())
    {
        done();
    }
}

void
RoceMessageEndpoint::NotifyArrival(uint32_t qp, const RoceDelivery& delivery)
{
    QueuePair& pair = m_pairs[qp];
    pair.arriving.nBytes += delivery.nBytes;
    if (delivery.hasImmediate)
    {
        pair.arriving.tag = delivery.immediate;
        pair.arrived.Push(std::exchange(pair.arriving, {}));
        Deliver(pair.peer);
    }
}

void
RoceMessageEndpoint::Deliver(uint32_t rank)
{
    Peer& peer = m_peers[rank];
    const std::size_t nStripes = m_isStriped ? peer.qps.size() : 1;
    const auto getPair = [&](std::size_t stripe) -> QueuePair& {
        return m_pairs[peer.qps[(peer.takeNext + stripe) % peer.qps.size()]];
    };
    while (true)
    {
        for (std::size_t i = 0; i < nStripes; ++i)
        {
            if (getPair(i).arrived.IsEmpty())
            {
                return;
            }
        }
        Arrival message;
        for (std::size_t i = 0; i < nStripes; ++i)
        {
            auto& arrived = getPair(i).arrived;
            message.nBytes += arrived[0].nBytes;
            message.tag = arrived[0].tag;
            arrived.Pop();
        }
        peer.takeNext = (peer.takeNext + nStripes) % peer.qps.size();
        if (!m_receiver.IsNull())
        {
            m_receiver(rank, message.nBytes, message.tag);
        }
    }
}

} // namespace ns3::aidc
