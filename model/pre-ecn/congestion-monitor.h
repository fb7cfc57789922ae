// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CONGESTION_MONITOR_H
#define AIDC_CONGESTION_MONITOR_H

#include "../core/pre-ecn/notification-gate.h"
#include "notification-sender.h"
#include "pre-ecn-queue-disc.h"

#include "ns3/application.h"
#include "ns3/domain-message.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

/// A controller that watches routers and notifies ingress PEs for them (section 3.2.2
/// of draft-hu-rtgwg-pre-ecn-wan-01: "or a network controller monitoring it").
///
/// Each watched router samples the flows of packets that its PreEcnQueues mark. At multiples of
/// Interval it reports its samples since the last report: the average queues, and for each queue
/// and flow the most severe mark and its time. The report reaches the monitor after TelemetryDelay.
/// The monitor sends one notification for each flow and queue to the ingress PE, which it finds as
/// CongestionNotifier does, in the name of the router and with a sequence of numbers for each
/// router. So a router either has a CongestionNotifier or is watched by one CongestionMonitor.
///
/// A router without marks reports nothing and has no events. Marks and reports before StartTime and
/// from StopTime on are ignored.
///
/// Reports are not packets: they take time but no capacity, and are never lost. In time windows,
/// TelemetryDelay has to be longer than a window (TimeWindowHelper::GetWindow()). Routers and
/// monitor have to be in one process.
class CongestionMonitor : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionMonitor();

    /// Watch a router that has its queue discs. Call this before the simulation begins.
    /// @param router the router
    void Watch(Ptr<Node> router);

    /// @return the sender of notifications, with its attributes and its trace source Sent
    Ptr<NotificationSender> GetSender() const
    {
        return m_sender;
    }

    /// @return the statistics
    const CongestionNotifierStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// TracedCallback signature for a reading that has arrived.
    /// @param [in] device the router's address
    /// @param [in] port the port
    /// @param [in] queue the queue
    /// @param [in] average the average queue in bytes, as it was read
    typedef void (*ReadingTracedCallback)(Ipv4Address device,
                                          uint16_t port,
                                          uint8_t queue,
                                          double average);

  protected:
    void DoDispose() override;

  private:
    /// A flow at a queue: the number of the watched queue, and the flow's key.
    using SampleKey = std::tuple<std::size_t, FlowKey>;

    /// A router's sample of a flow at a queue.
    struct Sample
    {
        CongestionSeverity severity; //!< the most severe mark
        int64_t time;                //!< when it was made, in ns
        uint32_t ingress;            //!< the ingress PE
        uint32_t egress;             //!< the egress PE
    };

    /// A watched queue.
    struct Queue : PlacedPreEcnQueue
    {
        QueueTrend trend; //!< its trend, from reading to reading
    };

    /// A watched router. Only events of the router access it.
    struct Router
    {
        Ptr<Node> node;                      //!< the router
        std::vector<Queue> queues;           //!< its queues
        std::map<SampleKey, Sample> samples; //!< samples since the last reading
        uint64_t sequence{0};                //!< the last sequence number
    };

    /// A router's report on a queue.
    struct Reading
    {
        Ipv4Address device; //!< the router
        uint16_t port;      //!< the port
        uint8_t queue;      //!< the queue
        double average;     //!< the average queue in bytes
    };

    /// The report of a router.
    struct Report
    {
        std::vector<Reading> readings;                     //!< the queues that have marked
        std::vector<CongestionNotification> notifications; //!< the notifications to send
    };

    void StartApplication() override
    {
        m_sender->Open(GetNode());
    }

    void StopApplication() override
    {
        m_sender->Close();
    }

    bool IsRunning(Time time) const;

    /// Note a mark, at the router.
    void SampleMark(Router& router,
                    std::size_t queue,
                    const QueueDiscItem& item,
                    CongestionSeverity severity);

    /// Report the samples, at the router. @param router the router
    void Read(Router& router);

    /// Handle a report, at the monitor. @param report the report
    void Take(const Report& report);

    Ptr<NotificationSender> m_sender;               //!< sends
    std::vector<std::unique_ptr<Router>> m_routers; //!< the routers
    Time m_interval;                                //!< attribute Interval
    Time m_telemetryDelay;                          //!< attribute TelemetryDelay
    uint32_t m_maxFlows{0};                         //!< attribute MaxFlows
    CongestionNotifierStatistics m_statistics;      //!< the statistics
    TracedCallback<Ipv4Address, uint16_t, uint8_t, double> m_readingTrace; //!< trace Reading
};

} // namespace ns3::aidc

#endif // AIDC_CONGESTION_MONITOR_H
