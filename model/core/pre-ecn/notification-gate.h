/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NOTIFICATION_GATE_H
#define AIDC_NOTIFICATION_GATE_H

#include "domain-message.h"

#include "ns3/flow-key.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace ns3::aidc
{

/**
 * @brief Decides which marks of a router become notifications.
 *
 * The first mark of a flow becomes a notification. Within an interval after a notification, only a
 * more severe mark of the flow does, so that congestion that turns severe is notified at once. So a
 * flow has at most one notification of each severity in an interval.
 *
 * A flow is forgotten when its interval is over, so that the gate only remembers flows with a
 * notification in an interval. If there is no room, other flows have to wait until a flow is
 * forgotten, which delays their notification by at most an interval. So a flood of forged flows can
 * neither make the gate forget its notifications nor take more memory.
 */
class NotificationGate
{
  public:
    /// The decision on a mark.
    enum class Result : uint8_t
    {
        PASS,       //!< it becomes a notification
        SUPPRESSED, //!< the flow has a notification in the interval
        FULL,       //!< there is no room for another flow
    };

    /**
     * @brief Decide on a mark.
     * @param flow the flow
     * @param severity the severity of the mark
     * @param now the time in ns, never less than before
     * @param interval the least time from one notification to the next, in ns, > 0
     * @param maxFlows the number of flows for which there is room
     * @return the decision; after PASS the notification counts as sent
     */
    Result Pass(const FlowKey& flow,
                CongestionSeverity severity,
                int64_t now,
                int64_t interval,
                std::size_t maxFlows)
    {
        Forget(now, interval);
        const auto found = m_flows.find(flow);
        if (found == m_flows.end())
        {
            if (m_flows.size() >= maxFlows)
            {
                return Result::FULL;
            }
            m_flows[flow] = {now, severity};
        }
        else if (severity <= found->second.severity)
        {
            return Result::SUPPRESSED;
        }
        else
        {
            found->second = {now, severity};
        }
        m_order.push_back({now, flow});
        return Result::PASS;
    }

    /// @return the number of flows with a notification in the interval, as of the last mark
    std::size_t GetNFlows() const
    {
        return m_flows.size();
    }

  private:
    /// The last notification of a flow.
    struct Notified
    {
        int64_t time;                //!< when, in ns
        CongestionSeverity severity; //!< its severity
    };

    /// A notification, in the order of time.
    struct Passed
    {
        int64_t time; //!< when, in ns
        FlowKey flow; //!< the flow
    };

    /// Forget the flows whose interval is over. now: the time in ns; interval: the interval in ns.
    void Forget(int64_t now, int64_t interval)
    {
        while (!m_order.empty() && now - m_order.front().time >= interval)
        {
            const auto found = m_flows.find(m_order.front().flow);
            // Otherwise a more severe one has passed since.
            if (found != m_flows.end() && found->second.time == m_order.front().time)
            {
                m_flows.erase(found);
            }
            m_order.pop_front();
        }
    }

    std::unordered_map<FlowKey, Notified, FlowKeyHash> m_flows; //!< by flow; looked up only
    std::deque<Passed> m_order;                                 //!< notifications of an interval
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_GATE_H
