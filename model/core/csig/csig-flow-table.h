/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FLOW_TABLE_H
#define AIDC_CSIG_FLOW_TABLE_H

#include "csig-negotiation.h"
#include "csig-reflector.h"
#include "csig-requester.h"
#include "csig-sent-segments.h"
#include "csig-signal.h"

#include "ns3/flow-key.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// What a host remembers of a flow: it is the sender of one direction and the receiver of the other
/// one (section 4.4.4 of draft-ravi-ippm-csig-01).
struct CsigFlow
{
    CsigNegotiation negotiation; //!< whether both ends use CSIG; TCP only
    CsigRequester requester;     //!< of what this host sends
    CsigSentSegments sent;       //!< what it has sent so far; TCP only
    CsigReflector reflector;     //!< of what it receives
    /// By signal, the average of what has come back, in the signal's unit (section 5.3.2).
    std::array<std::optional<double>, CSIG_SIGNALS> averages{};

    /// Forget what an earlier connection was: its positions, and what came back of it.
    void RestartSending()
    {
        requester.Restart();
        sent.Restart();
        averages = {};
    }
};

/**
 * @ingroup aidc
 * @brief The flows of a host, as many as there is room for.
 *
 * A new flow takes the room of one that has been silent for long, and if there is none, that of the
 * one that has been silent longest. A TCP connection that is forgotten goes on without CSIG.
 */
class CsigFlowTable
{
  public:
    /// Limit the table.
    /// @param maxFlows the most flows, at least 1
    /// @param timeout after which silence a flow may be forgotten, ns
    void SetLimits(std::size_t maxFlows, int64_t timeout);

    /// Find a flow, which breaks its silence.
    /// @param key the flow
    /// @param now the time, ns
    /// @return the flow; null if it is not there. Valid until the next Add or Clear
    CsigFlow* Find(const FlowKey& key, int64_t now);

    /// Find a flow without breaking its silence.
    /// @param key the flow
    /// @return the flow; null if it is not there
    const CsigFlow* Peek(const FlowKey& key) const;

    /// Find a flow or add it.
    /// @param key the flow
    /// @param now the time, ns
    /// @return the flow. Valid until the next Add or Clear
    CsigFlow& Add(const FlowKey& key, int64_t now);

    /// Forget all flows.
    void Clear();

    /// @return the keys of all flows, in their order
    std::vector<FlowKey> GetKeys() const;

    /// @return the number of flows
    std::size_t GetSize() const
    {
        return m_entries.size();
    }

  private:
    /// A flow in the table.
    struct Entry
    {
        FlowKey key;         //!< which one
        int64_t lastTime{0}; //!< when it was last heard of, ns
        CsigFlow flow;       //!< what is known of it
    };

    /// Forget the flow that has been silent longest.
    void RemoveOldest();

    std::size_t m_maxFlows{65536};     //!< the most flows
    int64_t m_timeout{60'000'000'000}; //!< the silence, ns
    std::list<Entry> m_entries;        //!< the newest first
    std::unordered_map<FlowKey, std::list<Entry>::iterator, FlowKeyHash> m_index; //!< by key
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_FLOW_TABLE_H
