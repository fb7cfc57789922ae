/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_FLOW_TABLE_H
#define AIDC_EDGE_FLOW_TABLE_H

#include "ns3/flow-key.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <unordered_map>
#include <utility>

namespace ns3::aidc
{

/**
 * @brief The flows whose state the edge of a WAN keeps, up to a limit.
 *
 * Only flows of notifications are in the table. If it is full, a new flow replaces the flow that
 * has been silent longest, among the flows that may be forgotten. A flow is silent while there are
 * neither packets nor notifications of it. A look-up allocates nothing.
 *
 * @tparam T the state of a flow; its address does not change until the flow is forgotten
 */
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

    /// Forget a flow. @return the place after it
    Place Forget(Place flow)
    {
        m_index.erase(flow->key);
        return m_flows.erase(flow);
    }

    /// Forget the flow that has been silent longest. @param mayForget returns whether a flow may be
    /// forgotten. @return whether there was one
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

} // namespace ns3::aidc

#endif // AIDC_EDGE_FLOW_TABLE_H
