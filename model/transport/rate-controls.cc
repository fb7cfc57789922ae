// SPDX-License-Identifier: GPL-2.0-only

#include "rate-controls.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRateControls");

NS_OBJECT_ENSURE_REGISTERED(DcqcnControl);

namespace
{

/// What 0 stands for in an attribute.
struct VariantDefaults
{
    int64_t alphaTimer;   //!< ns
    int64_t rateTimer;    //!< ns
    uint32_t threshold;   //!< F
    double additiveShare; //!< R_AI as a part of the line rate
    double additiveRate;  //!< and as a rate in bit/s: R_AI is the sum
    double hyperShare;    //!< R_HAI, likewise
    double hyperRate;     //!< likewise
};

/// By DcqcnSettings::Variant. The paper has an R_AI of 40 Mbit/s at 40 Gbit/s, its authors'
/// simulator an R_HAI of 200 Mbit/s there; ConWeave has an R_HAI of 2.5 times R_AI; HPCC's
/// configuration (simulation/mix/config.txt) has 50 and 100 Mbit/s at any rate.
constexpr VariantDefaults DEFAULTS[] = {
    {55000, 55000, 5, 1.0 / 1000, 0, 1.0 / 200, 0},
    {55000, 300000, 1, 1.0 / 1000, 0, 1.0 / 400, 0},
    {1000, 900000, 1, 0, 50e6, 0, 100e6},
};

/// No timer may be longer, so that sums of times stay in range.
constexpr int64_t LONGEST_TIMER_S = 1000000;

/// What 0 stands for in attributes of rates, as parts of the line rate. Delta is 10 Mbit/s at 10
/// Gbit/s (the paper), the hyper step five times that (the simulator of HPCC's authors).
constexpr double ADD_STEP = 1.0 / 1000;
constexpr double HYPER_STEP = 1.0 / 200; //!< likewise

} // namespace

TypeId
DcqcnControl::GetTypeId()
{
    using C = DcqcnControl;
    using S = DcqcnSettings;
    static TypeId tid =
        TypeId("ns3::aidc::DcqcnControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<DcqcnControl>()
            .AddAttribute(
                "Variant",
                "The reaction point: Mellanox, as network adapters and the public "
                "simulators of HPCC and ConWeave have it, or Paper, of SIGCOMM 2015; Hpcc is "
                "Mellanox with the values of HPCC's configuration.",
                EnumValue(S::MELLANOX),
                MakeSettingsAccessor<EnumValueOf<S::Variant>>(&C::m_settings, &S::variant),
                MakeEnumChecker(S::PAPER, "Paper", S::MELLANOX, "Mellanox", S::HPCC, "Hpcc"))
            .AddAttribute("EwmaGain",
                          "g, the gain of alpha, a share. Default of the paper and of HPCC's "
                          "configuration.",
                          DoubleValue(S().gain),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha at the first congestion notification packet. Default of the "
                          "paper and of HPCC's simulator.",
                          DoubleValue(S().initialAlpha),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::initialAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaTimer",
                          "Period of alpha's timer, which is longer than the time between two "
                          "congestion notification packets; 0 is 55 us (Paper, Mellanox: the "
                          "paper and HPCC's simulator) or 1 us (Hpcc; adapters have it, too).",
                          TimeValue(Time(0)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::alphaTimer),
                          MakeTimeChecker(Time(0), Seconds(LONGEST_TIMER_S)))
            .AddAttribute("RateTimer",
                          "Period of the timer that raises the rates; 0 is 55 us (Paper: the "
                          "paper), 300 us (Mellanox: adapters and ConWeave) or 900 us (Hpcc).",
                          TimeValue(Time(0)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::rateTimer),
                          MakeTimeChecker(Time(0), Seconds(LONGEST_TIMER_S)))
            .AddAttribute("ByteCounter",
                          "Bytes on the wire after which the rates are raised, 0 for no such "
                          "counter. Of variant Paper only. Default of the paper.",
                          UintegerValue(S().byteCounter),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::byteCounter),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("RateDecreaseInterval",
                          "Length of the intervals at whose ends the rate is cut. Not of variant "
                          "Paper. Default of adapters and of HPCC's configuration.",
                          TimeValue(NanoSeconds(S().decreaseInterval)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::decreaseInterval),
                          MakeTimeChecker(NanoSeconds(1), Seconds(LONGEST_TIMER_S)))
            .AddAttribute(
                "FastRecoveryTimes",
                "F, the number of raises in fast recovery; 0 is 5 (Paper: the paper) or 1 "
                "(Mellanox, Hpcc: adapters and HPCC's configuration).",
                UintegerValue(0),
                MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::threshold),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "AdditiveIncrease",
                "R_AI; 0 is 1/1000 of the line rate (Paper, Mellanox: the paper's 40 Mbit/s at "
                "40 Gbit/s) or 50 Mbit/s (Hpcc).",
                DataRateValue(DataRate(0)),
                MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::additiveIncrease),
                MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "R_HAI; 0 is 1/200 of the line rate (Paper: 200 Mbit/s at 40 Gbit/s, as "
                          "in its authors' simulator), 1/400 (Mellanox: 2.5 times R_AI, as "
                          "ConWeave has it) or 100 Mbit/s (Hpcc).",
                          DataRateValue(DataRate(0)),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::hyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "The least rate, at least 1 bit/s, and the line rate if that is less. "
                          "Default of HPCC's configuration; adapters have 1 Mbit/s.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::minRate),
                          MakeDataRateChecker())
            .AddAttribute("ClampTargetRate",
                          "Whether each cut lowers R_T to the rate before, and not only the first "
                          "one after a raise. Not of variant Paper. Default of adapters and "
                          "of HPCC's configuration.",
                          BooleanValue(S().clampTargetRate),
                          MakeSettingsAccessor<BooleanValue>(&C::m_settings, &S::clampTargetRate),
                          MakeBooleanChecker());
    return tid;
}

