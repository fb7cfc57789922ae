/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DIRECT_TRACE_H
#define AIDC_DIRECT_TRACE_H

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>
#include <string>

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::DirectTrace.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A trace source that is always connected once: the first callback is at hand.
 *
 * It does what ns3::TracedCallback does. That keeps all callbacks in a list, so that a call touches
 * an element of the list and the callback that it points to, each somewhere else in memory.
 *
 * @tparam Args the types of the arguments
 */
template <typename... Args>
class DirectTrace
{
  public:
    /**
     * @brief Append a callback without a context.
     * @param callback the callback
     */
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        if (!m_function && !m_others)
        {
            NS_ABORT_MSG_UNLESS(m_first.Assign(callback),
                                "The callback takes other arguments than the trace source has");
            using Impl = CallbackImpl<void, Args...>;
            m_function = static_cast<const Impl&>(*m_first.GetImpl()).GetFunction();
        }
        else
        {
            GetOthers().ConnectWithoutContext(callback);
        }
    }

    /**
     * @brief Append a callback with a context.
     * @param callback the callback
     * @param context what its first argument will be
     */
    void Connect(const CallbackBase& callback, const std::string& context)
    {
        GetOthers().Connect(callback, context);
    }

    /**
     * @brief Remove callbacks without a context.
     * @param callback what they are equal to
     */
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        if (m_function && m_first.IsEqual(callback))
        {
            m_function = nullptr;
            m_first.Nullify();
        }
        if (m_others)
        {
            m_others->DisconnectWithoutContext(callback);
        }
    }

    /**
     * @brief Remove callbacks with a context.
     * @param callback what they are equal to
     * @param context the context
     */
    void Disconnect(const CallbackBase& callback, const std::string& context)
    {
        if (m_others)
        {
            m_others->Disconnect(callback, context);
        }
    }

    /**
     * @brief Call the callbacks, in the order in which they were appended.
     * @param args the arguments
     */
    void operator()(Args... args) const
    {
        if (m_function)
        {
            m_function(args...);
        }
        if (m_others)
        {
            (*m_others)(args...);
        }
    }

  private:
    /**
     * @brief Get the callbacks behind the first.
     * @return the callbacks
     */
    TracedCallback<Args...>& GetOthers()
    {
        if (!m_others)
        {
            m_others = std::make_unique<TracedCallback<Args...>>();
        }
        return *m_others;
    }

    std::function<void(Args...)> m_function;           //!< what the first callback calls
    std::unique_ptr<TracedCallback<Args...>> m_others; //!< the other callbacks, null for none
    Callback<void, Args...> m_first;                   //!< the first callback, to be compared
};

} // namespace ns3::aidc

#endif // AIDC_DIRECT_TRACE_H
