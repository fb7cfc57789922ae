/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DOMAIN_MESSAGE_RECEIVER_H
#define AIDC_DOMAIN_MESSAGE_RECEIVER_H

#include "../core/pre-ecn/domain-message-guard.h"

#include "ns3/address.h"
#include "ns3/domain-message.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The counters of received messages. Each message is accepted or counted as one of the refusals.
struct DomainMessageReceiverStatistics
{
    uint64_t accepted{0};       //!< messages that were accepted
    uint64_t rates{0};          //!< of these, notifications of a rate only
    uint64_t light{0};          //!< of these, notifications of light congestion
    uint64_t severe{0};         //!< of these, notifications of severe congestion
    uint64_t offDomain{0};      //!< refused: not from the domain
    uint64_t otherDevice{0};    //!< refused: about another device than its sender
    uint64_t otherReceiver{0};  //!< refused: for another PE
    uint64_t malformed{0};      //!< refused: not a message of the kind that is expected
    uint64_t unauthentic{0};    //!< refused: its authentication does not match the key
    uint64_t unknownKey{0};     //!< refused: signed with a key that is unknown or revoked
    uint64_t early{0};          //!< refused: of a future time
    uint64_t stale{0};          //!< refused: too old
    uint64_t replayed{0};       //!< refused: a number received before, or far behind
    uint64_t tooManyDevices{0}; //!< refused: no room for the numbers of another device
    uint64_t unknownFlow{0};    //!< refused: a flow that this PE does not send into a tunnel
    uint64_t tooManyFlows{0};   //!< refused: no room for the state of another flow
    uint64_t unknownLink{0};    //!< refused: a link that no path of this PE leads over
};

/// Receives messages with one kind of record by UDP, and delivers those that DomainMessageGuard
/// believes. It is the counterpart of DomainMessageSender.
class DomainMessageReceiver
{
  public:
    using Refusal = DomainMessageGuard::Refusal;   //!< the reasons for refusing a message
    using Settings = DomainMessageGuard::Settings; //!< what is believed

    /// The PE that the messages are for.
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /// React to a verified message, which has the record. now: the time in ns. @return the
        /// reason if it cannot be accepted
        virtual std::optional<Refusal> React(const AnyDomainMessage& message, int64_t now) = 0;

        /// A message was accepted, and counted.
        virtual void NotifyAccepted(const AnyDomainMessage& message) = 0;

        /// A message was refused, and counted. from: its sender.
        virtual void NotifyRefused(Refusal refusal, const Address& from) = 0;
    };

    /// Constructor. listener: the PE; settings: the settings, which may change at any time; record:
    /// the record of the messages that are received.
    DomainMessageReceiver(Listener& listener, const Settings& settings, DomainMessageRecord record);

    /// Start receiving. It is an error if the port is not free. node: the PE; port: the UDP port.
    void Open(Ptr<Node> node, uint16_t port);

    /// Stop receiving.
    void Close();

    /// Accept messages for an address. @param ingress an address where tunnels of this PE begin
    void AddIngress(Ipv4Address ingress)
    {
        m_guard.AddIngress(ingress.Get());
    }

    /// Handle a message, as if it had arrived by UDP. bytes: the payload of the datagram; may be
    /// null if length is 0; from: its sender.
    void Receive(const uint8_t* bytes, std::size_t length, const Address& from);

    /// @return the statistics
    const DomainMessageReceiverStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    /// Receive the waiting datagrams.
    void ReceiveFrom(Ptr<Socket> socket);

    /// Verify a message. now: the time in ns. @return the reason if it is refused
    std::optional<Refusal> Check(const uint8_t* bytes,
                                 std::size_t length,
                                 const Address& from,
                                 int64_t now,
                                 AnyDomainMessage& message);

    /// Count a message that was accepted.
    void CountAccepted(const AnyDomainMessage& message);

    Listener& m_listener;                         //!< the PE
    const Settings& m_settings;                   //!< the settings
    DomainMessageRecord m_record;                 //!< the record of the messages
    DomainMessageGuard m_guard;                   //!< decides what is believed
    Ptr<Socket> m_socket;                         //!< the socket
    DomainMessageReceiverStatistics m_statistics; //!< the statistics
};

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_RECEIVER_H
