/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_FLOW_RATE_H
#define AIDC_EDGE_FLOW_RATE_H

#include "edge-rate-law.h"
#include "edge-rate-meter.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/**
 * @brief The rate of a flow at the edge of a WAN: the measured rate (EdgeRateMeter) and the allowed
 *        rate (EdgeRateLaw).
 *
 * The rate is measured from the first notification of the flow on. A step before the first
 * measurement waits for it. If the flow sends more than a packet in the time of two measurements,
 * its rate is known by then; otherwise the step is dropped. Of several waiting steps, only the
 * largest one counts.
 *
 * There are no events: each call gives the time in ns, which never goes back.
 */
class EdgeFlowRate
{
  public:
    /// The settings.
    using Settings = EdgeRateLaw::Settings;

    /// Note a notification: lower the rate, or have a step wait.
    /// @param settings the settings
    /// @param now the time
    /// @param step the part of its rate that the flow loses, 0 for none
    /// @param feedback the feedback delay
    /// @return whether the rate was lowered
    bool Notify(const Settings& settings, int64_t now, double step, int64_t feedback);

    /// Take the rate that a router tells, or that new flows of the tunnel have. @return whether the
    /// rate was lowered
    bool Tell(const Settings& settings, int64_t now, const EdgeRateLaw::Told& told)
    {
        m_lastNotified = now;
        m_step.reset();
        return m_law.Tell(settings, now, told, m_meter.GetRate());
    }

    /// Count a packet, and do a waiting step if the rate is known now. bytes: the size of the
    /// packet. @return whether the rate was lowered
    bool Count(const Settings& settings, int64_t now, uint32_t bytes);

    /// Let the rate recover. The result does not depend on how often this is called. isWaiting:
    /// whether packets of the flow wait for their turn.
    void Update(const Settings& settings, int64_t now, bool isWaiting)
    {
        m_law.Update(settings, now, m_meter.GetRate(), isWaiting);
    }

    /// Stop limiting the flow.
    void Release()
    {
        m_law = EdgeRateLaw();
    }

    /// @return the allowed rate of the flow in bit/s, or EdgeRateLaw::UNLIMITED
    uint64_t Get() const
    {
        return m_law.GetRate();
    }

    /// Tell whether the flow no longer differs from a flow without notifications.
    bool IsIdle(const Settings& settings, int64_t now) const;

  private:
    /// A step that waits for the first measurement.
    struct Step
    {
        double size;      //!< the part by which the rate is lowered
        int64_t feedback; //!< the feedback delay
        int64_t end;      //!< until when it waits
    };

    EdgeRateMeter m_meter;      //!< measures the rate
    EdgeRateLaw m_law;          //!< the rate that is allowed
    std::optional<Step> m_step; //!< the step that waits
    int64_t m_lastNotified{0};  //!< time of the flow's last notification
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_FLOW_RATE_H
