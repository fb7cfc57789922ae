// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-selector.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/flow-set/congestion-index.h"
#include "../core/flow-set/flow-set-switching.h"
#include "../core/require-argument.h"
#include "../device-link-properties.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlowSetSelector");

namespace
{

/// Get the capacity of a queue disc: its MaxSize or, if it only holds others and has none, the
/// capacity of its children together. mtu: the size of a packet in bytes. @return bytes, 0 if not
/// known
uint64_t
GetCapacity(const QueueDisc& queueDisc, uint16_t mtu)
{
    TypeId::AttributeInformation information;
    if (queueDisc.GetInstanceTypeId().LookupAttributeByName("MaxSize", &information))
    {
        const QueueSize size = queueDisc.GetMaxSize();
        const uint64_t unit = size.GetUnit() == QueueSizeUnit::PACKETS ? mtu : 1;
        return size.GetValue() * unit;
    }
    uint64_t sum = 0;
    for (std::size_t i = 0; i < queueDisc.GetNQueueDiscClasses(); ++i)
    {
        const uint64_t capacity = GetCapacity(*queueDisc.GetQueueDiscClass(i)->GetQueueDisc(), mtu);
        if (capacity == 0)
        {
            return 0;
        }
        sum += capacity;
    }
    return sum;
}

} // namespace

void
FlowSetPort::FindQueue(Ptr<NetDevice> device)
{
    rate = GetLinkRate(device).GetBitRate();
    const auto trafficControl = device->GetNode()->GetObject<TrafficControlLayer>();
    if (!trafficControl)
    {
        return;
    }
    queueDisc = trafficControl->GetRootQueueDiscOnDevice(device);
    buffer = dynamic_cast<const PortBuffer*>(PeekPointer(queueDisc));
    if (queueDisc && !buffer)
    {
        capacity = GetCapacity(*queueDisc, device->GetMtu());
    }
}

PortReading
FlowSetPort::Read(uint64_t ofQueue) const
{
    PortReading reading;
    reading.queueBytes = GetDepth();
    reading.dropsTotal = queueDisc->GetStats().nTotalDroppedPackets;
    PortBufferUse use{reading.queueBytes, capacity > 0 ? capacity : ofQueue, capacity};
    if (buffer)
    {
        use = buffer->GetBufferUse();
    }
    reading.bufferBytes = use.held;
    reading.bufferLimit = use.limit;
    reading.queueCapacity = ofQueue > 0 ? ofQueue : use.share;
    return reading;
}

uint64_t
FlowSetPort::CountSentBytes()
{
    const uint64_t before = std::exchange(sentBytes, queueDisc->GetStats().nTotalSentBytes);
    return sentBytes - before;
}

/// If several next hops are reached over one port, a flow set keeps its next hop, not only its
/// egress port: the candidates of FlowSetSwitching are the members of the group. Their order never
/// changes.
///
/// If members have different weights, such as path bandwidths, a member is several candidates, by
/// its weight. So weights decide between ports that are equally good.
class FlowSetGroup : public NextHopGroupState
{
  public:
    /// Constructor. agingTime: the silence after which a flow set gives up its entry, in ns;
    /// groups: the list of all groups, to which this one is added; it outlives this.
    FlowSetGroup(uint32_t size, int64_t agingTime, std::vector<FlowSetGroup*>& groups)
        : table(RoundUp(size), agingTime),
          m_groups(groups)
    {
        m_groups.push_back(this);
    }

    ~FlowSetGroup() override
    {
        m_groups.erase(std::find(m_groups.begin(), m_groups.end(), this));
    }

    FlowSetGroup(const FlowSetGroup&) = delete;
    FlowSetGroup& operator=(const FlowSetGroup&) = delete;

    /// Update the members that can be used. @param group the group
    void Update(const NextHopGroup& group);

    FlowSetTable table;            //!< the egress ports of flow sets
    std::vector<uint32_t> ports;   //!< the interfaces of the candidates; NONE for unusable ones
    std::vector<uint32_t> members; //!< the members of the group that the candidates are

