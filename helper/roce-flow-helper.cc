// SPDX-License-Identifier: GPL-2.0-only

#include "roce-flow-helper.h"

#include "../model/core/require-argument.h"
#include "roce-helper.h"

#include "ns3/aidc-input-error.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// IPv4, UDP, the base transport header and the invariant CRC.
constexpr uint32_t HEADERS = 20 + 8 + 12 + 4;
/// Additional bytes of the first packet of a message that is written.
constexpr uint32_t WRITE_HEADER = 16;
/// Additional bytes of the last packet of a message with immediate data.
constexpr uint32_t IMMEDIATE = 4;
/// Additional bytes of an acknowledgment.
constexpr uint32_t ACK_HEADER = 4;

/// The largest message of a flow.
constexpr uint64_t LARGEST_MESSAGE = ROCE_MAX_MESSAGE / 2;

/// index: the index of the flow; maxMessage: the size of its messages at most.
void
Begin(Ptr<RoceNic> nic, uint32_t qp, uint32_t index, uint64_t bytes, uint64_t maxMessage)
{
    RoceWork work;
    work.id = index;
    work.operation = RoceOperation::WRITE;
    work.hasImmediate = true;
    work.immediate = index;
    for (uint64_t left = bytes; left > 0; left -= work.nBytes)
    {
        work.nBytes = std::min(left, maxMessage);
        nic->Post(qp, work);
    }
}

/// Begin a flow after a delay, if its host is this process's.
void
Schedule(const Ptr<Node>& host,
         uint32_t qp,
         uint32_t index,
         uint64_t bytes,
         uint64_t maxMessage,
         Time delay)
{
    if (RoceHelper::IsLocal(host))
    {
        const auto nic = RoceHelper::GetNic(host);
        Simulator::ScheduleWithContext(host->GetId(),
                                       delay,
                                       &Begin,
                                       nic,
                                       qp,
                                       index,
                                       bytes,
                                       maxMessage);
    }
}

} // namespace

void
RoceFlowHelper::SetMaxMessage(uint64_t bytes)
{
    AIDC_REFUSED_IF(bytes == 0 || bytes > LARGEST_MESSAGE,
                    "RoceFlowHelper: expected messages of 1 to " << LARGEST_MESSAGE
                                                                 << " bytes, found " << bytes);
    m_maxMessage = bytes;
}

uint32_t
RoceFlowHelper::Connect(const FabricHelper& network, const FlowSpec& flow, const RocePath& path)
{
    const auto known = m_shared.find({flow.source, flow.destination});
    if (known != m_shared.end())
    {
        return known->second;
    }
    const auto sender = network.GetNode(flow.source);
    const auto receiver = network.GetNode(flow.destination);
    const auto [qp, receiverQp] = RoceHelper::Connect(sender, receiver, path);
    Record(sender, qp, receiver, receiverQp, m_records);
    if (m_isShared)
    {
        m_shared[{flow.source, flow.destination}] = qp;
    }
    return qp;
}

void
RoceFlowHelper::Record(const Ptr<Node>& sender,
                       uint32_t qp,
                       const Ptr<Node>& receiver,
                       uint32_t receiverQp,
                       const Ptr<FlowRecords>& records)
{
    if (RoceHelper::IsLocal(sender))
    {
        RoceHelper::GetNic(sender)->GetQueuePair(qp).SetCompletionSink(
            RoceQueuePair::CompletionSink([records](uint32_t, const RoceCompletion& completion) {
                if (completion.status != RoceStatus::SUCCESS)
                {
                    records->NoteFailure(static_cast<uint32_t>(completion.id),
                                         std::string("queue pair failed: ") +
                                             GetRoceStatusName(completion.status));
                }
            }));
    }
    if (RoceHelper::IsLocal(receiver))
    {
        RoceHelper::GetNic(receiver)
            ->GetQueuePair(receiverQp)
            .SetDeliverySink(
                RoceQueuePair::DeliverySink([records](uint32_t, const RoceDelivery& delivery) {
                    records->AddDelivered(delivery.immediate, delivery.nBytes);
                }));
    }
}

void
RoceFlowHelper::Install(const FabricHelper& network,
                        const std::vector<FlowSpec>& flows,
                        const std::string& name)
{
    CheckFlows(flows, network.GetFabric(), name);
    const Time pause = network.GetOutsidePause();
    // Processes exchange what they know of paths, for many at a time.
    constexpr std::size_t AT_ONCE = 10000;
    for (std::size_t begin = 0; begin < flows.size(); begin += AT_ONCE)
    {
        const std::size_t end = std::min(flows.size(), begin + AT_ONCE);
        std::vector<NetworkPath> paths;
        for (std::size_t i = begin; i < end; ++i)
        {
            if (flows[i].bytes == 0)
            {
                throw AidcInputError(name, flows[i].line, "a flow of at least 1 byte", "0 bytes");
            }
            paths.push_back(network.GetPath(flows[i].source, flows[i].destination));
        }
        const auto waits = NetworkPath::GetWaits(paths);
        for (std::size_t i = begin; i < end; ++i)
        {
            Install(network, flows[i], paths[i - begin], waits[i - begin], pause);
        }
    }
}

