// SPDX-License-Identifier: GPL-2.0-only

#include "marking-queue.h"

#include "../core/require-argument.h"
#include "../device-link-properties.h"

#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/value-checker.h"

#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcMarkingQueue");

NS_OBJECT_ENSURE_REGISTERED(MarkingQueue);
NS_OBJECT_ENSURE_REGISTERED(SharedBufferQueueDisc);

namespace
{

/// Name the node and the device of a queue. @param device its port, may be null
std::string
DescribePlace(const Ptr<NetDevice>& device)
{
    return device ? "node " + std::to_string(device->GetNode()->GetId()) + ", device " +
                        std::to_string(device->GetIfIndex())
                  : "without a device";
}

/// Finds the part of an object that has an attribute.
using GetPart = Object* (*)(ObjectBase*);

/// An accessor that works on the part of an object.
/// @tparam Accessor AttributeAccessor or TraceSourceAccessor
template <typename Accessor>
class MirroredAccessor : public Accessor
{
  public:
    /// Constructor.
    MirroredAccessor(Ptr<const Accessor> accessor, GetPart getPart)
        : m_accessor(accessor),
          m_getPart(getPart)
    {
    }

  protected:
    /// Do something with the part. @return what it returns; false if the object has no such part
    template <typename Action>
    bool WithPart(const ObjectBase* object, Action action) const
    {
        Object* part = m_getPart(const_cast<ObjectBase*>(object));
        return part && action(part);
    }

    Ptr<const Accessor> m_accessor; //!< the accessor of the part

  private:
    GetPart m_getPart; //!< finds the part
};

/// Sets and gets an attribute of the part.
class MirroredAttribute : public MirroredAccessor<AttributeAccessor>
{
  public:
    using MirroredAccessor::MirroredAccessor;

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        return WithPart(object, [&](Object* part) { return m_accessor->Set(part, value); });
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return WithPart(object, [&](const Object* part) { return m_accessor->Get(part, value); });
    }

    bool HasGetter() const override
    {
        return m_accessor->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_accessor->HasSetter();
    }
};

/// Connects a trace source of the part.
class MirroredTrace : public MirroredAccessor<TraceSourceAccessor>
{
  public:
    using MirroredAccessor::MirroredAccessor;

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return WithPart(object,
                        [&](auto part) { return m_accessor->ConnectWithoutContext(part, sink); });
    }

    bool Connect(ObjectBase* object, std::string context, const CallbackBase& sink) const override
    {
        return WithPart(object,
                        [&](auto part) { return m_accessor->Connect(part, context, sink); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return WithPart(object, [&](auto part) {
            return m_accessor->DisconnectWithoutContext(part, sink);
        });
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& sink) const override
    {
        return WithPart(object,
                        [&](auto part) { return m_accessor->Disconnect(part, context, sink); });
    }
};

/// Give a type the attributes and trace sources of a part that each of its objects has, so that
/// they are declared only once. Attributes keep their defaults. A name that the type or a parent
/// already has is left alone. base: a parent of part, whose attributes and trace sources are not
/// taken; getPart: finds the part of an object; null if the object is of another class.
TypeId
MirrorAttributes(TypeId tid, TypeId part, TypeId base, GetPart getPart)
{
    for (; part != base; part = part.GetParent())
    {
        TypeId::AttributeInformation known;
        for (std::size_t i = 0; i < part.GetAttributeN(); ++i)
        {
            const auto info = part.GetAttribute(i);
            if (!tid.LookupAttributeByName(info.name, &known))
            {
                tid.AddAttribute(info.name,
                                 info.help,
                                 info.flags,
                                 *info.originalInitialValue,
                                 Create<MirroredAttribute>(info.accessor, getPart),
                                 info.checker);
            }
        }
        for (std::size_t i = 0; i < part.GetTraceSourceN(); ++i)
        {
            const auto info = part.GetTraceSource(i);
            if (!tid.LookupTraceSourceByName(info.name))
            {
                tid.AddTraceSource(info.name,
                                   info.help,
                                   Create<MirroredTrace>(info.accessor, getPart),
                                   info.callback);
            }
        }
    }
    return tid;
}

} // namespace

