// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LINK_LOAD_REPORTER_H
#define AIDC_LINK_LOAD_REPORTER_H

#include "domain-message-socket.h"

#include "ns3/domain-message.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The counters of a router's reports.
struct LinkLoadReporterStatistics
{
    uint64_t sent{0};   //!< reports that were sent
    uint64_t failed{0}; //!< reports that could not be sent: there is no route
};

/// Reports the load of a router's links to ingress PEs, whose PathShareControllers steer by it.
///
/// At multiples of Interval it reports the traffic that has arrived for a link in the last
/// MeasureTime: frames sent, the growth of the root queue disc and its drops. MeasureTime is
/// shorter than Interval, so that a measurement begins when the PEs' decisions by the last report
/// have taken effect. All routers of a domain measure at the same times.
///
/// Reports go by UDP, in the class of network control. A PE gets reports of its own links at once.
///
/// It has events until the simulation is stopped.
class LinkLoadReporter : public Object, private DomainMessageSender
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    LinkLoadReporter();

    /// Report the load of a node's links. Aggregates this to the node.
    /// @param node the router, with its protocol stack
    void Install(Ptr<Node> node);

    /// Report the load of a link to a PE. A second time for the same link and PE has no effect.
    /// @param port the port of this router that sends into the link
    /// @param ingress the address of the PE
    void Add(Ptr<EthernetNetDevice> port, Ipv4Address ingress);

    /// @return the statistics
    const LinkLoadReporterStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// TracedCallback signature for a report that was sent.
    /// @param [in] report the report
    typedef void (*SentTracedCallback)(const LinkLoadReport& report);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    friend class DomainMessageSender;

    /// A link whose load is reported.
    struct Link
    {
        Ptr<EthernetNetDevice> port;        //!< the port
        std::vector<Ipv4Address> ingresses; //!< who gets the reports
        uint64_t octets{0};                 //!< octets that have arrived before the measurement
    };

    void Begin();

    /// End the measurement and report.
    void End();

    void Schedule();

    /// Count the arrivals for a link. @return octets as on the wire, sent, waiting or dropped
    static uint64_t CountArrived(EthernetNetDevice& port);

    Time m_interval;                                   //!< attribute Interval
    Time m_measureTime;                                //!< attribute MeasureTime
    Time m_begin;                                      //!< when the measurement has begun
    Ptr<Node> m_node;                                  //!< the router
    std::vector<Link> m_links;                         //!< the links
    uint64_t m_sequence{0};                            //!< the number of the last report
    EventId m_event;                                   //!< the next measurement or its end
    LinkLoadReporterStatistics m_statistics;           //!< the statistics
    TracedCallback<const LinkLoadReport&> m_sentTrace; //!< trace Sent
};

} // namespace ns3::aidc

#endif // AIDC_LINK_LOAD_REPORTER_H
