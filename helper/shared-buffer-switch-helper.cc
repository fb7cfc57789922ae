// SPDX-License-Identifier: GPL-2.0-only

#include "shared-buffer-switch-helper.h"

#include "../model/core/coupled-ecn/ecn-threshold.h"
#include "../model/core/require-argument.h"
#include "../model/device-link-properties.h"
#include "fabric-role.h"
#include "factory-attribute.h"
#include "user-default.h"

#include "ns3/boolean.h"
#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/double.h"
#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/mpi-processes.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/pre-ecn-queue-disc.h"
#include "ns3/process-gather.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// Get the transmission queue of a device. @return the queue, null if it has none that is known
Ptr<QueueBase>
GetTxQueue(Ptr<NetDevice> device)
{
    PointerValue queue;
    return device->GetAttributeFailSafe("TxQueue", queue) ? queue.Get<QueueBase>() : nullptr;
}

/// Have a device ask its queue disc for packets. @return whether its kind can
bool
KeepQueueInQueueDisc(Ptr<NetDevice> device)
{
    if (const auto queue = GetTxQueue(device))
    {
        // Not less than one: ns-3's devices ask for a packet when they have room for it.
        queue->SetMaxSize(QueueSize("1p"));
        return true;
    }
    return DynamicCast<EthernetNetDevice>(device) != nullptr;
}

/// @return the value of an attribute; the largest QueueSize if the size exceeds that
QueueSizeValue
MakeSize(uint64_t bytes)
{
    constexpr uint64_t MOST = std::numeric_limits<uint32_t>::max();
    return QueueSizeValue(
        QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(std::min(bytes, MOST))));
}

/// Get the RTT of the longest path through a switch alone. @return two links there and two back
Time
GetLongestRtt(Ptr<Node> node)
{
    Time longest;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        longest = std::max(longest, GetLinkDelay(node->GetDevice(i)));
    }
    return 4 * longest;
}

} // namespace

SharedBufferSwitchHelper::SharedBufferSwitchHelper()
    : m_classes(SwitchPortQueueDisc::MAX_CLASSES),
      m_nClasses(SwitchPortQueueDisc::MAX_CLASSES)
{
    m_bufferFactory.SetTypeId(SharedBuffer::GetTypeId());
    m_portFactory.SetTypeId(SwitchPortQueueDisc::GetTypeId());
    SetQueueDisc(ALL_CLASSES, "ns3::aidc::CoupledEcnQueueDisc");
}

void
SharedBufferSwitchHelper::SetChip(const std::string& name)
{
    m_chip = SwitchChip::Find(name);
}

Ptr<SharedBuffer>
SharedBufferSwitchHelper::MakeBuffer() const
{
    if (!m_chip)
    {
        return m_bufferFactory.Create<SharedBuffer>();
    }
    ObjectFactory factory = m_bufferFactory;
    const auto set = [&](const std::string& name, const AttributeValue& value) {
        if (m_bufferNames.count(name) == 0)
        {
            SetDerived(factory, name, value);
        }
    };
    const auto& profile = m_chip->GetProfile();
    set("CellSize", UintegerValue(m_chip->GetCellSize()));
    set("Partitions", UintegerValue(m_chip->GetPartitions()));
    set("PortsPerPartition", UintegerValue(m_chip->GetPortsPerPartition()));
    set("PowerOfTwoAlphas", BooleanValue(m_chip->HasPowerOfTwoAlphas()));
    set("SharedSize", MakeSize(profile.shared));
    set("LossySize", MakeSize(profile.lossyShared));
    set("HeadroomPool", MakeSize(profile.headroomPool));
    set("PortAlpha", DoubleValue(profile.portAlpha));
    set("IngressPortAlpha", DoubleValue(profile.ingressPortAlpha));
    return factory.Create<SharedBuffer>();
}

