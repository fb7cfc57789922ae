// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LAZY_TRACE_ACCESSOR_H
#define AIDC_LAZY_TRACE_ACCESSOR_H

#include "ns3/callback.h"
#include "ns3/object-base.h"
#include "ns3/ptr.h"
#include "ns3/trace-source-accessor.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3::aidc
{

/// Reaches a trace source in a group that an object allocates when the first is connected.
///
/// So an object with many trace sources, most of which are never connected, has one pointer in
/// place of many lists of callbacks.
/// @tparam T the class of the object
/// @tparam Find a pointer to a member of T, or to a member function that returns a reference: the
///         std::unique_ptr of the group
/// @tparam Group the struct of its trace sources
/// @tparam Trace the type of the trace source
template <typename T, typename Find, typename Group, typename Trace>
class LazyTraceAccessor : public TraceSourceAccessor
{
  public:
    /// Constructor. @param find where an object has its group, null until it is needed
    /// @param trace the trace source
    LazyTraceAccessor(Find find, Trace Group::* trace)
        : m_find(find),
          m_trace(trace)
    {
    }

    bool ConnectWithoutContext(ObjectBase* obj, const CallbackBase& cb) const override
    {
        return WithTrace(obj, [&cb](Trace& trace) { trace.ConnectWithoutContext(cb); });
    }

    bool Connect(ObjectBase* obj, std::string context, const CallbackBase& cb) const override
    {
        return WithTrace(obj, [&](Trace& trace) { trace.Connect(cb, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* obj, const CallbackBase& cb) const override
    {
        return WithTrace(obj, [&cb](Trace& trace) { trace.DisconnectWithoutContext(cb); });
    }

    bool Disconnect(ObjectBase* obj, std::string context, const CallbackBase& cb) const override
    {
        return WithTrace(obj, [&](Trace& trace) { trace.Disconnect(cb, context); });
    }

  private:
    /// Do something with the trace source. @return false if the object is of another class
    template <typename Action>
    bool WithTrace(ObjectBase* object, const Action& action) const
    {
        auto* owner = dynamic_cast<T*>(object);
        if (!owner)
        {
            return false;
        }
        std::unique_ptr<Group>& group = std::invoke(m_find, *owner);
        if (!group)
        {
            group = std::make_unique<Group>();
        }
        action((*group).*m_trace);
        return true;
    }

    Find m_find;            //!< where an object has its group
    Trace Group::* m_trace; //!< where the group has the trace source
};

/// Make a LazyTraceAccessor, for TypeId::AddTraceSource().
/// @tparam T the class of the object
/// @tparam Group the struct of its trace sources
/// @tparam Trace the type of the trace source
/// @param group the group
/// @param trace the trace source
/// @return the accessor
template <typename T, typename Group, typename Trace>
Ptr<const TraceSourceAccessor>
MakeLazyTraceAccessor(std::unique_ptr<Group> T::* group, Trace Group::* trace)
{
    return Create<LazyTraceAccessor<T, std::unique_ptr<Group> T::*, Group, Trace>>(group, trace);
}

/// Make a LazyTraceAccessor for a group that a member function returns.
template <typename T, typename Group, typename Trace>
Ptr<const TraceSourceAccessor>
MakeLazyTraceAccessor(std::unique_ptr<Group>& (T::*find)(), Trace Group::* trace)
{
    return Create<LazyTraceAccessor<T, std::unique_ptr<Group>& (T::*)(), Group, Trace>>(find,
                                                                                        trace);
}

} // namespace ns3::aidc

#endif // AIDC_LAZY_TRACE_ACCESSOR_H
