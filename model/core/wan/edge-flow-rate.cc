/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-flow-rate.h"

#include <algorithm>

namespace ns3::aidc
{

bool
EdgeFlowRate::Notify(const Config& config, int64_t now, double step, int64_t feedback)
{
    m_lastNotified = now;
    if (m_step && now > m_step->end)
    {
        m_step.reset();
    }
    const uint64_t measured = m_meter.GetRate();
    if (measured > 0)
    {
        m_step.reset();
        return m_law.Notify(config, now, step, measured, feedback);
    }
    if (step > 0)
    {
        m_step =
            Step{std::max(step, m_step ? m_step->size : 0), feedback, now + 2 * config.measureTime};
    }
    return false;
}

bool
EdgeFlowRate::Count(const Config& config, int64_t now, uint32_t bytes)
{
    m_meter.Count(now, bytes, config.measureTime, config.floor);
    if (!m_step || now > m_step->end || m_meter.GetRate() == 0)
    {
        return false;
    }
    const Step step = *m_step;
    m_step.reset();
    return m_law.Notify(config, now, step.size, m_meter.GetRate(), step.feedback);
}

void
EdgeFlowRate::Update(const Config& config, int64_t now, bool isWaiting)
{
    m_law.Update(config, now, m_meter.GetRate(), isWaiting);
}

void
EdgeFlowRate::Release()
{
    m_law = EdgeRateLaw();
}

bool
EdgeFlowRate::IsIdle(const Config& config, int64_t now) const
{
    const bool isStepWaiting = m_step && now <= m_step->end;
    return !m_law.IsLimited() && !isStepWaiting && now - m_lastNotified >= config.quietTime;
}

} // namespace ns3::aidc
