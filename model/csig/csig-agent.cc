// SPDX-License-Identifier: GPL-2.0-only

#include "csig-agent.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigAgent");

NS_OBJECT_ENSURE_REGISTERED(CsigAgent);

namespace
{

constexpr uint64_t NS_PER_S = 1000000000; //!< nanoseconds of a second
/// The longest queue that is told from longer ones, so that nothing overflows: 2 GB.
constexpr uint64_t MAX_QUEUED_BYTES = 2000000000;

} // namespace

TypeId
CsigAgent::GetTypeId()
{
    using C = CsigAgent;
    using Place = CsigPortPlace;
    using Rates = RateEstimationSettings;
    constexpr auto PLACE = &C::m_place;
    constexpr auto RATES = &C::m_estimation;
    // A checker for each attribute: object factories tell attributes by their checkers.
    const auto makeChecker = [] {
        return MakeTimeChecker(NanoSeconds(IntervalRateEstimator::MIN_INTERVAL),
                               NanoSeconds(IntervalRateEstimator::MAX_INTERVAL));
    };

    const std::tuple<const char*, const char*, bool C::*> supports[] = {
        {"Abw", "min(ABW).", &C::m_hasAbw},
        {"AbwRatio", "min(ABW/C).", &C::m_hasAbwRatio},
        {"HopDelay", "max(PD).", &C::m_hasHopDelay},
        {"QueueDepth", "max(nQD), if it is a signal at all.", &C::m_hasQueueDepth}};
    const std::tuple<const char*, const char*, uint32_t Place::*> numbers[] = {
        {"Stage", "The number of the stage of the topology that the switch is in.", &Place::stage},
        {"Port", "The number of the port, for the locator.", &Place::port},
        {"Device", "The number of the switch, for the locator.", &Place::device},
        {"Custom", "A number of the user's own for the locator.", &Place::custom}};
    static TypeId tid = [&] {
        auto made = TypeId("ns3::aidc::CsigAgent")
                        .SetParent<Object>()
                        .SetGroupName("Aidc")
                        .AddConstructor<CsigAgent>()
                        .AddAttribute("Domain",
                                      "The settings that the whole network has in common; new "
                                      "ones with the defaults if none are set.",
                                      PointerValue(),
                                      MakePointerAccessor(&C::m_domain),
                                      MakePointerChecker<CsigDomain>());
        for (const auto& [name, text, member] : supports)
        {
            made.AddAttribute(name,
                              std::string("Whether this port supports ") + text,
                              BooleanValue(true),
                              MakeBooleanAccessor(member),
                              MakeBooleanChecker());
        }
        for (const auto& [name, text, member] : numbers)
        {
            made.AddAttribute(name,
                              text,
                              UintegerValue(0),
                              MakeSettingsAccessor<UintegerValue>(PLACE, member),
                              MakeUintegerChecker<uint32_t>());
        }
        return made
            .AddAttribute("Estimation",
                          "How the rate of the port is estimated.",
                          EnumValue(RateEstimation::INTERVAL),
                          MakeSettingsAccessor<EnumValueOf<RateEstimation>>(RATES, &Rates::method),
                          MakeEnumChecker(RateEstimation::INTERVAL,
                                          "Interval",
                                          RateEstimation::EWMA,
                                          "Ewma",
                                          RateEstimation::DISCOUNTING,
                                          "Discounting"))
            .AddAttribute("Interval",
                          "delta_t of the estimation Interval.",
                          TimeValue(NanoSeconds(Rates().interval)),
                          MakeSettingsAccessor<TimeValue>(RATES, &Rates::interval),
                          makeChecker())
            .AddAttribute("Weight",
                          "The weight in the estimation Ewma of the time that WeightBytes take, "
                          "above 0 (section 5.1.1).",
                          DoubleValue(Rates().weight),
                          MakeSettingsAccessor<DoubleValue>(RATES, &Rates::weight),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("WeightBytes",
                          "The bytes on the wire that Weight is the weight of; by default, of a "
                          "packet of 1,500 bytes. A port of speed C averages over about "
                          "WeightBytes / (C Weight), busy or idle.",
                          UintegerValue(1538),
                          MakeUintegerAccessor(&C::m_weightBytes),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("DiscountInterval",
                          "Tdre of the estimation Discounting.",
                          TimeValue(NanoSeconds(Rates().discountInterval)),
                          MakeSettingsAccessor<TimeValue>(RATES, &Rates::discountInterval),
                          makeChecker())
            .AddAttribute("DiscountFactor",
                          "The factor a of the estimation Discounting, above 0 and below 1.",
                          DoubleValue(Rates().discountFactor),
                          MakeSettingsAccessor<DoubleValue>(RATES, &Rates::discountFactor),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("PipelineLatency",
                          "The delay of PHY, MAC and pipeline, which max(PD) reports in addition "
                          "to the delay of each packet (section 5.4.1). Packets do not wait for "
                          "it: add it to the delays of links.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&C::m_pipelineLatency),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("Phase",
                          "How much earlier than at multiples of its length each window begins "
                          "(Interval, DiscountInterval and SoftwareInterval), in windows, from 0 "
                          "to 1. Timers of devices are not synchronized; CsigHelper gives each "
                          "port a phase of its own (section 5.3.2).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&C::m_phase),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Software",
                          "Whether software on the switch's CPU measures, from counters.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_isSoftware),
                          MakeBooleanChecker())
            .AddAttribute("SoftwareInterval",
                          "How often this software does so.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&C::m_softwareInterval),
                          makeChecker())
            .AddAttribute("SoftwareHopDelay",
                          "Whether this software approximates max(PD), by the longest delay of an "
                          "interval; otherwise it does not support it.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_hasSoftwareHopDelay),
                          MakeBooleanChecker())
            .AddAttribute(
                "Orientation",
                "Where the port leads to.",
                EnumValue(CsigOrientation::UNKNOWN),
                MakeSettingsAccessor<EnumValueOf<CsigOrientation>>(PLACE, &Place::orientation),
                MakeEnumChecker(CsigOrientation::UNKNOWN,
                                "Unknown",
                                CsigOrientation::UP,
                                "Up",
                                CsigOrientation::DOWN,
                                "Down",
                                CsigOrientation::SIDE,
                                "Side"))
            .AddTraceSource("Load",
                            "How fast the port sends, in bit/s, as the estimation has it when a "
                            "transmission starts (section 5.1.1)",
                            MakeTraceSourceAccessor(&C::m_loadTrace),
                            "ns3::TracedValueCallback::Uint64")
            .AddTraceSource("AvailableBandwidth",
                            "What the port has available, in bit/s, before quantization, when a "
                            "transmission starts (section 5.1.1)",
                            MakeTraceSourceAccessor(&C::m_abwTrace),
                            "ns3::TracedValueCallback::Uint64");
    }();
    return tid;
}

void
CsigAgent::Start(uint64_t capacity, uint64_t sent, Ptr<CsigDomain> domain)
{
    NS_LOG_FUNCTION(this << capacity << sent << domain);
    AIDC_REFUSED_IF(domain && m_domain && m_domain != domain,
                    "A port and its CsigAgent must have the same CsigDomain");
    AIDC_REFUSED_IF(m_capacity != 0, "A CsigAgent serves one port");
    AIDC_REFUSED_IF(capacity == 0, "The speed of a CSIG port must be above 0");
    m_domain = domain ? domain : m_domain;
    if (!m_domain)
    {
        m_domain = CreateObject<CsigDomain>();
    }
    m_domain->CheckSettings();
    m_capacity = capacity;
    m_available = capacity;
    m_sent = sent;
    ListSignals();
    m_usesPeak = m_isSoftware && m_hasSoftwareHopDelay;
    m_latency = static_cast<uint64_t>(m_pipelineLatency.GetNanoSeconds());
    RateEstimationSettings estimation = m_estimation;
    if (m_isSoftware)
    {
        estimation.method = RateEstimation::INTERVAL;
        estimation.interval = m_softwareInterval.GetNanoSeconds();
    }
    estimation.weightTime = 8.0 * NS_PER_S * m_weightBytes / static_cast<double>(m_capacity);
    const bool isDiscounting = estimation.method == RateEstimation::DISCOUNTING;
    const int64_t window = isDiscounting ? estimation.discountInterval : estimation.interval;
    m_shift = static_cast<int64_t>(m_phase * static_cast<double>(window));
    m_peak = IntervalPeak(m_softwareInterval.GetNanoSeconds());
    CheckOrRefuse(
        [this, &estimation] {
            m_estimator = PortRateEstimator(estimation);
            EncodePlace();
        },
        "CsigAgent: ");
}

void
CsigAgent::TraceLoad(int64_t now)
{
    const uint64_t load = std::exchange(m_load, m_estimator.GetRate(now + m_shift));
    const uint64_t available =
        std::exchange(m_available, ComputeAvailableBandwidth(m_capacity, m_load));
    if (load != m_load)
    {
        m_loadTrace(load, m_load);
    }
    if (available != m_available)
    {
        m_abwTrace(available, m_available);
    }
}

uint64_t
CsigAgent::Measure(CsigSignal signal, const CsigHop& hop)
{
    switch (signal)
    {
    case CsigSignal::ABW:
    case CsigSignal::ABW_RATIO:
        break;
    case CsigSignal::HOP_DELAY:
        return m_usesPeak ? m_peak.Get(hop.now + m_shift) : hop.delay + m_latency;
    case CsigSignal::QUEUE_DEPTH:
        return std::min(hop.queuedBytes, MAX_QUEUED_BYTES) * 8 * NS_PER_S / m_capacity;
    }
    const uint64_t rate = m_estimator.GetRate(hop.now + m_shift);
    return signal == CsigSignal::ABW ? ComputeAvailableBandwidth(m_capacity, rate)
                                     : ComputeAvailableRatio(m_capacity, rate);
}

void
CsigAgent::ListSignals()
{
    const std::array<bool, CSIG_SIGNALS> isSupported{m_hasAbw,
                                                     m_hasAbwRatio,
                                                     m_hasHopDelay &&
                                                         (!m_isSoftware || m_hasSoftwareHopDelay),
                                                     m_hasQueueDepth && !m_isSoftware};
    const auto& signals = m_domain->GetSignals();
    for (std::size_t type = 0; type < m_signals.size(); ++type)
    {
        const auto signal = signals.Find(static_cast<uint8_t>(type));
        m_signals[type] =
            signal && isSupported[static_cast<std::size_t>(*signal)] ? signal : std::nullopt;
    }
    m_usesQueueDepth =
        signals.queueDepth && isSupported[static_cast<std::size_t>(CsigSignal::QUEUE_DEPTH)];
}

void
CsigAgent::EncodePlace()
{
    CsigLocator locator;
    locator.Set(CsigAttribute::CAPACITY, m_domain->GetSpeeds().Encode(m_capacity));
    locator.Set(CsigAttribute::STAGE, m_place.stage);
    locator.Set(CsigAttribute::ORIENTATION, m_place.orientation);
    locator.Set(CsigAttribute::PORT, m_place.port);
    locator.Set(CsigAttribute::DEVICE, m_place.device);
    locator.Set(CsigAttribute::CUSTOM, m_place.custom);
    for (std::size_t signal = 0; signal < CSIG_SIGNALS; ++signal)
    {
        for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
        {
            const auto index = static_cast<std::size_t>(format);
            const auto& layout = m_domain->GetLayout(format, static_cast<CsigSignal>(signal));
            m_locators[index][signal] = layout.Encode(locator);
            m_usesTtl[index] = m_usesTtl[index] || layout.SetTtl(0, 1) != 0;
        }
    }
}

CsigAgent::Outcome
CsigAgent::Process(CsigFields& fields, const CsigHop& hop)
{
    if (m_domain->GetSignals().IsFrozen(fields))
    {
        return Outcome::FROZEN;
    }
    if (fields.type >= m_signals.size() || !m_signals[fields.type])
    {
        return Outcome::UNSUPPORTED;
    }
    const CsigSignal signal = *m_signals[fields.type];
    const uint32_t code =
        m_domain->GetQuantizer().Encode(fields.format, signal, Measure(signal, hop));
    uint16_t locator = GetLocator(fields.format, signal);
    if (UsesTtl(fields.format))
    {
        locator = m_domain->GetLayout(fields.format, signal).SetTtl(locator, hop.ttl);
    }
    return CompareAndReplaceCsig(fields, GetCsigAggregation(signal), code, locator)
               ? Outcome::UPDATED
               : Outcome::KEPT;
}

} // namespace ns3::aidc