void
SharedBufferSwitchHelper::SetChipMarking(const ClassSettings& settings,
                                         CoupledEcnQueueDisc& queue) const
{
    const auto& profile = m_chip->GetProfile();
    const auto set = [&](const std::string& name, const AttributeValue& value) {
        if (!settings.Has(name))
        {
            SetDerived(queue, name, value);
        }
    };
    // In this order: Kmin stays below Kmax.
    set("Kmax", MakeSize(profile.kmax));
    set("Kmin", MakeSize(profile.kmin));
    set("Pmax", DoubleValue(profile.pmax));
    set("MarkingPoint", StringValue(profile.marksAtDequeue ? "DequeueWith" : "Enqueue"));
}

void
SharedBufferSwitchHelper::SetChipLimits(uint32_t index,
                                        const Ptr<SwitchPortClass>& qdClass,
                                        const Ptr<SharedBufferQueue>& share) const
{
    const auto& profile = m_chip->GetProfile();
    SetDerived(*share, "Alpha", DoubleValue(profile.queueAlpha));
    SetDerived(*share, "Reserved", MakeSize(profile.queueReserved));
    SetDerived(*share, "Cap", MakeSize(profile.queueCap));
    if (qdClass && m_nClasses == SwitchPortQueueDisc::MAX_CLASSES && index < profile.weights.size())
    {
        // A round gives a class of the least weight about a largest frame.
        constexpr uint32_t QUANTUM = 1000;
        SetDerived(*qdClass, "Quantum", UintegerValue(QUANTUM * profile.weights[index]));
    }
}

void
SharedBufferSwitchHelper::SetBufferAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_bufferFactory, name, value);
    m_bufferNames.insert(name);
}

void
SharedBufferSwitchHelper::SetPortAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_portFactory, name, value);
}

void
SharedBufferSwitchHelper::SetNClasses(uint32_t nClasses)
{
    AIDC_REFUSED_IF(nClasses > SwitchPortQueueDisc::MAX_CLASSES,
                    "SharedBufferSwitchHelper: expected 0 to " << SwitchPortQueueDisc::MAX_CLASSES
                                                               << " classes, found " << nClasses);
    m_nClasses = nClasses;
}

template <typename Change>
void
SharedBufferSwitchHelper::ForClasses(uint32_t index, Change change)
{
    AIDC_REFUSED_IF(index >= m_classes.size() && index != ALL_CLASSES,
                    "SharedBufferSwitchHelper: there is no class " << index);
    for (uint32_t i = 0; i < m_classes.size(); ++i)
    {
        if (i == index || index == ALL_CLASSES)
        {
            change(m_classes[i]);
        }
    }
}

void
SharedBufferSwitchHelper::SetClassAttribute(uint32_t index,
                                            const std::string& name,
                                            const AttributeValue& value)
{
    ForClasses(index, [&](ClassSettings& settings) {
        settings.attributes.emplace_back(name, value.Copy());
    });
}

void
SharedBufferSwitchHelper::SetQueueDisc(uint32_t index, const std::string& typeId)
{
    ForClasses(index, [&](ClassSettings& settings) {
        settings.queueDisc = MakeFactory(typeId);
        settings.names.clear();
    });
}

void
SharedBufferSwitchHelper::SetQueueDiscAttribute(uint32_t index,
                                                const std::string& name,
                                                const AttributeValue& value)
{
    ForClasses(index, [&](ClassSettings& settings) {
        SetFactoryAttribute(settings.queueDisc, name, value);
        settings.names.insert(name);
    });
}

