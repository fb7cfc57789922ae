// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NOTIFICATION_GATE_H
#define AIDC_NOTIFICATION_GATE_H

#include "domain-message.h"
#include "shaping.h"

#include "ns3/flow-key.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

namespace ns3::aidc
{

/// Tells whether the average queue of a congested router is falling.
///
/// A falling queue above the threshold still marks packets, although fewer packets arrive than
/// leave: the senders have already slowed down.
///
/// The queue is falling if it is shorter than at an earlier look that is at least one and less than
/// three windows old. If there is none, there were no marks for so long that congestion has just
/// begun.
class QueueTrend
{
  public:
    /// Take a look at the average queue.
    /// @param now the time in ns, never less than before
    /// @param average the average queue in bytes
    /// @param window the least time to compare over, in ns, > 0
    /// @return whether it is falling
    bool IsFalling(int64_t now, double average, int64_t window)
    {
        if (!m_last || now - m_last->time >= window)
        {
            m_before = m_last;
            m_last = Look{now, average};
        }
        return m_before && (now - m_before->time) / 3 < window && average < m_before->average;
    }

  private:
    /// A look at the queue.
    struct Look
    {
        int64_t time;   //!< when, in ns
        double average; //!< the average queue in bytes
    };

    std::optional<Look> m_last;   //!< the last one that is kept
    std::optional<Look> m_before; //!< the one before, a window earlier or more
};

/// The decision on a mark, or on a packet of a flow that shares a port.
enum class NotificationVerdict : uint8_t
{
    SEND,       //!< a notification is to be sent
    SUPPRESSED, //!< the last notification of the flow is enough
    FULL,       //!< there is no room for another flow
};

/// Decides which marks of a router become notifications.
///
/// The first mark of a flow becomes a notification. Within an interval after a notification, only a
/// more severe mark of the flow does, so that congestion that turns severe is notified at once. So
/// a flow has at most one notification of each severity in an interval.
///
/// A flow is forgotten when its interval is over, so that the gate only remembers flows with a
/// notification in an interval. If there is no room, other flows have to wait until a flow is
/// forgotten, which delays their notification by at most an interval. So a flood of forged flows
/// can neither make the gate forget its notifications nor take more memory.
class NotificationGate
{
  public:
    /// Decide on a mark.
    /// @param flow the flow
    /// @param severity the severity of the mark
    /// @param now the time in ns, never less than before
    /// @param interval the least time from one notification to the next, in ns, > 0
    /// @param maxFlows the number of flows for which there is room
    /// @return the decision; after SEND the notification counts as sent
    NotificationVerdict Pass(const FlowKey& flow,
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
                return NotificationVerdict::FULL;
            }
            m_flows[flow] = {now, severity};
        }
        else if (severity <= found->second.severity)
        {
            return NotificationVerdict::SUPPRESSED;
        }
        else
        {
            found->second = {now, severity};
        }
        m_order.push_back({now, flow});
        return NotificationVerdict::SEND;
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

/// Bounds the rate of a router's notifications, severe congestion first.
///
/// There is a token bucket that holds two notifications of each flow for which the router has room,
/// so that congestion that hits all flows at once is notified to all at once. Half of the bucket is
/// for severe congestion alone.
///
/// The bound is fair among flows by intervals, not by the bucket: the more flows there are, the
/// less often each flow is notified of (GetTime()).
class NotificationBudget
{
  public:
    /// The settings.
    struct Settings
    {
        uint64_t maxRate{0};        //!< bit/s on the link; 0 for no bound
        std::size_t maxFlows{4096}; //!< for how many flows the router has room
    };

    /// Bytes of a notification on the link: with headers of UDP, IPv4 and Ethernet, check sequence,
    /// preamble and gap (IEEE 802.3).
    static constexpr uint32_t BYTES = DOMAIN_MESSAGE_SIZE + 8 + 20 + 38;

    /// Get the time that the bound leaves for a notification. @return ns, 0 without a bound
    static int64_t GetTime(const Settings& settings)
    {
        return settings.maxRate == 0
                   ? 0
                   : static_cast<int64_t>(BYTES * uint64_t{8'000'000'000} / settings.maxRate);
    }

    /// Decide on a notification. settings: the settings, which do not change; now: the time in ns,
    /// never less than before. @return whether it may be sent; then it counts as sent
    bool Pass(const Settings& settings, int64_t now, CongestionSeverity severity)
    {
        if (settings.maxRate == 0)
        {
            return true;
        }
        const auto half = static_cast<uint32_t>(
            std::min<uint64_t>(settings.maxFlows * BYTES, TokenBucket::MAX_BURST / 2));
        if (!m_isStarted)
        {
            m_isStarted = true;
            m_bucket.Start(now, settings.maxRate, 2 * half, 2 * half);
        }
        const uint32_t needed = BYTES + (severity == CongestionSeverity::SEVERE ? 0 : half);
        if (m_bucket.GetReadyTime(now, needed) > now)
        {
            return false;
        }
        m_bucket.Take(now, BYTES);
        return true;
    }

  private:
    TokenBucket m_bucket;    //!< the bytes that may be sent
    bool m_isStarted{false}; //!< whether there was a notification
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_GATE_H