TypeId
MarkingQueue::GetTypeId()
{
    using C = MarkingQueue;
    static TypeId tid =
        TypeId("ns3::aidc::MarkingQueue")
            .SetParent<SharedBufferQueue>()
            .SetGroupName("Aidc")
            .AddAttribute("LinkRate",
                          "Rate of the link, to derive thresholds and idle time from; 0 is the "
                          "device's.",
                          DataRateValue(DataRate(0)),
                          MakeQueueAccessor<DataRateValue>(&C::m_linkRate),
                          MakeDataRateChecker())
            .AddTraceSource("Mark",
                            "A packet has been marked with CE, and why.",
                            MakeTraceSourceAccessor(&C::m_markTrace),
                            "ns3::aidc::MarkingQueue::PacketTracedCallback")
            .AddTraceSource("Drop",
                            "A packet has been refused as it arrived, and why.",
                            MakeTraceSourceAccessor(&C::m_dropTrace),
                            "ns3::aidc::MarkingQueue::PacketTracedCallback")
            .AddTraceSource("Reconfiguration",
                            "An attribute has been changed while running.",
                            MakeTraceSourceAccessor(&C::m_reconfigurationTrace),
                            "ns3::aidc::MarkingQueue::ReconfigurationTracedCallback");
    return tid;
}

void
MarkingQueue::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_device = nullptr;
    SharedBufferQueue::DoDispose();
}

void
MarkingQueue::Open(BufferedQueueDisc& queueDisc, Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << &queueDisc << device);
    m_device = device;
    m_queueDisc = &queueDisc;
    const auto error = FindConfigError();
    const auto name = GetInstanceTypeId().GetName();
    AIDC_REFUSED_UNLESS(error.empty(),
                        name.substr(name.rfind(':') + 1)
                            << ": " << error << " (" << DescribePlace(m_device) << "; "
                            << PrintSetAttributes(*this) << ")");
    queueDisc.GetSharedBuffer()->AddQueue(this,
                                          device ? device->GetIfIndex() : SharedBuffer::NO_PORT);
    DoOpen();
    Initialize();
}

const char*
MarkingQueue::AdmitPacket(Ptr<QueueDiscItem>& item, uint32_t bytes)
{
    const char* reason = GetDropReason(Admit(bytes));
    if (!reason)
    {
        reason = DoAdmit(item);
        if (!reason)
        {
            ++m_nPackets;
            return nullptr;
        }
        Release(bytes);
    }
    NS_LOG_LOGIC("Drop " << item << ": " << reason);
    ++m_queueStatistics.droppedPackets;
    m_dropTrace(item, reason);
    return reason;
}

void
MarkingQueue::ReleasePacket(const Ptr<QueueDiscItem>& item, uint32_t bytes)
{
    --m_nPackets;
    Release(bytes);
    DoRelease(item);
}

DataRate
MarkingQueue::GetEffectiveRate() const
{
    return m_linkRate.GetBitRate() > 0 ? m_linkRate : GetLinkRate(m_device);
}

uint32_t
MarkingQueue::GetDeviceMtu() const
{
    return m_device ? m_device->GetMtu() : 1500;
}

int64_t
MarkingQueue::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    if (m_uniform)
    {
        m_uniform->SetStream(stream);
    }
    return 1;
}

void
MarkingQueue::MakeUniform()
{
    m_uniform = CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(m_stream));
}

bool
MarkingQueue::Mark(const Ptr<QueueDiscItem>& item, const char* reason)
{
    if (!m_queueDisc->Mark(item, reason))
    {
        return false;
    }
    NS_LOG_LOGIC("Mark " << item << ": " << reason);
    ++m_queueStatistics.markedPackets;
    m_markTrace(item, reason);
    return true;
}

void
MarkingQueue::ThrowConfigError() const
{
    if (const auto error = FindConfigError(); !error.empty())
    {
        throw std::invalid_argument(error);
    }
}

