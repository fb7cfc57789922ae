/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NOTIFICATION_SENDER_H
#define AIDC_NOTIFICATION_SENDER_H

#include "congestion-notifier-statistics.h"

#include "ns3/address-domain.h"
#include "ns3/congestion-notification.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/notification-key.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/queue-item.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Sends notifications of congestion to ingress PEs by UDP: what a CongestionNotifier and a
 *        CongestionMonitor have in common.
 */
class NotificationSender : public Object
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    NotificationSender();
    ~NotificationSender() override;

    /**
     * @brief Begin to send.
     *
     * It is an error if the node has no IPv4 address, or not the one that is set.
     *
     * @param node the sender
     */
    void Open(Ptr<Node> node);

    /// End to send.
    void Close();

    /**
     * @brief Get the address that notifications come from.
     * @return the address, from Open() on
     */
    Ipv4Address GetAddress() const;

    /**
     * @brief Find whom to notify of a marked packet, and of which flow; if there is nobody, count
     *        why.
     * @param item the packet
     * @param [out] notification takes the flow and the ends of its tunnel
     * @param [in,out] statistics counts
     * @return whether there is somebody
     */
    bool FindReceiver(const QueueDiscItem& item,
                      CongestionNotification& notification,
                      CongestionNotifierStatistics& statistics) const;

    /**
     * @brief Sign a notification and send it.
     * @param notification the notification, of which the ingress PE gets it; its kind of
     *        authentication is set here
     * @param [in,out] statistics counts
     */
    void Send(CongestionNotification notification, CongestionNotifierStatistics& statistics);

    /**
     * @brief TracedCallback signature for a notification that was sent.
     * @param [in] notification the notification
     * @param [in] ingress the ingress PE
     */
    typedef void (*SentTracedCallback)(const CongestionNotification& notification,
                                       Ipv4Address ingress);

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Send a datagram.
     * @param packet its payload
     * @param ingress where to
     * @return whether there is a route
     */
    bool SendDatagram(const Ptr<Packet>& packet, Ipv4Address ingress);

    /**
     * @brief Set the key.
     * @param text the key in hexadecimal digits
     * @return false if it is none
     */
    bool SetKey(const std::string& text);

    /**
     * @brief Get the key.
     * @return hexadecimal digits
     */
    std::string GetKey() const;

    /**
     * @brief Set the domain.
     * @param text prefixes
     * @return false if they are none
     */
    bool SetDomain(const std::string& text);

    /**
     * @brief Get the domain.
     * @return prefixes
     */
    std::string GetDomain() const;

    Ipv4Address m_address;  //!< attribute Address, or what was found
    uint16_t m_port{0};     //!< attribute Port
    uint8_t m_dscp{0};      //!< attribute Dscp
    NotificationKey m_key;  //!< attribute Key
    AddressDomain m_domain; //!< attribute Domain
    Ptr<Ipv4> m_ipv4;       //!< of the node
    Ptr<Socket> m_socket;   //!< where notifications go out
    TracedCallback<const CongestionNotification&, Ipv4Address> m_sentTrace; //!< trace Sent
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_SENDER_H
