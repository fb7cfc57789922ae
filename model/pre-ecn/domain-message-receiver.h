/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DOMAIN_MESSAGE_RECEIVER_H
#define AIDC_DOMAIN_MESSAGE_RECEIVER_H

#include "../core/pre-ecn/domain-message-guard.h"

#include "ns3/address.h"
#include "ns3/congestion-notification.h"
#include "ns3/ipv4-address.h"
#include "ns3/link-load-report.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The counters of messages that a PE has refused, by reason.
struct DomainMessageReceiverStatistics
{
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

/// The counters of received notifications. Each notification is accepted or counted as one of the
/// refusals.
struct NotificationReceiverStatistics : DomainMessageReceiverStatistics
{
    uint64_t rates{0};  //!< notifications of a rate only that were accepted
    uint64_t light{0};  //!< notifications of light congestion that were accepted
    uint64_t severe{0}; //!< notifications of severe congestion that were accepted
};

/// The counters of received reports. Each report is accepted or counted as one of the refusals.
struct LinkLoadReceiverStatistics : DomainMessageReceiverStatistics
{
    uint64_t accepted{0}; //!< reports that were accepted
};

/// What DomainMessageReceiver has to know of notifications.
struct NotificationFormat
{
    using Message = CongestionNotification;            //!< a message
    using Statistics = NotificationReceiverStatistics; //!< its counters

    /// Read a message. bytes: the payload of a datagram; may be null if length is 0.
    /// @return whether it is one
    static bool Decode(const uint8_t* bytes, std::size_t length, Message& message);

    /// Count a message that was accepted. statistics: the counters.
    static void Count(const Message& message, Statistics& statistics);
};

/// What DomainMessageReceiver has to know of reports.
struct LinkLoadFormat
{
    using Message = LinkLoadReport;                //!< a message
    using Statistics = LinkLoadReceiverStatistics; //!< its counters

    /// @copydoc NotificationFormat::Decode
    static bool Decode(const uint8_t* bytes, std::size_t length, Message& message);

    /// @copydoc NotificationFormat::Count
    static void Count(const Message& message, Statistics& statistics);
};

/**
 * @brief Receives messages of one kind by UDP, and delivers those that DomainMessageGuard believes.
 *        It is the counterpart of DomainMessageSender.
 * @tparam Format NotificationFormat or LinkLoadFormat
 */
template <typename Format>
class DomainMessageReceiver
{
  public:
    using Message = typename Format::Message;      //!< a message
    using Refusal = DomainMessageGuard::Refusal;   //!< the reasons for refusing a message
    using Settings = DomainMessageGuard::Settings; //!< what is believed

    /// The PE that the messages are for.
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /// React to a verified message. now: the time in ns. @return the reason if it cannot be
        /// accepted
        virtual std::optional<Refusal> React(const Message& message, int64_t now) = 0;

        /// A message was accepted or refused, and counted. message: the message, as far as it was
        /// decoded; refusal: the reason if it was refused; from: its sender.
        virtual void NotifyVerdict(const Message& message,
                                   std::optional<Refusal> refusal,
                                   const Address& from) = 0;
    };

    /// Constructor. listener: the PE; settings: the settings, which may change at any time.
    DomainMessageReceiver(Listener& listener, const Settings& settings);

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
    const typename Format::Statistics& GetStatistics() const
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
                                 Message& message);

    Listener& m_listener;                     //!< the PE
    const Settings& m_settings;               //!< the settings
    DomainMessageGuard m_guard;               //!< decides what is believed
    Ptr<Socket> m_socket;                     //!< the socket
    typename Format::Statistics m_statistics; //!< the statistics
};

extern template class DomainMessageReceiver<NotificationFormat>;
extern template class DomainMessageReceiver<LinkLoadFormat>;

/// Receives notifications of congestion.
using NotificationReceiver = DomainMessageReceiver<NotificationFormat>;

/// Receives reports of link loads.
using LinkLoadReceiver = DomainMessageReceiver<LinkLoadFormat>;

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_RECEIVER_H
