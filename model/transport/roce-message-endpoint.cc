/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-message-endpoint.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

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
                            .AddTraceSource("Error",
                                            "A message could not be sent: it will not arrive.",
                                            MakeTraceSourceAccessor(&RoceMessageEndpoint::m_error),
                                            "ns3::aidc::RoceMessageEndpoint::ErrorTracedCallback");
    return tid;
}

RoceMessageEndpoint::RoceMessageEndpoint() = default;
RoceMessageEndpoint::~RoceMessageEndpoint() = default;

void
RoceMessageEndpoint::DoDispose()
{
    m_nic = nullptr;
    m_peers.clear();
    m_receiver = Receiver();
    MessageEndpoint::DoDispose();
}

void
RoceMessageEndpoint::SetNic(Ptr<RoceNic> nic)
{
    m_nic = nic;
}

void
RoceMessageEndpoint::AddPeer(uint32_t peer, uint32_t qp)
{
    NS_ABORT_MSG_IF(m_pairs.count(peer) > 0,
                    "RoceMessageEndpoint: rank " << peer << " has a queue pair already");
    m_pairs[peer] = qp;
    m_peers[qp].rank = peer;
    m_nic->SetCompletionSink(qp, MakeCallback(&RoceMessageEndpoint::NotifyEnd, this));
    m_nic->SetDeliverySink(qp, MakeCallback(&RoceMessageEndpoint::NotifyArrival, this));
}

void
RoceMessageEndpoint::Send(uint32_t peer, uint64_t nBytes, uint32_t tag, Callback<void> done)
{
    NS_LOG_FUNCTION(this << peer << nBytes << tag);
    const auto pair = m_pairs.find(peer);
    NS_ABORT_MSG_IF(pair == m_pairs.end(),
                    "RoceMessageEndpoint: no queue pair is connected with rank " << peer);
    auto& ends = m_peers[pair->second].done;
    RoceWork work;
    work.operation = RoceOperation::SEND;
    work.immediate = tag;
    do
    {
        work.nBytes = std::min(nBytes, MAX_PART);
        nBytes -= work.nBytes;
        work.hasImmediate = nBytes == 0;
        ends.Push(work.hasImmediate ? done : Callback<void>());
        m_nic->Post(pair->second, work);
    } while (nBytes > 0);
}

void
RoceMessageEndpoint::SetReceiver(Receiver receiver)
{
    m_receiver = receiver;
}

void
RoceMessageEndpoint::NotifyEnd(uint32_t qp, const RoceCompletion& completion)
{
    Peer& peer = m_peers[qp];
    const Callback<void> done = peer.done[0];
    peer.done.Pop();
    if (completion.status != RoceStatus::SUCCESS)
    {
        m_error(peer.rank, completion.status);
        NotifyFailure(peer.rank, GetRoceStatusName(completion.status));
    }
    else if (!done.IsNull())
    {
        done();
    }
}

void
RoceMessageEndpoint::NotifyArrival(uint32_t qp, const RoceDelivery& delivery)
{
    Peer& peer = m_peers[qp];
    peer.received += delivery.nBytes;
    if (delivery.hasImmediate)
    {
        const uint64_t nBytes = peer.received;
        peer.received = 0;
        if (!m_receiver.IsNull())
        {
            m_receiver(peer.rank, nBytes, delivery.immediate);
        }
    }
}

} // namespace ns3::aidc
