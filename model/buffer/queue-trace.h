/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_QUEUE_TRACE_H
#define AIDC_QUEUE_TRACE_H

#include "ns3/callback.h"
#include "ns3/ptr.h"
#include "ns3/queue-item.h"
#include "ns3/traced-callback.h"

#include <string>

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::QueueTrace.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A trace source of packets whose first listener is called without a list.
 *
 * The queue disc of a queue is its first listener: it counts packets that way, twice for each.
 * Users who listen as well are in the list. It is what MakeTraceSourceAccessor() asks for.
 */
class QueueTrace
{
  public:
    /// Add a listener.
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        if (m_first.IsNull() && m_others.IsEmpty())
        {
            m_first.Assign(callback);
        }
        else
        {
            m_others.ConnectWithoutContext(callback);
        }
    }

    /// Add a listener that is told a context.
    void Connect(const CallbackBase& callback, std::string context)
    {
        m_others.Connect(callback, context);
    }

    /// Remove a listener.
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        if (!m_first.IsNull() && m_first.IsEqual(callback))
        {
            m_first.Nullify();
        }
        m_others.DisconnectWithoutContext(callback);
    }

    /// Remove a listener that is told a context.
    void Disconnect(const CallbackBase& callback, std::string context)
    {
        m_others.Disconnect(callback, context);
    }

    /// Tell the listeners. @param item the packet
    void operator()(const Ptr<QueueDiscItem>& item) const
    {
        if (!m_first.IsNull())
        {
            m_first(item);
        }
        if (!m_others.IsEmpty())
        {
            m_others(item);
        }
    }

  private:
    Callback<void, Ptr<const QueueDiscItem>> m_first;  //!< the queue disc
    TracedCallback<Ptr<const QueueDiscItem>> m_others; //!< all others
};

} // namespace ns3::aidc

#endif // AIDC_QUEUE_TRACE_H
