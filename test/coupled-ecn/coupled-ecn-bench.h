// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_COUPLED_ECN_BENCH_H
#define AIDC_COUPLED_ECN_BENCH_H

#include "test/buffer/test-packets.h"

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/shared-buffer.h"

// A CoupledEcnQueueDisc on its own and what happens to packets in it, for the test suites.

namespace aidctest
{

/// Makes a packet of so many bytes.
using Maker = std::function<Ptr<QueueDiscItem>(uint32_t)>;

inline Ptr<CoupledEcnQueueDisc>
MakeQueueDisc(Ptr<SharedBuffer> buffer, const Attributes& attributes, const Attributes& limits = {})
{
    auto queueDisc = CreateObject<CoupledEcnQueueDisc>();
    SetAll(queueDisc, attributes);
    SetAll(queueDisc->GetBufferQueue(), limits);
    queueDisc->SetSharedBuffer(buffer);
    queueDisc->Initialize();
    return queueDisc;
}

/// Add a queue that stands for the other ports of the switch.
inline Ptr<SharedBufferQueue>
AddOther(Ptr<SharedBuffer> buffer)
{
    auto other = CreateObject<SharedBufferQueue>();
    other->SetAttribute("Alpha", DoubleValue(64));
    buffer->AddQueue(other);
    return other;
}

/// Get a maker of IPv4 packets.
inline Maker
Ipv4With(uint8_t tos)
{
    return [tos](uint32_t size) { return MakeIpv4Item(size, tos); };
}

/// What happened to a series of packets.
struct Flooded
{
    uint32_t firstMarked{0};  //!< the first that was marked, from 1; 0 for none
    uint32_t lastAdmitted{0}; //!< the last before the first that was dropped, from 1
    uint32_t marked{0};       //!< how many of the admitted were marked
};

/// Enqueue packets until one is dropped. size: bytes a packet.
inline Flooded
Flood(Ptr<QueueDisc> queueDisc, const Maker& maker, uint32_t size = 1000)
{
    Flooded result;
    while (true)
    {
        const auto before = queueDisc->GetStats().nTotalMarkedPackets;
        if (!queueDisc->Enqueue(maker(size)))
        {
            return result;
        }
        ++result.lastAdmitted;
        if (queueDisc->GetStats().nTotalMarkedPackets > before)
        {
            ++result.marked;
            if (result.firstMarked == 0)
            {
                result.firstMarked = result.lastAdmitted;
            }
        }
    }
}

/// Dequeue all packets.
inline uint32_t
Drain(Ptr<QueueDisc> queueDisc)
{
    uint32_t ce = 0;
    while (auto item = queueDisc->Dequeue())
    {
        ce += GetEcn(item) == CE ? 1 : 0;
    }
    return ce;
}

} // namespace aidctest

#endif // AIDC_COUPLED_ECN_BENCH_H
