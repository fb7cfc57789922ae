// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRE_ECN_BENCH_H
#define AIDC_PRE_ECN_BENCH_H

#include "test/buffer/test-buffers.h"
#include "test/buffer/test-packets.h"

#include "ns3/ethernet-frame.h"
#include "ns3/pre-ecn-queue-disc.h"

// A PreEcnQueueDisc on its own and what happens to packets in it, for the test suites.

namespace aidctest
{

/// Makes a packet of so many bytes with a DSCP and an ECN codepoint.
using TosMaker = std::function<Ptr<QueueDiscItem>(uint32_t size, uint8_t tos)>;

/// Make a transit packet of a switch's fast datapath. size: bytes, its header of 20 bytes included.
inline Ptr<QueueDiscItem>
MakeTransitItem(uint32_t size, uint8_t tos)
{
    auto packet = Create<Packet>(size - 20);
    Ipv4Header header;
    header.SetTos(tos);
    header.SetProtocol(OTHER_PROTOCOL);
    header.SetTtl(64);
    header.SetPayloadSize(static_cast<uint16_t>(size - 20));
    header.EnableChecksum();
    packet->AddHeader(header);
    TransitHeader transit;
    ReadTransitHeader(*packet, transit);
    packet->RemoveHeader(header);
    return Create<EthernetQueueItem>(packet,
                                     Address(),
                                     ns3::aidc::ETHERTYPE_IPV4,
                                     TransitHeaderReader().Read(transit.bytes),
                                     transit,
                                     FrameContext());
}

/// T1 100 kB, T2 300 kB, Maximum 700 kB, on the queue itself.
inline const Attributes THRESHOLDS{{"T1", "100kB"},
                                   {"T2", "300kB"},
                                   {"Maximum", "700kB"},
                                   {"AverageWeight", "1"}};

/// Make a queue disc, initialized, that draws on a buffer of 12 MB. limits: attributes of its share
/// of the buffer.
inline Ptr<PreEcnQueueDisc>
MakePreEcn(const Attributes& attributes = {}, const Attributes& limits = {})
{
    auto queueDisc = CreateObject<PreEcnQueueDisc>();
    SetAll(queueDisc, THRESHOLDS);
    SetAll(queueDisc, attributes);
    SetAll(queueDisc->GetBufferQueue(), limits);
    queueDisc->SetSharedBuffer(MakeBuffer(12000000));
    queueDisc->AssignStreams(1);
    queueDisc->Initialize();
    return queueDisc;
}

/// What became of packets.
struct Fates
{
    uint32_t codepoints[4]{0, 0, 0, 0}; //!< packets that have left, by codepoint
    uint32_t dropped{0};                //!< packets that have not been queued
    uint32_t lightMarks{0};             //!< by the statistics
    uint32_t severeMarks{0};            //!< by the statistics
};

/// Send packets of 1000 bytes through a queue of constant size. The queue is filled so far, by
/// ECN-capable packets, that each of the packets makes it so long as it arrives. queueDisc: the
/// queue disc, empty. level: bytes, a multiple of 1000.
inline Fates
SendAtLevel(Ptr<PreEcnQueueDisc> queueDisc,
            uint32_t level,
            const TosMaker& maker,
            uint8_t tos,
            uint32_t packets)
{
    const uint32_t waiting = level / 1000 - 1;
    while (queueDisc->GetNPackets() < waiting)
    {
        queueDisc->Enqueue(maker(1000, ECT0));
    }
    const auto before = queueDisc->GetQueue()->GetStatistics();
    Fates fates;
    uint32_t enqueued = 0;
    for (uint32_t i = 0; i < packets; ++i)
    {
        if (!queueDisc->Enqueue(maker(1000, tos)))
        {
            ++fates.dropped;
            continue;
        }
        // Packets that filled the queue leave first.
        const auto item = queueDisc->Dequeue();
        if (++enqueued > waiting)
        {
            ++fates.codepoints[GetEcn(item)];
        }
    }
    const auto after = queueDisc->GetQueue()->GetStatistics();
    fates.lightMarks = static_cast<uint32_t>(after.lightMarks - before.lightMarks);
    fates.severeMarks = static_cast<uint32_t>(after.severeMarks - before.severeMarks);
    while (auto item = queueDisc->Dequeue())
    {
        if (++enqueued > waiting)
        {
            ++fates.codepoints[GetEcn(item)];
        }
    }
    return fates;
}

} // namespace aidctest

#endif // AIDC_PRE_ECN_BENCH_H
