// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NOTIFICATION_SENDER_H
#define AIDC_NOTIFICATION_SENDER_H

#include "../core/pre-ecn/domain-message-guard.h"
#include "domain-message-socket.h"

#include "ns3/domain-message.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/queue-item.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/// The outcomes of the marks that a CongestionNotifier or a CongestionMonitor has seen.
///
/// Each mark counts once; overBudget also counts notifications without a mark. A CongestionMonitor
/// makes one notification of all marks of a flow in an interval: the other marks count as
/// suppressed.
struct CongestionNotifierStatistics
{
    uint64_t rates{0};       //!< notifications of a rate only that were sent, without a mark
    uint64_t light{0};       //!< notifications of light congestion that were sent
    uint64_t severe{0};      //!< notifications of severe congestion that were sent
    uint64_t suppressed{0};  //!< marks of flows with a notification in the interval
    uint64_t full{0};        //!< marks of flows for which there is no room
    uint64_t overBudget{0};  //!< notifications that MaxRate did not let through
    uint64_t notTunneled{0}; //!< marks of packets that no ingress PE has encapsulated
    uint64_t malformed{0};   //!< marks of packets whose inner headers cannot be read
    uint64_t offDomain{0};   //!< marks of packets whose outer source is outside the domain
    uint64_t failed{0};      //!< notifications that could not be sent: there is no route
};

/// Sends notifications of congestion to ingress PEs by UDP, for a CongestionNotifier or a
/// CongestionMonitor.
class NotificationSender : public Object, private DomainMessageSender
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    NotificationSender();

    /// Start sending.
    ///
    /// It is an error if the node has no IPv4 address, or does not have the one that is set.
    /// @param node the sender
    void Open(Ptr<Node> node);

    using DomainMessageSender::Close;
    using DomainMessageSender::GetAddress;

    /// Find the ingress PE and the flow of a marked packet. If there is none, count the reason.
    /// @param item the packet
    /// @param [out] notification takes the flow and the ends of its tunnel
    /// @param [in,out] statistics counts
    /// @param [out] innerBytes if not null, and there is one, the bytes inside of the tunnel
    /// @return whether there is an ingress PE to notify
    bool FindReceiver(const QueueDiscItem& item,
                      CongestionNotification& notification,
                      CongestionNotifierStatistics& statistics,
                      uint32_t* innerBytes = nullptr) const;

    /// Sign a notification and send it.
    /// @param notification the notification, which is sent to its ingress PE; its kind of
    ///        authentication is set here
    /// @param [in,out] statistics counts
    void Send(CongestionNotification notification, CongestionNotifierStatistics& statistics);

    /// TracedCallback signature for a notification that was sent.
    /// @param [in] notification the notification
    /// @param [in] ingress the ingress PE
    typedef void (*SentTracedCallback)(const CongestionNotification& notification,
                                       Ipv4Address ingress);

  protected:
    void DoDispose() override;

  private:
    friend class DomainMessageSender;

    /// The settings that are parsed from texts.
    struct Settings
    {
        AddressDomain domain; //!< attribute Domain
    };

    Settings m_domainSettings; //!< the other attributes
    TracedCallback<const CongestionNotification&, Ipv4Address> m_sentTrace; //!< trace Sent
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_SENDER_H
