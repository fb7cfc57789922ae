/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mirrored-attributes.h"

#include "ns3/attribute.h"
#include "ns3/trace-source-accessor.h"

#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// Finds the part of an object that has an attribute.
using GetPart = Object* (*)(ObjectBase*);

/**
 * @brief An accessor that works on the part of an object.
 * @tparam Accessor AttributeAccessor or TraceSourceAccessor
 */
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
            if (info.initialValue != info.originalInitialValue)
            {
                throw std::runtime_error("expected " + mirror.GetName() + "::" + info.name +
                                         " in place of " + part.GetName() + "::" + info.name);
            }
        }
    }
}

} // namespace ns3::aidc
