// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SET_SELECTOR_H
#define AIDC_FLOW_SET_SELECTOR_H

#include "../core/buffer/port-queues.h"
#include "../core/flow-set/congestion-index.h"
#include "../core/flow-set/flow-set-switching.h"

#include "ns3/attribute.h"
#include "ns3/event-id.h"
#include "ns3/flow-key.h"
#include "ns3/multipath-routing.h"
#include "ns3/net-device.h"
#include "ns3/next-hop-selector.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

/// The attributes of a FlowSetSelector: how CQIs are computed, how flow sets migrate, and more.
struct FlowSetSettings : public CongestionIndexSettings, public FlowSetSwitchingSettings
{
    int64_t interval{0};       //!< AssessmentInterval in ns
    bool isAdaptive{false};    //!< AdaptiveInterval
    int64_t minInterval{0};    //!< MinInterval in ns
    int64_t maxInterval{0};    //!< MaxInterval in ns
    double lowTraffic{0};      //!< LowTraffic
    double highTraffic{0};     //!< HighTraffic
    uint64_t queueCapacity{0}; //!< QueueCapacity in bytes
    uint32_t tableSize{1};     //!< TableSize; a table has the next power of two
    int64_t agingTime{0};      //!< AgingTime in ns

    /// @return the adaptive interval
    AssessmentInterval MakeInterval() const
    {
        return {minInterval, maxInterval, lowTraffic, highTraffic};
    }

    /// @return the parameters of the adaptive interval: its bounds, and the shares of traffic
    auto GetAdaptation() const
    {
        return std::tie(minInterval, maxInterval, lowTraffic, highTraffic);
    }
};

/// An egress port as a FlowSetSelector assesses it. Without a queue disc, it is never congested.
struct FlowSetPort
{
    /// Constructor. @param settings how the CQI is computed
    explicit FlowSetPort(const CongestionIndexSettings& settings)
        : index(settings)
    {
    }

    /// Find the queue of the port. @param device the device
    void FindQueue(Ptr<NetDevice> device);

    /// @return whether the capacity of the port's queue is known; true without a queue disc
    bool HasCapacity() const
    {
        return !queueDisc || buffer || capacity > 0;
    }

    /// Get the depth of the queue now. @return bytes
    uint64_t GetDepth() const
    {
        return queueDisc ? queueDisc->GetNBytes() : 0;
    }

    /// Read the port, which has a queue disc. @param ofQueue the capacity of the queue in bytes, 0
    /// to ask the queue disc @return the reading from which the CQI is computed
    PortReading Read(uint64_t ofQueue) const;

    /// @return the bytes that the port, which has a queue disc, has sent since the last call
    uint64_t CountSentBytes();

    CongestionIndex index;             //!< turns readings into the CQI
    Ptr<QueueDisc> queueDisc;          //!< the egress queue, null if there is none
    const PortBuffer* buffer{nullptr}; //!< its use of the shared buffer, or null
    uint64_t capacity{0};              //!< capacity in bytes without a buffer; 0 if unknown
    uint64_t rate{0};                  //!< of the link in bit/s, 0 if unknown
    uint64_t sentBytes{0};             //!< bytes sent up to the last CountSentBytes()
};

/// The flow sets of a group of next hops (FlowSetSelector).
class FlowSetGroup;

/// A flow set that has been given another egress port.
struct FlowSetMigration
{
    Time time;            //!< when
    uint32_t flowSet;     //!< its flow identifier, a hash
    uint32_t from;        //!< the interface that it has left
    uint32_t to;          //!< the interface that it uses now
    FlowSetAction reason; //!< MIGRATE (rule 4, congestion) or REROUTE (rule 2, port failure)
    uint32_t cqi;         //!< the CQI that the left port had at the start of the interval
    uint32_t migrations;  //!< the migrations from that port in this interval, this one included
    FlowKey flow{};       //!< the flow whose packet has moved it: the five-tuple
};