  private:
    /// How many candidates the member with the greatest weight is, if weights differ.
    static constexpr double MAX_CANDIDATES = 16;

    /// size: a number, at most FlowSetTable::MAX_SIZE. @return it, rounded up to a power of two
    static uint32_t RoundUp(uint32_t size)
    {
        uint32_t rounded = 1;
        while (rounded < size)
        {
            rounded *= 2;
        }
        return rounded;
    }

    std::vector<FlowSetGroup*>& m_groups; //!< all groups
};

void
FlowSetGroup::Update(const NextHopGroup& group)
{
    double least = std::numeric_limits<double>::infinity();
    double greatest = 0;
    for (const uint32_t member : group.usable)
    {
        least = std::min(least, group.members[member].nextHop.weight);
        greatest = std::max(greatest, group.members[member].nextHop.weight);
    }
    ports.clear();
    members.clear();
    for (uint32_t member = 0; member < group.members.size(); ++member)
    {
        const NextHop& nextHop = group.members[member].nextHop;
        const bool isUsable = group.members[member].IsUsable();
        const double share = isUsable && least < greatest ? nextHop.weight / greatest : 0;
        const auto n = std::max<std::size_t>(1, std::lround(share * MAX_CANDIDATES));
        ports.insert(ports.end(), n, isUsable ? nextHop.interface : FlowSetDecision::NONE);
        members.insert(members.end(), n, member);
    }
}

NS_OBJECT_ENSURE_REGISTERED(FlowSetSelector);
NS_OBJECT_ENSURE_REGISTERED(FlowSetEcmpRouting);

namespace
{

constexpr uint32_t LOOPBACK = 0; //!< the interface of the loopback device, which is no port
constexpr double PPM = 1e6;      //!< millionths of a whole

} // namespace

template <typename V, typename S, typename F>
Ptr<const AttributeAccessor>
FlowSetSelector::MakeAccessor(F S::* setting)
{
    using C = FlowSetSelector;
    // A share is in millionths.
    constexpr bool isShare = std::is_same_v<V, DoubleValue> && std::is_integral_v<F>;
    return MakeFunctionAccessor<C, V>(
        [setting](const C& object) {
            const F& value = object.m_attributes.*setting;
            if constexpr (isShare)
            {
                return static_cast<double>(value) / PPM;
            }
            else
            {
                return FieldToValue<V>(value);
            }
        },
        [setting](C& object, const V& value) {
            FlowSetSettings settings = object.m_attributes;
            if constexpr (isShare)
            {
                settings.*setting = static_cast<F>(std::lround(value.Get() * PPM));
            }
            else
            {
                ValueToField(value, settings.*setting);
            }
            if (settings.*setting != object.m_attributes.*setting)
            {
                object.Change(settings);
            }
        });
}

