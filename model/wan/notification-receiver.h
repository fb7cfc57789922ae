/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NOTIFICATION_RECEIVER_H
#define AIDC_NOTIFICATION_RECEIVER_H

#include "../core/wan/address-domain.h"
#include "../core/wan/replay-window.h"

#include "ns3/address.h"
#include "ns3/congestion-notification.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/notification-keys.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// The counters of received notifications. Each notification is accepted or counted as one of the
/// refusals.
struct NotificationReceiverStatistics
{
    uint64_t rates{0};          //!< notifications of a rate only that were accepted
    uint64_t light{0};          //!< notifications of light congestion that were accepted
    uint64_t severe{0};         //!< notifications of severe congestion that were accepted
    uint64_t offDomain{0};      //!< refused: not from the domain
    uint64_t otherDevice{0};    //!< refused: about another device than its sender
    uint64_t otherReceiver{0};  //!< refused: for another PE
    uint64_t malformed{0};      //!< refused: not a notification
    uint64_t unauthentic{0};    //!< refused: its authentication does not match the key
    uint64_t unknownKey{0};     //!< refused: signed with a key that is unknown or revoked
    uint64_t early{0};          //!< refused: of a future time
    uint64_t stale{0};          //!< refused: too old
    uint64_t replayed{0};       //!< refused: a number received before, or far behind
    uint64_t tooManyDevices{0}; //!< refused: no room for the numbers of another device
    uint64_t unknownFlow{0};    //!< refused: a flow that this PE does not send into a tunnel
    uint64_t tooManyFlows{0};   //!< refused: no room for the state of another flow
};

/// @ingroup aidc
/// Receives notifications of congestion by UDP, and delivers those that come from the domain, are
/// authentic and new, and are for this PE. It is the counterpart of NotificationSender.
class NotificationReceiver
{
  public:
    /// The reasons for refusing a notification.
    enum Refusal
    {
        OFF_DOMAIN,       //!< sender or device is outside the domain
        OTHER_DEVICE,     //!< it is about another device than its sender, which is no monitor
        OTHER_RECEIVER,   //!< it is for another PE
        MALFORMED,        //!< it is no notification
        UNAUTHENTIC,      //!< its authentication does not match the key
        UNKNOWN_KEY,      //!< it is signed with a key that is unknown or revoked
        EARLY,            //!< its time is in the future
        STALE,            //!< it is too old
        REPLAYED,         //!< its number was received before, or is far behind
        TOO_MANY_DEVICES, //!< there is no room for the numbers of another device
        UNKNOWN_FLOW,     //!< this PE does not send the flow into a tunnel
        TOO_MANY_FLOWS    //!< there is no room for the state of another flow
    };

    /// The settings of a receiver.
    struct Settings
    {
        uint16_t port{CONGESTION_NOTIFICATION_PORT}; //!< the UDP port
        NotificationKeys keys;                       //!< the keys, if there are any
        AddressDomain domain;                        //!< senders and devices
        AddressDomain monitors; //!< senders that may name other devices; all addresses mean none
        Time maxAge;            //!< the least age of notifications that are refused, 0 for never
        uint32_t maxDevices{1}; //!< how many devices may notify at a time
    };

    /// The PE that the notifications are for.
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /// React to a verified notification.
        /// @param notification the notification
        /// @param now the time in ns
        /// @return the reason if it cannot be accepted
        virtual std::optional<Refusal> React(const CongestionNotification& notification,
                                             int64_t now) = 0;

        /// A notification was accepted or refused, and counted.
        /// @param notification the notification, as far as it was decoded
        /// @param refusal the reason if it was refused
        /// @param from its sender
        virtual void NotifyVerdict(const CongestionNotification& notification,
                                   std::optional<Refusal> refusal,
                                   const Address& from) = 0;
    };

    /// Constructor.
    /// @param listener the PE
    /// @param settings the settings, which may change at any time; the port is read by Open()
    NotificationReceiver(Listener& listener, const Settings& settings);

    /// Start receiving. It is an error if the port is not free.
    /// @param node the PE
    void Open(Ptr<Node> node);

    /// Stop receiving.
    void Close();

    /// Accept notifications for an address.
    /// @param ingress an address where tunnels of this PE begin
    void AddIngress(Ipv4Address ingress)
    {
        m_ingresses.push_back(ingress.Get());
    }

    /// Handle a notification, as if it had arrived by UDP.
    /// @param bytes the payload of the datagram; may be null if length is 0
    /// @param length its length
    /// @param from its sender
    void Receive(const uint8_t* bytes, std::size_t length, const Address& from);

    /// @return the statistics
    const NotificationReceiverStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    /// Receive the waiting datagrams.
    /// @param socket the socket
    void ReceiveFrom(Ptr<Socket> socket);

    /**
     * @brief Verify a notification.
     * @param bytes the payload of the datagram
     * @param length its length
     * @param from its sender
     * @param now the time in ns
     * @param [out] notification the notification
     * @return the reason if it is refused
     */
    std::optional<Refusal> Check(const uint8_t* bytes,
                                 std::size_t length,
                                 const Address& from,
                                 int64_t now,
                                 CongestionNotification& notification);

    Listener& m_listener;                        //!< the PE
    const Settings& m_settings;                  //!< the settings
    std::vector<uint32_t> m_ingresses;           //!< the addresses where tunnels begin
    ReplayWindows m_windows;                     //!< the numbers that were received
    Ptr<Socket> m_socket;                        //!< the socket
    NotificationReceiverStatistics m_statistics; //!< the statistics
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_RECEIVER_H
