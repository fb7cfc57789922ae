// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RATE_CONTROLS_H
#define AIDC_RATE_CONTROLS_H

#include "../core/transport/dcqcn-reaction-point.h"
#include "../core/transport/timely-rate.h"
#include "congestion-control.h"

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3::aidc
{

/// DCQCN: rates that congestion notification packets cut and timers raise.
///
/// Attributes are read when the connection starts. The value 0 of an attribute stands for the
/// variant's value, whose source is in the attribute's help.
class DcqcnControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifySent(Time now, uint32_t nBytes) override;
    void NotifyCnp(Time now) override;
    uint64_t GetRate(Time now) override;
    Time GetNextChange() const override;

    /// @param now the time
    /// @return R_T, the rate to return to, in bit/s
    uint64_t GetTargetRate(Time now);

    /// @param now the time
    /// @return alpha, the estimate of congestion, from 0 to 1
    double GetAlpha(Time now) const;

  private:
    DcqcnSettings m_settings;   //!< attributes, 0 for a value of the variant
    DcqcnReactionPoint m_point; //!< alpha, the rates and the timers
};

/// TIMELY: a rate by the gradient of the round-trip time.
///
/// A completion is the first acknowledgment with a measured round-trip time after SegmentSize bytes
/// on the wire were acknowledged, or after a round trip in variant Hpcc.
///
/// Attributes are read when the connection starts.
class TimelyControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;

  private:
    TimelyRate::Settings m_settings; //!< attributes; 0 where a rate is derived from the line's
    DataRate m_initialRate;          //!< InitialRate
    uint64_t m_segmentSize{0};       //!< SegmentSize

    TimelyRate m_timely;   //!< the rate
    uint64_t m_nBytes{0};  //!< bytes acknowledged since the last completion
    Time m_lastCompletion; //!< when the last completion was
};

} // namespace ns3::aidc

#endif // AIDC_RATE_CONTROLS_H
