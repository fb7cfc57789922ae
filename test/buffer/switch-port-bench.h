// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SWITCH_PORT_BENCH_H
#define AIDC_SWITCH_PORT_BENCH_H

#include "test-packets.h"

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"

// A switch port on its own, for the test suites.

namespace aidctest
{

struct PortClass
{
    std::string type{"ns3::aidc::CoupledEcnQueueDisc"}; //!< TypeId of its queue disc
    Attributes attributes{};                            //!< of its queue disc
    uint32_t quantum{0};                                //!< Quantum
    Attributes limits{};                                //!< of its share of the buffer
};

inline Ptr<SwitchPortQueueDisc>
MakePort(Ptr<SharedBuffer> buffer,
         const std::vector<PortClass>& classes,
         const Attributes& attributes = {})
{
    auto port = CreateObject<SwitchPortQueueDisc>();
    SetAll(port, attributes);
    for (const auto& c : classes)
    {
        ObjectFactory factory;
        factory.SetTypeId(c.type);
        for (const auto& [name, value] : c.attributes)
        {
            factory.Set(name, StringValue(value));
        }
        auto qdClass = CreateObject<SwitchPortClass>();
        qdClass->SetAttribute("Quantum", UintegerValue(c.quantum));
        qdClass->SetQueue(factory.Create<QueueDisc>());
        if (auto fqCoDel = DynamicCast<FqCoDelQueueDisc>(qdClass->GetQueueDisc()))
        {
            fqCoDel->SetQuantum(1500); // it takes that from its device, if it is a root
        }
        SetAll(qdClass->GetBufferQueue(), c.limits);
        port->AddClass(qdClass);
    }
    port->SetSharedBuffer(buffer);
    port->Initialize();
    return port;
}

/// Get the queue disc of ns-3's own that a class has. Returns the queue disc, null if there is
/// none.
inline Ptr<QueueDisc>
GetChild(Ptr<SwitchPortQueueDisc> port, uint32_t index)
{
    return port->GetClass(index)->GetQueueDisc();
}

/// Get the number of packets in a class.
inline uint32_t
CountPackets(Ptr<SwitchPortQueueDisc> port, uint32_t index)
{
    const auto queue = port->GetClass(index)->GetQueue();
    return queue ? queue->GetNPackets() : GetChild(port, index)->GetNPackets();
}

inline Ptr<SharedBufferQueue>
GetShare(Ptr<SwitchPortQueueDisc> port, uint32_t index)
{
    return port->GetClass(index)->GetBufferQueue();
}

/// Make a packet whose class by default is a given one. index: the class, 0 to 7.
inline Ptr<QueueDiscItem>
MakeItemOf(uint32_t index, uint32_t size = 1000, uint8_t ecn = NOT_ECT)
{
    return MakeIpv4Item(size, static_cast<uint8_t>(index << 5 | ecn));
}

/// Get the class that a packet of MakeItemOf was made for.
inline uint32_t
ClassOf(Ptr<const QueueDiscItem> item)
{
    return static_cast<uint32_t>(GetTos(item)) >> 5;
}

/// Get the order in which the classes of the queued packets are sent.
inline std::string
DrainOrder(Ptr<QueueDisc> port)
{
    std::string order;
    while (auto item = port->Dequeue())
    {
        order += std::to_string(ClassOf(item));
    }
    return order;
}

} // namespace aidctest

#endif // AIDC_SWITCH_PORT_BENCH_H