std::string
MarkingQueue::DescribeAll() const
{
    return Describe() + "; " + PrintAttributes(*this, MarkingQueue::GetTypeId());
}

void
MarkingQueue::Reconfigure(const std::string& before)
{
    Derive();
    const std::string after = DescribeAll();
    NS_LOG_INFO(GetInstanceTypeId().GetName()
                << " reconfigured at " << Simulator::Now().As(Time::S) << ": " << after);
    m_reconfigurationTrace(before, after);
}

// The queue disc

void
RefuseMirroredDefaults(TypeId part, TypeId base, TypeId mirror)
{
    for (; part != base; part = part.GetParent())
    {
        for (std::size_t i = 0; i < part.GetAttributeN(); ++i)
        {
            const auto info = part.GetAttribute(i);
            if (info.initialValue != info.originalInitialValue)
            {
                throw std::runtime_error("expected " + mirror.GetName() + "::" + info.name +
                                         " in place of " + part.GetName() + "::" + info.name);
            }
        }
    }
}

TypeId
SharedBufferQueueDisc::GetTypeId()
{
    static TypeId tid = MirrorQueue(
        TypeId("ns3::aidc::SharedBufferQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Aidc")
            .AddAttribute("BufferSize",
                          "Size in bytes of the buffer that the queue disc makes for itself when "
                          "its node has no SharedBuffer.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeQueueSizeAccessor(&SharedBufferQueueDisc::m_bufferSize),
                          MakeByteSizeChecker(1))
            .AddAttribute("BufferQueue",
                          "The queue, with its policy and its share of the buffer as attributes.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SharedBufferQueueDisc::GetBufferQueue),
                          MakePointerChecker<MarkingQueue>()),
        MarkingQueue::GetTypeId(),
        SharedBufferQueue::GetTypeId());
    return tid;
}

TypeId
SharedBufferQueueDisc::MirrorQueue(TypeId tid, TypeId queue, TypeId base)
{
    return MirrorAttributes(tid, queue, base, [](ObjectBase* object) -> Object* {
        auto queueDisc = dynamic_cast<SharedBufferQueueDisc*>(object);
        return queueDisc ? PeekPointer(queueDisc->m_queue) : nullptr;
    });
}

SharedBufferQueueDisc::SharedBufferQueueDisc(Ptr<MarkingQueue> queue)
    : BufferedQueueDisc(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE, QueueSizeUnit::BYTES),
      m_queue(queue)
{
    NS_LOG_FUNCTION(this << queue);
}

int64_t
SharedBufferQueueDisc::AssignStreams(int64_t stream)
{
    return m_queue->AssignStreams(stream);
}

PortBufferUse
SharedBufferQueueDisc::GetBufferUse() const
{
    return GetUse(*m_queue);
}

bool
SharedBufferQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    const uint32_t bytes = item->GetSize();
    if (const char* reason = m_queue->AdmitPacket(item, bytes))
    {
        DropBeforeEnqueue(item, reason);
        return false;
    }
    m_packets->Push(0, item, bytes);
    return true;
}

Ptr<QueueDiscItem>
SharedBufferQueueDisc::DoDequeue()
{
    uint32_t bytes = 0;
    auto item = m_packets->Pop(0, bytes);
    if (item)
    {
        m_queue->ReleasePacket(item, bytes);
    }
    return item;
}

Ptr<const QueueDiscItem>
SharedBufferQueueDisc::DoPeek()
{
    return m_packets->Peek();
}

bool
SharedBufferQueueDisc::CheckConfig()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(GetNInternalQueues() > 0 || GetNQueueDiscClasses() > 0 ||
                        GetNPacketFilters() > 0,
                    GetInstanceTypeId().GetName()
                        << " takes no internal queues, no classes and no packet filters");
    RefuseMirroredDefaults(m_queue->GetInstanceTypeId(),
                           SharedBufferQueue::GetTypeId(),
                           GetInstanceTypeId());
    // What may be queued is up to the shared buffer alone.
    AddPackets(1);
    return true;
}

void
SharedBufferQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    m_queue->Open(*this, FindPort());
}

} // namespace ns3::aidc