void
DcqcnControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    DcqcnSettings settings = m_settings;
    const VariantDefaults& defaults = DEFAULTS[settings.variant];
    const auto line = static_cast<double>(connection.lineRate);
    settings.lineRate = line;
    settings.minRate = std::max(1.0, settings.minRate);
    const auto derive = [](auto& field, auto value) { field = field > 0 ? field : value; };
    derive(settings.threshold, defaults.threshold);
    derive(settings.additiveIncrease, defaults.additiveShare * line + defaults.additiveRate);
    derive(settings.hyperIncrease, defaults.hyperShare * line + defaults.hyperRate);
    derive(settings.alphaTimer, defaults.alphaTimer);
    derive(settings.rateTimer, defaults.rateTimer);
    m_point.Start(settings);
}

void
DcqcnControl::NotifySent(Time now, uint32_t nBytes)
{
    if (m_point.IsCounting())
    {
        m_point.NotifySent(now.GetNanoSeconds(), nBytes);
    }
}

void
DcqcnControl::NotifyCnp(Time now)
{
    NS_LOG_LOGIC("congestion notification at " << GetRate(now) << " bit/s");
    m_point.NotifyCnp(now.GetNanoSeconds());
}

uint64_t
DcqcnControl::GetRate(Time now)
{
    return static_cast<uint64_t>(m_point.GetRates(now.GetNanoSeconds()).GetRate());
}

Time
DcqcnControl::GetNextChange() const
{
    const int64_t next = m_point.GetNextChange();
    return next < NEVER ? NanoSeconds(next) : Time::Max();
}

uint64_t
DcqcnControl::GetTargetRate(Time now)
{
    return static_cast<uint64_t>(m_point.GetRates(now.GetNanoSeconds()).GetTargetRate());
}

double
DcqcnControl::GetAlpha(Time now) const
{
    return m_point.GetAlpha(now.GetNanoSeconds());
}

NS_OBJECT_ENSURE_REGISTERED(TimelyControl);