/// Congestion-aware flow-set switching
/// (draft-li-rtgwg-congestion-aware-flowset-switching-00).
///
/// Flows are hashed to flow sets, and a table gives the egress port of each flow set. At the end of
/// each assessment interval, each port gets a congestion quantification index (CQI) from its egress
/// queue, from the shared buffer or from its drops. If the CQI of its port is above 0, a flow set
/// moves to the port with the smallest CQI. The CQI is also the most flow sets that leave the port
/// in an interval. The egress queue is the port's root queue disc with all of its packets:
/// multicast and the switch's own packets count, too. A port without a queue disc is never
/// congested.
///
/// From its first packet on, a group's table takes 16 bytes a flow set. An idle flow set loses its
/// entry after the aging time. Where the draft is silent, a congested port that itself has the
/// smallest CQI keeps its flow sets. Neither this nor the failure of a port (rule 2) uses up the
/// budget. Migration under congestion can reorder packets of a flow. FlowletGap avoids reordering:
/// it waits for a pause of the flow set (section 8.2).
///
/// While the simulation runs, an attribute that does not fit the others is refused when it is set.
/// Each accepted change is logged (log component AidcFlowSetSelector, level INFO) and traced. It
/// takes effect at the next assessment (section 9.3).
class FlowSetSelector : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    FlowSetSelector();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    void NotifyGroup(NextHopGroup& group) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void NotifyInterface(uint32_t interface, bool isUp) override;
    int64_t AssignStreams(int64_t stream) override;

    /// Get a row of the port status table (section 6.2).
    /// @param interface the index of the interface
    /// @return state, CQI and queue depth of the port
    const PortStatus& GetPortStatus(uint32_t interface) const
    {
        return m_switching.GetPorts().Get(interface);
    }

    /// Get the number of flow sets in use. @return the entries that are valid and not aged out
    uint32_t GetOccupancy() const;

    /// Get the assessment interval in use. @return the interval, which the adaptive variant changes
    Time GetCurrentInterval() const
    {
        return m_currentInterval;
    }

    /// TracedCallback signature for the assessment of a port.
    /// @param [in] interface the index of the interface
    /// @param [in] cqi its CQI for the interval that begins
    /// @param [in] queueBytes the depth of its queue in bytes
    typedef void (*AssessmentTracedCallback)(uint32_t interface, uint32_t cqi, uint64_t queueBytes);

    /// TracedCallback signature for the decisions on all packets.
    /// @param [in] flow the packet's flow: the five-tuple
    /// @param [in] decision whether its flow set was learned, has stayed or has moved, and why;
    ///        ports are interfaces
    typedef void (*DecisionTracedCallback)(const FlowKey& flow, const FlowSetDecision& decision);

    /// TracedCallback signature for migrations. @param [in] migration what has moved
    typedef void (*MigrationTracedCallback)(const FlowSetMigration& migration);

    /// TracedCallback signature for the table's occupancy.
    /// @param [in] flowSets the flow sets in use, at the end of an interval
    typedef void (*OccupancyTracedCallback)(uint32_t flowSets);

    /// TracedCallback signature for a reconfiguration while running.
    /// @param [in] before all attributes before, by name
    /// @param [in] after all attributes after
    typedef void (*ReconfigurationTracedCallback)(const std::string& before,
                                                  const std::string& after);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// Make the accessor of a setting.
    template <typename V, typename S, typename F>
    static Ptr<const AttributeAccessor> MakeAccessor(F S::* setting);

    /// Change the attributes; while running, check the change, log it and trace it.
    /// @throws std::invalid_argument if they do not fit each other; nothing has changed then
    void Change(const FlowSetSettings& settings);

    /// @throws std::invalid_argument if settings do not fit each other or the ports; says which
    void CheckSettings(const FlowSetSettings& settings) const;

    /// @return the names and values of the attributes
    std::string Describe() const;

    /// Apply the attributes, which have been checked.
    void Configure();

    /// Refuse attributes that do not fit each other or the ports.
    void RequireSettings() const;

    /// Add a row to the port status table, and all before it.
    void AddPort(uint32_t interface);

    /// Assess all ports, and advertise their CQIs.
    void Assess();

    /// Call the trace source of migrations.
    void NotifyMigration(const FlowSetDecision& decision, uint32_t flowSet, const FlowKey& flow);

    Ptr<Ipv4> m_ipv4;                      //!< the protocol stack
    FlowSetSwitching m_switching;          //!< port table and rules
    AssessmentInterval m_adaptive;         //!< the adaptive interval
    std::vector<FlowSetPort> m_ports;      //!< the ports, by interface
    std::vector<FlowSetGroup*> m_groups;   //!< the groups' tables
    Ptr<UniformRandomVariable> m_variable; //!< breaks ties
    EventId m_assessment;                  //!< the next assessment
    Time m_currentInterval;                //!< the interval in use
    FlowSetSettings m_attributes;          //!< the attributes
    FlowSetSettings m_settings;            //!< the settings in use, until the next assessment
    bool m_isChanged{false};               //!< whether attributes have changed while running

    TracedCallback<uint32_t, uint32_t, uint64_t> m_assessmentTrace; //!< trace Assessment
    /// trace Decision
    TracedCallback<const FlowKey&, const FlowSetDecision&> m_decisionTrace;
    TracedCallback<const FlowSetMigration&> m_migrationTrace; //!< trace Migration
    TracedCallback<uint32_t> m_occupancyTrace;                //!< trace Occupancy
    /// trace Reconfiguration
    TracedCallback<const std::string&, const std::string&> m_reconfigurationTrace;
};

/// Equal-cost multipath with congestion-aware flow-set switching
/// (draft-li-rtgwg-congestion-aware-flowset-switching-00): a MultipathRouting whose selector
/// is a FlowSetSelector, which has the attributes and traces of the mechanism.
class FlowSetEcmpRouting : public MultipathRouting
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

  protected:
    void NotifyConstructionCompleted() override;
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_SELECTOR_H