QueueDiscContainer
SharedBufferSwitchHelper::Install(Ptr<Node> node) const
{
    FabricRole::Check(node, FabricRole::SWITCH, "SharedBufferSwitchHelper");
    AIDC_REFUSED_UNLESS(node->GetObject<TrafficControlLayer>(),
                        "SharedBufferSwitchHelper: install an Internet stack on node "
                            << node->GetId() << " first");
    AIDC_REFUSED_IF(node->GetObject<SharedBuffer>(),
                    "SharedBufferSwitchHelper: node " << node->GetId() << " is a switch already");
    node->AggregateObject(MakeBuffer());
    if (m_chip)
    {
        node->AggregateObject(SwitchChip::Copy(*m_chip));
    }
    const Time rtt = m_rtt.IsZero() ? GetLongestRtt(node) : m_rtt;
    QueueDiscContainer roots;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (KeepQueueInQueueDisc(node->GetDevice(i)))
        {
            roots.Add(InstallPort(node->GetDevice(i), rtt));
        }
    }
    return roots;
}

QueueDiscContainer
SharedBufferSwitchHelper::Install(const NodeContainer& nodes) const
{
    QueueDiscContainer roots;
    for (auto it = nodes.Begin(); it != nodes.End(); ++it)
    {
        roots.Add(Install(*it));
    }
    return roots;
}

Ptr<Object>
SharedBufferSwitchHelper::MakeQueue(const ClassSettings& settings,
                                    Ptr<NetDevice> device,
                                    Time rtt) const
{
    auto queueDisc = settings.queueDisc.Create<Object>();
    auto coupled = DynamicCast<CoupledEcnQueueDisc>(queueDisc);
    if (!coupled)
    {
        return queueDisc;
    }
    if (m_chip && m_chip->GetProfile().kmax > 0)
    {
        SetChipMarking(settings, *coupled);
    }
    // The user's settings enter the values that are derived from them.
    DataRateValue linkRate;
    TimeValue ownRtt;
    UintegerValue ownMtu;
    coupled->GetAttribute("LinkRate", linkRate);
    coupled->GetAttribute("Rtt", ownRtt);
    coupled->GetAttribute("Mtu", ownMtu);
    const auto rate =
        (linkRate.Get().GetBitRate() > 0 ? linkRate.Get() : GetLinkRate(device)).GetBitRate();
    const uint64_t rttNs = (ownRtt.Get().IsZero() ? rtt : ownRtt.Get()).GetNanoSeconds();
    const auto mtu = ownMtu.Get() > 0 ? static_cast<uint32_t>(ownMtu.Get()) : device->GetMtu();
    if (!ownRtt.Get().IsZero())
    {
        const std::string offset = "ns3::aidc::CoupledEcnQueueDisc::Offset";
        const bool isUsers = HasUserDefault(offset) && !settings.Has("Rtt");
        if (settings.Has("Offset") ? settings.Has("Rtt") : isUsers)
        {
            throw std::runtime_error("expected " + offset +
                                     " or ns3::aidc::CoupledEcnQueueDisc::Rtt, of which it is "
                                     "derived, found both");
        }
        if (settings.Has("Offset"))
        {
            coupled->SetAttribute("Rtt",
                                  TimeValue()); // a user's, over which the program's Offset is
        }
    }
    const EcnLevels derived = DeriveEcnLevels(rate, rttNs, mtu);
    if (rate > 0 && !settings.Has("Offset"))
    {
        SetDerived(*coupled, "Offset", MakeSize(derived.offset));
    }
    if (rate > 0 && !settings.Has("EcnFloor"))
    {
        SetDerived(*coupled, "EcnFloor", MakeSize(derived.floor));
    }
    return queueDisc;
}

void
SharedBufferSwitchHelper::SetAttributes(const ClassSettings& settings,
                                        const Ptr<SwitchPortClass>& qdClass,
                                        const Ptr<SharedBufferQueue>& share)
{
    for (const auto& [name, value] : settings.attributes)
    {
        // An attribute that is not the class's own belongs to its share of the buffer. Either
        // refuses the name of an attribute that it does not have, and a bad value.
        TypeId::AttributeInformation info;
        const bool isOwn =
            qdClass && qdClass->GetInstanceTypeId().LookupAttributeByName(name, &info);
        const Ptr<Object> owner = isOwn ? Ptr<Object>(qdClass) : Ptr<Object>(share);
        ObjectFactory factory(owner->GetInstanceTypeId().GetName()); // which makes no other one
        SetFactoryAttribute(factory, name, *value);
        owner->SetAttribute(name, *value);
    }
}