TypeId
FlowSetSelector::GetTypeId()
{
    using S = FlowSetSettings;
    using StrategyValue = EnumValueOf<S::Strategy>;
    static TypeId tid =
        TypeId("ns3::aidc::FlowSetSelector")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddConstructor<FlowSetSelector>()
            .AddAttribute("AssessmentInterval",
                          "Interval of the assessment of ports (section 5.1.1: 10 ms to 100 ms)",
                          TimeValue(MilliSeconds(10)),
                          MakeAccessor<TimeValue>(&S::interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AdaptiveInterval",
                          "Halve the interval while traffic is high and double it while it is low "
                          "(section 5.1.1); it begins with MinInterval",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(&S::isAdaptive),
                          MakeBooleanChecker())
            .AddAttribute("MinInterval",
                          "The shortest adaptive interval",
                          TimeValue(MilliSeconds(10)),
                          MakeAccessor<TimeValue>(&S::minInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxInterval",
                          "The longest adaptive interval",
                          TimeValue(MilliSeconds(100)),
                          MakeAccessor<TimeValue>(&S::maxInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LowTraffic",
                          "Share of the ports' rates up to which the adaptive interval is doubled",
                          DoubleValue(0.1),
                          MakeAccessor<DoubleValue>(&S::lowTraffic),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HighTraffic",
                          "Share of the ports' rates from which on the adaptive interval is halved",
                          DoubleValue(0.5),
                          MakeAccessor<DoubleValue>(&S::highTraffic),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("UseQueueDepth",
                          "Compute the CQI from the depth of the egress queue (section 5.1.2)",
                          BooleanValue(true),
                          MakeAccessor<BooleanValue>(&S::useQueueDepth),
                          MakeBooleanChecker())
            .AddAttribute("UseBufferUtilization",
                          "Compute the CQI from the share that the port's fullest queue holds of "
                          "its limit in the shared buffer (section 5.1.2)",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(&S::useBufferUtilization),
                          MakeBooleanChecker())
            .AddAttribute("UseDrops",
                          "Compute the CQI from the packets dropped in the interval "
                          "(section 5.1.2); of several metrics the largest CQI counts",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(&S::useDrops),
                          MakeBooleanChecker())
            .AddAttribute("CongestionThreshold",
                          "Share of the capacity that adds 1 to the CQI (section 5.1.2: 10 %)",
                          DoubleValue(0.1),
                          MakeAccessor<DoubleValue>(&S::thresholdPpm),
                          MakeDoubleChecker<double>(1 / PPM, 1))
            .AddAttribute("DropsPerLevel",
                          "Dropped packets that add 1 to the CQI",
                          UintegerValue(1),
                          MakeAccessor<UintegerValue>(&S::dropsPerLevel),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CqiMax",
                          "The largest CQI, a number of levels (section 5.1.2: 16)",
                          UintegerValue(16),
                          MakeAccessor<UintegerValue>(&S::maximum),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("Smoothing",
                          "Weight of the newest reading in a moving average (section 9.1); 1 for "
                          "no smoothing",
                          DoubleValue(1),
                          MakeAccessor<DoubleValue>(&S::smoothing),
                          MakeDoubleChecker<double>(std::numeric_limits<double>::min(), 1))
            .AddAttribute("QueueCapacity",
                          "Capacity of an egress queue in bytes; 0 takes an equal part of the "
                          "shared buffer or, without one, the MaxSize of the queue disc or of its "
                          "children together",
                          QueueSizeValue(QueueSize("0B")),
                          MakeAccessor<QueueSizeValue>(&S::queueCapacity),
                          MakeByteSizeChecker())
            .AddAttribute("FlowletGap",
                          "Silence of a flow set before it may migrate because of congestion, so "
                          "that its packets stay in order (section 8.2); 0 for none",
                          TimeValue(Seconds(0)),
                          MakeAccessor<TimeValue>(&S::flowletGap),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("RoundRobin",
                          "Take ports with the same CQI in turn, not at random (section 5.2.2)",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(&S::useRoundRobin),
                          MakeBooleanChecker())
            .AddAttribute(
                "Strategy",
                "The reaction to congestion: as many migrations as the CQI allows, all of a "
                "port's flow sets at once (section 3.2), or none until they age out (section 1)",
                EnumValue(S::PROGRESSIVE),
                MakeAccessor<StrategyValue>(&S::strategy),
                MakeEnumChecker(S::PROGRESSIVE,
                                "Progressive",
                                S::FULL_SWITCH,
                                "FullSwitch",
                                S::NO_SWITCH,
                                "NoSwitch"))
            .AddAttribute("Hysteresis",
                          "The number of levels, in addition to 1, by which a target's CQI must "
                          "be smaller for a migration; 0 for no hysteresis",
                          UintegerValue(0),
                          MakeAccessor<UintegerValue>(&S::hysteresis),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("HoldDown",
                          "Time after a migration for which congestion does not move the flow set "
                          "again; 0 for none",
                          TimeValue(Seconds(0)),
                          MakeAccessor<TimeValue>(&S::holdDown),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("RankByBudget",
                          "Rank ports by the CQI less the migrations of the interval, as sections "
                          "5.2.1 and 5.2.2 read literally, not by the CQI as it was assessed",
                          BooleanValue(false),
                          MakeAccessor<BooleanValue>(&S::ranksByBudget),
                          MakeBooleanChecker())
            .AddAttribute("MaxMigrations",
                          "The largest number of migrations of the switch in a MigrationPeriod "
                          "(section 9.1); 0 for no limit",
                          UintegerValue(1024),
                          MakeAccessor<UintegerValue>(&S::maxMigrations),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MigrationPeriod",
                          "The unit of time of MaxMigrations",
                          TimeValue(MilliSeconds(10)),
                          MakeAccessor<TimeValue>(&S::migrationPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TableSize",
                          "Flow sets a group of next hops, rounded up to a power of two; read when "
                          "a group gets its first packet",
                          UintegerValue(4096),
                          MakeAccessor<UintegerValue>(&S::tableSize),
                          MakeUintegerChecker<uint32_t>(1, FlowSetTable::MAX_SIZE))
            .AddAttribute("AgingTime",
                          "Silence after which a flow set gives up its entry (section 6.1); read "
                          "when a group gets its first packet",
                          TimeValue(Seconds(1)),
                          MakeAccessor<TimeValue>(&S::agingTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Assessment",
                            "A port was assessed",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_assessmentTrace),
                            "ns3::aidc::FlowSetSelector::AssessmentTracedCallback")
            .AddTraceSource("Decision",
                            "A packet's port was chosen, by which rule",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_decisionTrace),
                            "ns3::aidc::FlowSetSelector::DecisionTracedCallback")
            .AddTraceSource("Migration",
                            "A flow set has been given another port",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_migrationTrace),
                            "ns3::aidc::FlowSetSelector::MigrationTracedCallback")
            .AddTraceSource("Occupancy",
                            "The flow sets in use at the end of an interval",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_occupancyTrace),
                            "ns3::aidc::FlowSetSelector::OccupancyTracedCallback")
            .AddTraceSource("Reconfiguration",
                            "An attribute has been changed while running (section 9.3)",
                            MakeTraceSourceAccessor(&FlowSetSelector::m_reconfigurationTrace),
                            "ns3::aidc::FlowSetSelector::ReconfigurationTracedCallback");
    return tid;
}

FlowSetSelector::FlowSetSelector()
    : m_switching(FlowSetSwitchingSettings()),
      m_adaptive(AssessmentInterval::RECOMMENDED_MIN, AssessmentInterval::RECOMMENDED_MAX, 0, 1),
      m_variable(CreateObject<UniformRandomVariable>())
{
}

void
FlowSetSelector::CheckSettings(const FlowSetSettings& settings) const
{
    aidc::CheckSettings(static_cast<const CongestionIndexSettings&>(settings));
    aidc::CheckSettings(static_cast<const FlowSetSwitchingSettings&>(settings));
    settings.MakeInterval(); // which checks
    const bool needsCapacity = settings.useQueueDepth || settings.useBufferUtilization;
    for (uint32_t interface = 0; interface < m_ports.size(); ++interface)
    {
        if (needsCapacity && settings.queueCapacity == 0 && !m_ports[interface].HasCapacity())
        {
            throw std::invalid_argument(
                "QueueCapacity is 0, and the queue disc of interface " + std::to_string(interface) +
                " does not say how much it holds: set QueueCapacity, or the MaxSize of the queue "
                "disc or of its children");
        }
    }
}

void
FlowSetSelector::Change(const FlowSetSettings& settings)
{
    if (!IsInitialized())
    {
        m_attributes = settings;
        return;
    }
    CheckSettings(settings);
    const std::string before = Describe();
    m_attributes = settings;
    const std::string after = Describe();
    m_isChanged = true;
    NS_LOG_INFO("Reconfigured at " << Simulator::Now().As(Time::S) << ": " << after);
    m_reconfigurationTrace(before, after);
}

void
FlowSetSelector::RequireSettings() const
{
    try
    {
        CheckSettings(m_attributes);
    }
    catch (const std::invalid_argument& error)
    {
        AIDC_REFUSE("FlowSetSelector: " << error.what() << " (node "
                                        << m_ipv4->GetObject<Node>()->GetId() << "; "
                                        << PrintSetAttributes(*this) << ")");
    }
}

void
FlowSetSelector::Configure()
{
    const FlowSetSettings& settings = m_attributes;
    if (settings.GetAdaptation() != m_settings.GetAdaptation())
    {
        m_adaptive = settings.MakeInterval();
    }
    m_switching.SetSettings(settings);
    for (auto& port : m_ports)
    {
        port.index.SetSettings(settings);
    }
    m_settings = settings;
}

std::string
FlowSetSelector::Describe() const
{
    return PrintAttributes(*this, FlowSetSelector::GetTypeId());
}

void
FlowSetSelector::SetIpv4(Ptr<Ipv4> ipv4)
{
    NextHopSelector::SetIpv4(ipv4);
    m_ipv4 = ipv4;
}

void
FlowSetSelector::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(!m_ipv4, "FlowSetSelector serves a MultipathRouting");
    // Section 7.1: clear the flow table, set all CQIs to 0, start the task.
    for (const auto group : m_groups)
    {
        group->table.Clear();
    }
    m_switching.Initialize();
    RequireSettings();
    Configure();
    NS_LOG_INFO("Node " << m_ipv4->GetObject<Node>()->GetId() << ": " << Describe());
    for (uint32_t interface = 0; interface < m_ipv4->GetNInterfaces(); ++interface)
    {
        AddPort(interface);
    }
    m_currentInterval = NanoSeconds(m_settings.isAdaptive ? m_adaptive.Get() : m_settings.interval);
    m_assessment = Simulator::Schedule(m_currentInterval, &FlowSetSelector::Assess, this);
    NextHopSelector::DoInitialize();
}

void
FlowSetSelector::DoDispose()
{
    m_assessment.Cancel();
    m_ports.clear();
    m_ipv4 = nullptr;
    NextHopSelector::DoDispose();
}

void
FlowSetSelector::AddPort(uint32_t interface)
{
    while (m_ports.size() <= interface)
    {
        const auto index = static_cast<uint32_t>(m_ports.size());
        m_ports.emplace_back(m_settings);
        m_switching.GetPorts().Add(index);
        m_switching.GetPorts().SetUp(index, m_ipv4->IsUp(index));
        if (index != LOOPBACK)
        {
            m_ports.back().FindQueue(m_ipv4->GetNetDevice(index));
        }
    }
    RequireSettings();
}

void
FlowSetSelector::Assess()
{
    NoteEndlessTimer();
    NS_LOG_FUNCTION(this);
    if (std::exchange(m_isChanged, false))
    {
        Configure();
    }
    uint64_t bytes = 0;
    double capacity = 0;
    for (uint32_t interface = 0; interface < m_ports.size(); ++interface)
    {
        FlowSetPort& port = m_ports[interface];
        if (!port.queueDisc)
        {
            continue;
        }
        const PortReading reading = port.Read(m_settings.queueCapacity);
        const uint32_t cqi = port.index.Update(reading);
        m_switching.GetPorts().Advertise(interface, cqi, reading.queueBytes);
        NS_LOG_DEBUG("interface " << interface << ": CQI " << cqi << ", queue "
                                  << reading.queueBytes);
        m_assessmentTrace(interface, cqi, reading.queueBytes);
        bytes += port.CountSentBytes();
        capacity += static_cast<double>(port.rate) / 8;
    }
    if (!m_occupancyTrace.IsEmpty())
    {
        m_occupancyTrace(GetOccupancy());
    }
    capacity *= m_currentInterval.GetSeconds();
    m_currentInterval = NanoSeconds(m_settings.isAdaptive
                                        ? m_adaptive.Update(bytes, static_cast<uint64_t>(capacity))
                                        : m_settings.interval);
    m_assessment = Simulator::Schedule(m_currentInterval, &FlowSetSelector::Assess, this);
}

void
FlowSetSelector::NotifyGroup(NextHopGroup& group)
{
    if (group.members.size() < 2)
    {
        return; // never asked
    }
    if (!group.state)
    {
        const FlowSetSettings& settings = m_attributes;
        group.state =
            std::make_unique<FlowSetGroup>(settings.tableSize, settings.agingTime, m_groups);
    }
    static_cast<FlowSetGroup&>(*group.state).Update(group);
}

void
FlowSetSelector::NotifyInterface(uint32_t interface, bool isUp)
{
    if (IsInitialized())
    {
        AddPort(interface);
        m_switching.GetPorts().SetUp(interface, isUp);
    }
}

uint32_t
FlowSetSelector::Select(NextHopGroup& group, const FlowKey& key)
{
    if (!IsInitialized())
    {
        Initialize(); // a packet at time 0 may come before the node is initialized
    }
    auto& state = static_cast<FlowSetGroup&>(*group.state);
    const uint32_t hash = Hash(key);
    const auto depth = [this](uint32_t port) { return m_ports[port].GetDepth(); };
    const auto choose = [this](uint32_t n) { return m_variable->GetInteger(0, n - 1); };
    const auto decision = m_switching.Forward(state.table,
                                              hash,
                                              state.ports.data(),
                                              static_cast<uint32_t>(state.ports.size()),
                                              Simulator::Now().GetNanoSeconds(),
                                              depth,
                                              choose);
    if (decision.action == FlowSetAction::MIGRATE || decision.action == FlowSetAction::REROUTE)
    {
        NotifyMigration(decision, hash, key);
    }
    if (!m_decisionTrace.IsEmpty())
    {
        m_decisionTrace(key, decision);
    }
    // Without a port, none of the members
    return decision.position < state.members.size() ? state.members[decision.position]
                                                    : decision.position;
}

void
FlowSetSelector::NotifyMigration(const FlowSetDecision& decision,
                                 uint32_t flowSet,
                                 const FlowKey& flow)
{
    FlowSetMigration migration;
    migration.time = Simulator::Now();
    migration.flow = flow;
    migration.flowSet = flowSet;
    migration.from = decision.from;
    migration.to = decision.port;
    migration.reason = decision.action;
    migration.cqi = m_switching.GetPorts().Get(decision.from).initialCqi;
    migration.migrations = m_switching.GetPorts().GetMigrations(decision.from);
    NS_LOG_LOGIC("flow set " << flowSet << " moves from interface " << migration.from << " to "
                             << migration.to << ", migration " << migration.migrations << " of CQI "
                             << migration.cqi);
    m_migrationTrace(migration);
}

int64_t
FlowSetSelector::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
}

uint32_t
FlowSetSelector::GetOccupancy() const
{
    uint32_t occupancy = 0;
    for (const auto group : m_groups)
    {
        occupancy += group->table.GetOccupancy(Simulator::Now().GetNanoSeconds());
    }
    return occupancy;
}

// The routing

TypeId
FlowSetEcmpRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::FlowSetEcmpRouting")
                            .SetParent<MultipathRouting>()
                            .SetGroupName("Aidc")
                            .AddConstructor<FlowSetEcmpRouting>();
    return tid;
}

void
FlowSetEcmpRouting::NotifyConstructionCompleted()
{
    NS_LOG_FUNCTION(this);
    MultipathRouting::NotifyConstructionCompleted();
    if (!GetSelector()) // none was set by attribute
    {
        SetSelector(CreateObject<FlowSetSelector>());
    }
}

} // namespace ns3::aidc
