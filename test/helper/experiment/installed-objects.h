// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INSTALLED_OBJECTS_H
#define AIDC_INSTALLED_OBJECTS_H

#include "model/aidc-compat.h"
#include "test/test-case.h"

#include "ns3/channel.h"
#include "ns3/marking-queue.h"
#include "ns3/node-list.h"
#include "ns3/object-ptr-container.h"
#include "ns3/roce-nic.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"

// All objects of a simulation, for the test suites.

namespace aidctest
{

/// Finds the objects that nodes, their parts and theirs lead to.
class InstalledObjects
{
  public:
    static std::vector<ns3::Ptr<ns3::Object>> Find()
    {
        InstalledObjects all;
        for (auto node = ns3::NodeList::Begin(); node != ns3::NodeList::End(); ++node)
        {
            all.Visit(*node);
        }
        return all.m_objects;
    }

  private:
    /// Visit an object and what it leads to. object: the object, may be null.
    void Visit(ns3::Ptr<ns3::Object> object)
    {
        if (!object || !m_seen.insert(ns3::PeekPointer(object)).second)
        {
            return;
        }
        m_objects.push_back(object);
        auto aggregates = object->GetAggregateIterator();
        while (aggregates.HasNext())
        {
            Visit(ns3::ConstCast<ns3::Object>(aggregates.Next()));
        }
        VisitAttributes(object);
        VisitMembers(object);
    }

    void VisitAttributes(ns3::Ptr<ns3::Object> object)
    {
        for (auto tid = object->GetInstanceTypeId(); tid.HasParent(); tid = tid.GetParent())
        {
            for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                const auto attribute = tid.GetAttribute(i);
                const auto type = ns3::aidc::GetValueType(*attribute.checker);
                if (!attribute.accessor->HasGetter())
                {
                    continue;
                }
                if (type == "PointerValue")
                {
                    ns3::PointerValue value;
                    object->GetAttribute(attribute.name, value);
                    Visit(value.Get<ns3::Object>());
                }
                else if (type == "ObjectPtrContainerValue")
                {
                    ns3::ObjectPtrContainerValue value;
                    object->GetAttribute(attribute.name, value);
                    for (auto item = value.Begin(); item != value.End(); ++item)
                    {
                        Visit(item->second);
                    }
                }
            }
        }
    }

    /// Visit the objects that an object has, but not as attributes.
    void VisitMembers(ns3::Ptr<ns3::Object> object)
    {
        using namespace ns3::aidc;
        if (const auto device = ns3::DynamicCast<ns3::NetDevice>(object))
        {
            Visit(device->GetChannel());
        }
        if (const auto portClass = ns3::DynamicCast<SwitchPortClass>(object))
        {
            Visit(portClass->GetBufferQueue());
        }
        if (const auto drawing = ns3::DynamicCast<SharedBufferQueueDisc>(object))
        {
            Visit(drawing->GetBufferQueue());
        }
        if (const auto nic = ns3::DynamicCast<RoceNic>(object))
        {
            for (uint32_t i = 0; i < nic->GetNQueuePairs(); ++i)
            {
                Visit(nic->GetQueuePair(RoceNic::FIRST_QP + i).GetControl());
            }
        }
        const auto node = ns3::DynamicCast<ns3::Node>(object);
        const auto buffer = node ? node->GetObject<SharedBuffer>() : nullptr;
        for (uint32_t port = 0; buffer && port < node->GetNDevices(); ++port)
        {
            for (uint32_t priority = 0; priority < SharedBuffer::PRIORITIES; ++priority)
            {
                Visit(buffer->GetIngress(port, priority));
            }
        }
    }

    std::set<ns3::Object*> m_seen;                //!< whom it has visited
    std::vector<ns3::Ptr<ns3::Object>> m_objects; //!< the same, in order
};

} // namespace aidctest

#endif // AIDC_INSTALLED_OBJECTS_H