TypeId
TimelyControl::GetTypeId()
{
    using C = TimelyControl;
    using S = TimelyRate::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::TimelyControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<TimelyControl>()
            .AddAttribute(
                "Variant",
                "The rules: Paper, of SIGCOMM 2015, or Hpcc, of the simulator of HPCC's "
                "authors.",
                EnumValue(TimelyRate::PAPER),
                MakeSettingsAccessor<EnumValueOf<TimelyRate::Variant>>(&C::m_settings, &S::variant),
                MakeEnumChecker(TimelyRate::PAPER, "Paper", TimelyRate::HPCC, "Hpcc"))
            .AddAttribute("TLow",
                          "T_low, up to T_high: below this round-trip time the rate always grows. "
                          "Default of the paper.",
                          TimeValue(NanoSeconds(S().tLow)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::tLow),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("THigh",
                          "T_high: above this round-trip time the rate always shrinks. Default of "
                          "the paper.",
                          TimeValue(NanoSeconds(S().tHigh)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::tHigh),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MinRtt",
                          "The round-trip time that gradients are relative to. Default of the "
                          "paper.",
                          TimeValue(NanoSeconds(S().minRtt)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::minRtt),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Alpha",
                          "Weight of the newest difference of round-trip times, a share. Default "
                          "of the paper.",
                          DoubleValue(S().alpha),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::alpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Beta",
                          "The share of a decrease. Default of the paper.",
                          DoubleValue(S().beta),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AdditiveIncrease",
                          "Delta; 0 is 1/1000 of the line rate (the paper's 10 Mbit/s at 10 "
                          "Gbit/s).",
                          DataRateValue(DataRate(0)),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::addStep),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "In place of delta from the sixth increase in a row on, of variant Hpcc "
                          "only; 0 is 1/200 of the line rate (five times delta, as there).",
                          DataRateValue(DataRate(0)),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::hyperStep),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "The least rate, at least 1 bit/s, and the line rate if that is less. "
                          "Default of HPCC's configuration.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeSettingsAccessor<DataRateValue>(&C::m_settings, &S::minRate),
                          MakeDataRateChecker())
            .AddAttribute("InitialRate",
                          "The first rate; 0 is the line rate (the simulator of HPCC's authors). "
                          "The paper divides the line by the flows of the host.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&C::m_initialRate),
                          MakeDataRateChecker())
            .AddAttribute("SegmentSize",
                          "Bytes on the wire from one completion to the next, of variant Paper "
                          "only; the paper has 16 to 64 KB.",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&C::m_segmentSize),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

void
TimelyControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    AIDC_REFUSED_IF(m_settings.tLow > m_settings.tHigh,
                    "TimelyControl: TLow " << NanoSeconds(m_settings.tLow).As(Time::US)
                                           << " is above THigh "
                                           << NanoSeconds(m_settings.tHigh).As(Time::US));
    const auto line = static_cast<double>(connection.lineRate);
    TimelyRate::Settings settings = m_settings;
    const auto derive = [](double& field, double value) { field = field > 0 ? field : value; };
    derive(settings.addStep, ADD_STEP * line);
    derive(settings.hyperStep, HYPER_STEP * line);
    settings.minRate = std::min(line, std::max(1.0, settings.minRate));
    settings.maxRate = line;
    const auto initial = static_cast<double>(m_initialRate.GetBitRate());
    m_timely.Start(settings, initial > 0 ? initial : line);
    SetRate(static_cast<uint64_t>(m_timely.GetRate()));
    m_nBytes = 0;
    m_lastCompletion = now;
}

void
TimelyControl::NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment)
{
    m_nBytes += acknowledgment.nBytes;
    const bool isComplete = m_settings.variant == TimelyRate::HPCC
                                ? now - m_lastCompletion >= acknowledgment.rtt
                                : m_nBytes >= m_segmentSize;
    if (isComplete && acknowledgment.rtt.IsStrictlyPositive())
    {
        m_timely.NotifyRtt(acknowledgment.rtt.GetNanoSeconds());
        SetRate(static_cast<uint64_t>(m_timely.GetRate()));
        m_nBytes = 0;
        m_lastCompletion = now;
        NS_LOG_LOGIC("gradient " << m_timely.GetGradient() << ", rate " << m_timely.GetRate());
    }
}

} // namespace ns3::aidc
