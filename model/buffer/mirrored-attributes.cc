/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mirrored-attributes.h"

#include "ns3/abort.h"
#include "ns3/attribute.h"
#include "ns3/trace-source-accessor.h"

namespace ns3::aidc
{

namespace
{

/// Finds the part of an object that has an attribute.
using GetPart = Object* (*)(ObjectBase*);

/// Sets and gets an attribute of the part.
class MirroredAttribute : public AttributeAccessor
{
  public:
    /**
     * @brief Constructor.
     * @param accessor the accessor of the part
     * @param getPart finds the part
     */
    MirroredAttribute(Ptr<const AttributeAccessor> accessor, GetPart getPart)
        : m_accessor(accessor),
          m_getPart(getPart)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        Object* part = m_getPart(object);
        return part && m_accessor->Set(part, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const Object* part = m_getPart(const_cast<ObjectBase*>(object));
        return part && m_accessor->Get(part, value);
    }

    bool HasGetter() const override
    {
        return m_accessor->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_accessor->HasSetter();
    }

  private:
    Ptr<const AttributeAccessor> m_accessor; //!< the accessor of the part
    GetPart m_getPart;                       //!< finds the part
};

/// Connects a trace source of the part.
class MirroredTrace : public TraceSourceAccessor
{
  public:
    /**
     * @brief Constructor.
     * @param accessor the accessor of the part
     * @param getPart finds the part
     */
    MirroredTrace(Ptr<const TraceSourceAccessor> accessor, GetPart getPart)
        : m_accessor(accessor),
          m_getPart(getPart)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        Object* part = m_getPart(object);
        return part && m_accessor->ConnectWithoutContext(part, callback);
    }

    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override
    {
        Object* part = m_getPart(object);
        return part && m_accessor->Connect(part, context, callback);
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        Object* part = m_getPart(object);
        return part && m_accessor->DisconnectWithoutContext(part, callback);
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override
    {
        Object* part = m_getPart(object);
        return part && m_accessor->Disconnect(part, context, callback);
    }

  private:
    Ptr<const TraceSourceAccessor> m_accessor; //!< the accessor of the part
    GetPart m_getPart;                         //!< finds the part
};

} // namespace

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

void
RefuseMirroredDefaults(TypeId part, TypeId base, TypeId mirror)
{
    for (; part != base; part = part.GetParent())
    {
        for (std::size_t i = 0; i < part.GetAttributeN(); ++i)
        {
            const auto info = part.GetAttribute(i);
            NS_ABORT_MSG_IF(info.initialValue != info.originalInitialValue,
                            "Set " << mirror.GetName() << "::" << info.name << " in place of "
                                   << part.GetName() << "::" << info.name);
        }
    }
}

} // namespace ns3::aidc
