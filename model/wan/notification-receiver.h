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
#include "ns3/notification-key.h"
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
/// What has become of the notifications that have come: each is accepted or counted as one of the
/// refusals.
struct NotificationReceiverStatistics
{
    uint64_t light{0};          //!< notifications of light congestion that were accepted
    uint64_t severe{0};         //!< notifications of severe congestion that were accepted
    uint64_t offDomain{0};      //!< refused: not from the domain
    uint64_t otherDevice{0};    //!< refused: of another device than its sender
    uint64_t otherReceiver{0};  //!< refused: for another PE
    uint64_t malformed{0};      //!< refused: not a notification
    uint64_t unauthentic{0};    //!< refused: without the hash of the key, or with one without key
    uint64_t early{0};          //!< refused: of a time to come
    uint64_t stale{0};          //!< refused: too old
    uint64_t replayed{0};       //!< refused: the number has come before, or is far behind
    uint64_t tooManyDevices{0}; //!< refused: no room for the numbers of another device
    uint64_t unknownFlow{0};    //!< refused: of a flow that this PE does not send into a tunnel
    uint64_t tooManyFlows{0};   //!< refused: no room for the state of another flow
};

/// @ingroup aidc
/// Takes notifications of congestion by UDP, and passes on those that come from the domain, are
/// authentic and new, and are for this PE: the counterpart of NotificationSender.
class NotificationReceiver
{
  public:
    /// Why a notification was refused.
    enum Refusal
    {
        OFF_DOMAIN,       //!< sender or device are not of the domain
        OTHER_DEVICE,     //!< it is of another device than its sender, which is no monitor
        OTHER_RECEIVER,   //!< it is for another PE
        MALFORMED,        //!< it is no notification
        UNAUTHENTIC,      //!< the key gives another hash
        EARLY,            //!< it is of a time to come
        STALE,            //!< it is too old
        REPLAYED,         //!< its number has come before, or is far behind
        TOO_MANY_DEVICES, //!< there is no room for the numbers of another device
        UNKNOWN_FLOW,     //!< this PE does not send the flow into a tunnel
        TOO_MANY_FLOWS    //!< there is no room for the state of another flow
    };

    /// The settings of a receiver.
    struct Settings
    {
        uint16_t port{CONGESTION_NOTIFICATION_PORT}; //!< the UDP port
        NotificationKey key;                         //!< the key, if there is one
        AddressDomain domain;                        //!< senders and devices
        AddressDomain monitors; //!< senders that may name other devices; all addresses mean none
        Time maxAge;            //!< the age from which on notifications are refused, 0 for never
        uint32_t maxDevices{1}; //!< how many devices may notify at a time
    };

    /// The PE that the notifications are for.
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /// React to a notification that may be believed.
        /// @param notification the notification
        /// @param now the time in ns
        /// @return why it cannot be accepted, if it cannot
        virtual std::optional<Refusal> React(const CongestionNotification& notification,
                                             int64_t now) = 0;

        /// A notification was accepted or refused, and counted.
        /// @param notification the notification, as far as it was decoded
        /// @param refusal why it was refused, if it was
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
    /// @param ingress an address that tunnels of this PE begin at
    void AddIngress(Ipv4Address ingress)
    {
        m_ingresses.push_back(ingress.Get());
    }

    /// Take a notification, as if it had come by UDP.
    /// @param bytes the payload of the datagram; may be null if length is 0
    /// @param length its length
    /// @param from its sender
    void Receive(const uint8_t* bytes, std::size_t length, const Address& from);

    /// @return what has been counted
    const NotificationReceiverStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    /// Take the datagrams that wait.
    /// @param socket the socket
    void ReceiveFrom(Ptr<Socket> socket);

    /**
     * @brief Check whether a notification is to be believed.
     * @param bytes the payload of the datagram
     * @param length its length
     * @param from its sender
     * @param now the time in ns
     * @param [out] notification the notification
     * @return why not, if it is not
     */
    std::optional<Refusal> Check(const uint8_t* bytes,
                                 std::size_t length,
                                 const Address& from,
                                 int64_t now,
                                 CongestionNotification& notification);

    Listener& m_listener;                        //!< the PE
    const Settings& m_settings;                  //!< the settings
    std::vector<uint32_t> m_ingresses;           //!< the addresses that tunnels begin at
    ReplayWindows m_windows;                     //!< the numbers that have come
    Ptr<Socket> m_socket;                        //!< the socket
    NotificationReceiverStatistics m_statistics; //!< what has been counted
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_RECEIVER_H
