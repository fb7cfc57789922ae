// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MESSAGE_ENDPOINT_H
#define AIDC_MESSAGE_ENDPOINT_H

#include "ns3/callback.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Sends and takes whole messages at a host, for one rank of a group.
///
/// Callbacks are called in events of this host's node. An event of a node must not touch another
/// node's endpoint: in time windows, the time of the other node may be ahead or behind.
class MessageEndpoint : public Object
{
  public:
    /// Takes a message that has arrived: the rank that sent it, its bytes and its tag.
    using Receiver = Callback<void, uint32_t, uint64_t, uint32_t>;

    /// Called if messages to a rank will not arrive: the rank, and the reason.
    using FailureSink = Callback<void, uint32_t, const std::string&>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Send a message. Messages to a rank are delivered once each, in order.
    /// @param peer the rank of the receiver, not this one
    /// @param nBytes the size of the message, from 0 on
    /// @param tag identifies the message to the receiver
    /// @param done called when the whole message has been acknowledged; may be null
    virtual void Send(uint32_t peer, uint64_t nBytes, uint32_t tag, Callback<void> done) = 0;

    /// Send a message that a scale-up switch adds up with others, or copies to several ranks, so
    /// that its ports carry other bytes of it. Without such a switch, it is sent as it is.
    /// @param peer the rank of the receiver, not this one
    /// @param nBytes the size of the message, of which the receiver is told
    /// @param egress the bytes that this rank's port to the switch carries, above 0
    /// @param ingress the bytes that the receiver's port carries, above 0
    /// @param tag identifies the message to the receiver
    /// @param done called when the whole message has been acknowledged; may be null
    virtual void SendBySwitch(uint32_t peer,
                              uint64_t nBytes,
                              uint64_t egress,
                              uint64_t ingress,
                              uint32_t tag,
                              Callback<void> done);

    /// @param receiver called when the last byte of a message has arrived
    virtual void SetReceiver(Receiver receiver) = 0;

    /// Get how much congestion controls let this rank send, so that a change of their state shows.
    /// @param peer the rank of a receiver
    /// @return the sum over the queue pairs to it: of each the window in bytes or, if it has none,
    ///         the rate in bit/s; 0 if nothing controls them
    virtual uint64_t GetPace([[maybe_unused]] uint32_t peer) const
    {
        return 0;
    }

    /// What a connection to a rank has still to do, in bytes of packets, as if all were full.
    struct Backlog
    {
        uint64_t unsent{0};         //!< of packets that were never sent
        uint64_t unacknowledged{0}; //!< of these, and of packets that were not acknowledged
    };

    /// @param peer the rank of a receiver
    /// @return by connection to it; empty if this is not known
    virtual std::vector<Backlog> GetBacklog([[maybe_unused]] uint32_t peer) const
    {
        return {};
    }

    /// Shorten the newest messages to a rank on one of the connections, by whole packets that were
    /// never sent. The receiver gets shorter messages.
    /// @param peer the rank of the receiver
    /// @param connection its place in GetBacklog()
    /// @param nBytes by how much at most
    /// @return by how much
    virtual uint64_t Shorten([[maybe_unused]] uint32_t peer,
                             [[maybe_unused]] std::size_t connection,
                             [[maybe_unused]] uint64_t nBytes)
    {
        return 0;
    }

    /// @param sink called for each message that could not be sent; null for nobody
    void SetFailureSink(FailureSink sink)
    {
        m_failureSink = sink;
    }

  protected:
    void DoDispose() override;

    /// @param peer the rank that the message was for
    /// @param cause why it could not be sent
    void NotifyFailure(uint32_t peer, const std::string& cause) const;

  private:
    FailureSink m_failureSink; //!< called if a message could not be sent
};

} // namespace ns3::aidc

#endif // AIDC_MESSAGE_ENDPOINT_H
