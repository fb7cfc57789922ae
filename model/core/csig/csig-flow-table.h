// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_FLOW_TABLE_H
#define AIDC_CSIG_FLOW_TABLE_H

#include "csig-reflection.h"
#include "csig-requester.h"
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

/// The handshake by which the two ends of a connection agree on CSIG. Section 6.3.3 of
/// draft-ravi-ippm-csig-01 asks for one, and leaves it open: a SYN with the option offers CSIG, a
/// SYN/ACK with the option accepts. Either can be sent several times. After maxOffers SYNs without
/// an answer, a SYN has no option, in case a device on the path drops packets with unknown options.
class CsigNegotiation
{
  public:
    /// Count a SYN without ACK that leaves. maxOffers: how many of a connection's SYNs carry the
    /// option at most. @return whether it carries it
    bool SendSyn(uint32_t maxOffers);

    /// Handle the peer's SYN without ACK. hasOption: whether it carries the option.
    void ReceiveSyn(bool hasOption);

    /// @return whether a SYN with ACK has to carry the option
    bool SendSynAck();

    /// Handle the peer's SYN with ACK. hasOption: whether it carries the option.
    void ReceiveSynAck(bool hasOption);

    /// @return whether both ends use CSIG: tags and reflections may be sent
    bool IsAgreed() const
    {
        return m_isAgreed;
    }

  private:
    uint32_t m_offers{0};     //!< SYNs of this connection that carried the option
    bool m_isAnswered{false}; //!< whether a SYN was answered: the next SYN is a new connection's
    bool m_peerOffers{false}; //!< whether the peer's SYN carried the option
    bool m_isAgreed{false};   //!< whether both ends use CSIG
};

/// Tells which TCP segments of a connection repeat earlier ones. These must be sent without a tag,
/// in case a device drops tagged packets (section 6.2.1 of draft-ravi-ippm-csig-01).
class CsigSentSegments
{
  public:
    /// Forget everything: a new connection begins.
    void Restart()
    {
        m_isKnown = false;
    }

    /// Note a segment that leaves. size: bytes of data. @return whether some of its data
    /// was sent before or, if it has none, its acknowledgment
    bool Note(uint32_t sequence, uint32_t size, uint32_t acknowledgment);

  private:
    bool m_isKnown{false};        //!< whether there was a segment
    uint32_t m_end{0};            //!< the sequence number after all data that was sent
    uint32_t m_acknowledgment{0}; //!< the highest acknowledgment number that was sent
};

/// The state of a flow at a host, which is the sender of one direction and the receiver of the
/// other one (section 4.4.4 of draft-ravi-ippm-csig-01).
struct CsigFlow
{
    CsigNegotiation negotiation; //!< whether both ends use CSIG; TCP only
    CsigRequester requester;     //!< of the packets that this host sends
    CsigSentSegments sent;       //!< the segments sent so far; TCP only
    CsigReflector reflector;     //!< of the packets that it receives
    /// By signal, the average of the reflections, in the signal's unit (section 5.3.2).
    std::array<std::optional<double>, CSIG_SIGNALS> averages{};

    /// Forget the positions and the reflections of an earlier connection.
    void RestartSending()
    {
        requester.Restart();
        sent.Restart();
        averages = {};
    }
};

/// The flows of a host, up to a limit. A new flow removes the flows whose timeout has passed. If
/// the table is still full, it replaces the flow that has been silent longest. A TCP connection
/// that is forgotten continues without CSIG.
class CsigFlowTable
{
  public:
    /// Limit the table. maxFlows: the most flows, at least 1; timeout: the silence after which a
    /// flow may be forgotten, ns.
    void SetLimits(std::size_t maxFlows, int64_t timeout);

    /// Find a flow, and end its silence. now: the time, ns. @return the flow; null if it is not
    /// there. Valid until the next Add or Clear
    CsigFlow* Find(const FlowKey& key, int64_t now);

    /// Find a flow without ending its silence. @return the flow; null if it is not there
    const CsigFlow* Peek(const FlowKey& key) const;

    /// Find a flow or add it. now: the time, ns. @return the flow. Valid until the next Add or
    /// Clear
    CsigFlow& Add(const FlowKey& key, int64_t now);

    /// Forget all flows.
    void Clear()
    {
        m_index.clear();
        m_entries.clear();
    }

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
        FlowKey key;         //!< the key of the flow
        int64_t lastTime{0}; //!< the end of its last silence, ns
        CsigFlow flow;       //!< its state
    };

    /// Forget the flow that has been silent longest.
    void RemoveOldest();

    std::size_t m_maxFlows{65536};     //!< the most flows
    int64_t m_timeout{60'000'000'000}; //!< the silence after which a flow may be forgotten, ns
    std::list<Entry> m_entries;        //!< the newest first
    std::unordered_map<FlowKey, std::list<Entry>::iterator, FlowKeyHash> m_index; //!< by key
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_FLOW_TABLE_H
