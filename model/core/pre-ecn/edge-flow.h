// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EDGE_FLOW_H
#define AIDC_EDGE_FLOW_H

#include "../multiply-divide.h"
#include "edge-rate-law.h"

#include "ns3/flow-key.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace ns3::aidc
{

/// The flows whose state the edge of a WAN keeps, up to a limit.
///
/// Only flows of notifications are in the table. If it is full, a new flow replaces the flow that
/// has been silent longest, among the flows that may be forgotten. A flow is silent while there are
/// neither packets nor notifications of it. A look-up allocates nothing.
/// @tparam T the state of a flow; its address does not change until the flow is forgotten
template <typename T>
class EdgeFlowTable
{
  public:
    /// Limit the table.
    /// @param maxFlows the most flows, at least 1; flows that are in the table stay
    void SetMaxFlows(std::size_t maxFlows)
    {
        m_maxFlows = maxFlows;
    }

    /// Find the flow of a packet or notification that has just come. This ends its silence. now:
    /// the time, ns. @return its state; null if it is not there
    T* Find(const FlowKey& key, int64_t now)
    {
        const auto found = m_index.find(key);
        if (found == m_index.end())
        {
            return nullptr;
        }
        found->second->lastTime = now;
        return &found->second->state;
    }

    /// Find the flow of a packet or notification that has just come, or add it.
    /// @tparam MayForget a callable: const T& state -> bool
    /// @param key the flow
    /// @param now the time, ns
    /// @param mayForget returns whether a flow may be forgotten
    /// @return its state, a new one if it was not there; null if there is no room
    template <typename MayForget>
    T* FindOrAdd(const FlowKey& key, int64_t now, const MayForget& mayForget)
    {
        if (T* state = Find(key, now))
        {
            return state;
        }
        if (m_flows.size() >= m_maxFlows && !ForgetOne(mayForget))
        {
            return nullptr;
        }
        m_flows.push_back({key, now, T()});
        m_index.emplace(key, std::prev(m_flows.end()));
        return &m_flows.back().state;
    }

    /// Go through all flows, in the order in which they were added, and forget some.
    /// @tparam Visit a callable: const FlowKey& key, T& state, int64_t lastTime -> bool
    /// @param visit called with a flow, its state and the time when it was last found; returns
    ///        whether the flow stays
    template <typename Visit>
    void ForEach(const Visit& visit)
    {
        for (auto flow = m_flows.begin(); flow != m_flows.end();)
        {
            const bool stays = visit(flow->key, flow->state, flow->lastTime);
            flow = stays ? std::next(flow) : Forget(flow);
        }
    }

    /// @return the number of flows
    std::size_t GetSize() const
    {
        return m_flows.size();
    }

  private:
    /// A flow in the table.
    struct Flow
    {
        FlowKey key;         //!< its key
        int64_t lastTime{0}; //!< when it was last found, ns
        T state;             //!< its state
    };

    /// A place in the list.
    using Place = typename std::list<Flow>::iterator;

    Place Forget(Place flow)
    {
        m_index.erase(flow->key);
        return m_flows.erase(flow);
    }

    /// Forget the flow that has been silent longest and may be. @return whether there was one
    template <typename MayForget>
    bool ForgetOne(const MayForget& mayForget)
    {
        auto oldest = m_flows.end();
        for (auto flow = m_flows.begin(); flow != m_flows.end(); ++flow)
        {
            if (mayForget(std::as_const(flow->state)) &&
                (oldest == m_flows.end() || flow->lastTime < oldest->lastTime))
            {
                oldest = flow;
            }
        }
        if (oldest == m_flows.end())
        {
            return false;
        }
        Forget(oldest);
        return true;
    }

    std::size_t m_maxFlows{4096};                            //!< the most flows
    std::list<Flow> m_flows;                                 //!< the flows in the order of addition
    std::unordered_map<FlowKey, Place, FlowKeyHash> m_index; //!< the flows by key
};

/// Measures the rate at which a flow arrives at the edge of a WAN.
///
/// A measurement lasts from a packet to the first packet at least a window later. So there are as
/// many packets as gaps between them, and flows that send rarely are measured, too. The rate is the
/// larger of the last two measurements, so that one pause of a flow that sends in bursts does not
/// make it look slow.
///
/// A pause in which the flow sends less than the floor, the least rate that matters, is silence
/// between messages. It ends a measurement of several packets at the last packet, because the rate
/// of a message does not depend on the time of the next message.
class EdgeRateMeter
{
  public:
    /// Count a packet. now: the time in ns, not before the last packet; bytes: its size; window:
    /// how long a measurement lasts in ns, at least 1; floor: the least rate that matters in bit/s.
    void Count(int64_t now, uint32_t bytes, int64_t window, uint64_t floor)
    {
        const bool isSilent = 8e9 * static_cast<double>(m_latestBytes) <
                              static_cast<double>(floor) * static_cast<double>(now - m_latest);
        if (isSilent && m_latest > m_start)
        {
            Finish(m_bytes - m_latestBytes, m_latest - m_start);
        }
        else if (m_bytes > 0 && now - m_start >= window)
        {
            Finish(m_bytes, now - m_start);
        }
        if (m_bytes == 0)
        {
            m_start = now;
        }
        m_bytes += bytes;
        m_latest = now;
        m_latestBytes = bytes;
    }

    /// @return the rate in bit/s, 0 if it is not known yet
    uint64_t GetRate() const
    {
        return std::max(m_last, m_before);
    }

  private:
    /// Finish a measurement. time: the duration of the measurement in ns, above 0.
    void Finish(uint64_t bytes, int64_t time)
    {
        m_before = m_last;
        m_last =
            std::max<uint64_t>(MultiplyDivide(bytes, 8'000'000'000, static_cast<uint64_t>(time)),
                               1);
        m_bytes = 0;
    }

    int64_t m_start{0};        //!< time of the first packet of the measurement
    uint64_t m_bytes{0};       //!< bytes since then, with this packet
    int64_t m_latest{0};       //!< time of the latest packet
    uint32_t m_latestBytes{0}; //!< its size
    uint64_t m_last{0};        //!< the last measurement in bit/s, 0 if there is none
    uint64_t m_before{0};      //!< the one before
};

/// The rate of a flow at the edge of a WAN: the measured rate (EdgeRateMeter) and the allowed
/// rate (EdgeRateLaw).
///
/// The rate is measured from the first notification of the flow on. A step before the first
/// measurement waits for it. If the flow sends more than a packet in the time of two measurements,
/// its rate is known by then; otherwise the step is dropped. Of several waiting steps, only the
/// largest one counts.
///
/// There are no events: each call gives the time in ns, which never goes back.
class EdgeFlowRate
{
  public:
    /// The settings.
    using Settings = EdgeRateLaw::Settings;

    /// Note a notification: lower the rate, or have a step wait.
    /// @param settings the settings
    /// @param now the time
    /// @param step the part of its rate that the flow loses, 0 for none
    /// @param feedback the feedback delay
    /// @return whether the rate was lowered
    bool Notify(const Settings& settings, int64_t now, double step, int64_t feedback);

    /// Take an explicit rate: a router's, or the rate with which new flows of the tunnel begin.
    /// @return whether the rate was lowered
    bool SetExplicitRate(const Settings& settings,
                         int64_t now,
                         const EdgeRateLaw::ExplicitRate& rate)
    {
        m_lastNotified = now;
        m_step.reset();
        return m_law.SetExplicitRate(settings, now, rate, m_meter.GetRate());
    }

    /// Count a packet, and do a waiting step if the rate is known now. bytes: the size of the
    /// packet. @return whether the rate was lowered
    bool Count(const Settings& settings, int64_t now, uint32_t bytes);

    /// Let the rate recover. The result does not depend on how often this is called. isWaiting:
    /// whether packets of the flow wait for their turn.
    void Update(const Settings& settings, int64_t now, bool isWaiting)
    {
        m_law.Update(settings, now, m_meter.GetRate(), isWaiting);
    }

    /// Stop limiting the flow.
    void Release()
    {
        m_law = EdgeRateLaw();
    }

    /// @return the allowed rate of the flow in bit/s, or EdgeRateLaw::UNLIMITED
    uint64_t Get() const
    {
        return m_law.GetRate();
    }

    /// Tell whether the flow no longer differs from a flow without notifications.
    bool IsIdle(const Settings& settings, int64_t now) const;

  private:
    /// A step that waits for the first measurement.
    struct Step
    {
        double size;      //!< the part by which the rate is lowered
        int64_t feedback; //!< the feedback delay
        int64_t end;      //!< until when it waits
    };

    EdgeRateMeter m_meter;      //!< measures the rate
    EdgeRateLaw m_law;          //!< the rate that is allowed
    std::optional<Step> m_step; //!< the step that waits
    int64_t m_lastNotified{0};  //!< time of the flow's last notification
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_FLOW_H