Ptr<QueueDisc>
SharedBufferSwitchHelper::InstallPort(Ptr<NetDevice> device, Time rtt) const
{
    Ptr<QueueDisc> root;
    if (m_nClasses == 0)
    {
        const auto drawing =
            DynamicCast<SharedBufferQueueDisc>(MakeQueue(m_classes[0], device, rtt));
        AIDC_REFUSED_UNLESS(drawing,
                            "SharedBufferSwitchHelper: without classes, the queue disc must draw "
                            "on the shared buffer by itself, unlike "
                                << m_classes[0].queueDisc.GetTypeId().GetName());
        if (m_chip)
        {
            SetChipLimits(0, nullptr, drawing->GetBufferQueue());
        }
        SetAttributes(m_classes[0], nullptr, drawing->GetBufferQueue());
        root = drawing;
    }
    else
    {
        auto port = m_portFactory.Create<SwitchPortQueueDisc>();
        port->SetPriorityReader(
            [](const QueueDiscItem& item) { return GetFrameContext(item).priority; });
        const auto ethernet = DynamicCast<EthernetNetDevice>(device);
        if (ethernet && port->IsPcpTrusted())
        {
            ethernet->SetKeepContext(true);
        }
        for (uint32_t i = 0; i < m_nClasses; ++i)
        {
            auto portClass = CreateObject<SwitchPortClass>();
            portClass->SetQueue(MakeQueue(m_classes[i], device, rtt));
            if (m_chip)
            {
                SetChipLimits(i, portClass, portClass->GetBufferQueue());
            }
            SetAttributes(m_classes[i], portClass, portClass->GetBufferQueue());
            port->AddClass(portClass);
        }
        root = port;
    }

    auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    if (layer->GetRootQueueDiscOnDevice(device))
    {
        layer->DeleteRootQueueDiscOnDevice(device);
    }
    layer->SetRootQueueDiscOnDevice(device, root);
    return root;
}

int64_t
SharedBufferSwitchHelper::AssignStreams(const QueueDiscContainer& queueDiscs, int64_t stream)
{
    if (MpiProcesses::Get().GetN() == 1)
    {
        int64_t used = 0;
        for (auto root = queueDiscs.Begin(); root != queueDiscs.End(); ++root)
        {
            for (const auto& placed : FindMarkingQueues(*root))
            {
                used += placed.queue->AssignStreams(stream + used);
            }
        }
        return used;
    }
    const std::set<Ptr<QueueDisc>> known(queueDiscs.Begin(), queueDiscs.End());
    std::map<uint32_t, std::vector<Ptr<MarkingQueue>>> queues; // by node
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        const auto layer = (*node)->GetObject<TrafficControlLayer>();
        for (uint32_t i = 0; layer && i < (*node)->GetNDevices(); ++i)
        {
            const auto root = layer->GetRootQueueDiscOnDevice((*node)->GetDevice(i));
            if (known.count(root) == 0)
            {
                continue;
            }
            for (const auto& placed : FindMarkingQueues(root))
            {
                queues[(*node)->GetId()].push_back(placed.queue);
            }
        }
    }
    std::vector<PlacedItem<uint64_t>> counts; // by node
    for (const auto& [node, ofNode] : queues)
    {
        counts.push_back({node, ofNode.size()});
    }
    counts = GatherItems(counts);
    std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return a.place < b.place;
    });
    int64_t used = 0;
    for (const auto& [node, n] : counts)
    {
        int64_t next = stream + used;
        for (const auto& queue : queues[node])
        {
            next += queue->AssignStreams(next);
        }
        used += static_cast<int64_t>(n); // a queue uses one
    }
    return used;
}

} // namespace ns3::aidc