void
RoceFlowHelper::Install(const FabricHelper& network,
                        const FlowSpec& flow,
                        const NetworkPath& path,
                        const PathWait& wait,
                        Time pause)
{
    const auto source = network.GetNode(flow.source);
    const auto destination = network.GetNode(flow.destination);
    uint32_t mtu = 0;
    if (RoceHelper::IsLocal(source) || RoceHelper::IsLocal(destination))
    {
        UintegerValue pathMtu;
        RoceHelper::GetNic(RoceHelper::IsLocal(source) ? source : destination)
            ->GetAttribute("PathMtu", pathMtu);
        mtu = static_cast<uint32_t>(pathMtu.Get());
    }
    const FrameOverhead overhead = network.GetFrameOverhead();
    // A process that has no end of the flow learns of it by FlowRecords::Gather().
    const Time idealFct =
        mtu > 0 ? GetIdealFct(path.links, flow.bytes, mtu, overhead, true) : Time();
    const uint32_t index = m_records->Add(flow, idealFct);
    RocePath ofPair = GetPath(path, wait, mtu, overhead);
    ofPair.pause = pause;
    const uint32_t qp = Connect(network, flow, ofPair);
    Schedule(source, qp, index, flow.bytes, m_maxMessage, flow.start - Simulator::Now());
}

void
RoceFlowHelper::Post(const Ptr<FlowRecords>& records,
                     const FlowSpec& flow,
                     Time idealFct,
                     const Ptr<Node>& host,
                     uint32_t qp)
{
    Schedule(host, qp, records->Add(flow, idealFct), flow.bytes, LARGEST_MESSAGE, flow.start);
}

Time
RoceFlowHelper::GetIdealFct(const std::vector<FabricLink>& path,
                            uint64_t bytes,
                            uint32_t pathMtu,
                            FrameOverhead overhead,
                            bool isSpread)
{
    const uint64_t nPackets = GetRocePackets(bytes, pathMtu);
    const auto lastBytes = static_cast<double>(bytes - (nPackets - 1) * pathMtu);
    const double headers = HEADERS + overhead.bytes;
    // The first packet has one more header, which delays all later packets by its time.
    const double first = 8.0 * WRITE_HEADER / static_cast<double>(path.front().rate);
    const auto getSeconds =
        isSpread ? &FlowRecords::GetSpreadSeconds : &FlowRecords::GetPipelineSeconds;
    return Seconds(first + FlowRecords::GetDelaySeconds(path) +
                   getSeconds(path,
                              nPackets,
                              pathMtu + headers,
                              lastBytes + headers + IMMEDIATE,
                              overhead.gap));
}

RocePath
RoceFlowHelper::GetPath(const FabricHelper& network,
                        NodeIndex source,
                        NodeIndex destination,
                        uint32_t pathMtu)
{
    RocePath path =
        GetPath(network.GetPath(source, destination), pathMtu, network.GetFrameOverhead());
    path.pause = network.GetOutsidePause();
    return path;
}

RocePath
RoceFlowHelper::GetPath(const NetworkPath& path,
                        const PathWait& wait,
                        uint32_t pathMtu,
                        FrameOverhead overhead)
{
    const auto slowest =
        std::min_element(path.links.begin(),
                         path.links.end(),
                         [](const FabricLink& a, const FabricLink& b) { return a.rate < b.rate; });
    return {GetBaseRtt(path.links, pathMtu, overhead),
            wait.longest,
            slowest == path.links.end() ? 0 : slowest->rate,
            wait.isLossless};
}

Time
RoceFlowHelper::GetBaseRtt(const std::vector<FabricLink>& path,
                           uint32_t pathMtu,
                           FrameOverhead overhead)
{
    const double headers = HEADERS + overhead.bytes;
    return Seconds(2 * FlowRecords::GetDelaySeconds(path) +
                   FlowRecords::GetPipelineSeconds(path, 1, 0, pathMtu + headers, overhead.gap) +
                   FlowRecords::GetPipelineSeconds(path, 1, 0, ACK_HEADER + headers, overhead.gap));
}

} // namespace ns3::aidc
