// SPDX-License-Identifier: GPL-2.0-only

#include "edge-flow.h"

namespace ns3::aidc
{

bool
EdgeFlowRate::Notify(const Settings& settings, int64_t now, double step, int64_t feedback)
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
        return m_law.Notify(settings, now, step, measured, feedback);
    }
    if (step > 0)
    {
        m_step = Step{std::max(step, m_step ? m_step->size : 0),
                      feedback,
                      now + 2 * settings.measureTime};
    }
    return false;
}

bool
EdgeFlowRate::Count(const Settings& settings, int64_t now, uint32_t bytes)
{
    m_meter.Count(now, bytes, settings.measureTime, settings.floor);
    if (!m_step || now > m_step->end || m_meter.GetRate() == 0)
    {
        return false;
    }
    const Step step = *m_step;
    m_step.reset();
    return m_law.Notify(settings, now, step.size, m_meter.GetRate(), step.feedback);
}

bool
EdgeFlowRate::IsIdle(const Settings& settings, int64_t now) const
{
    const bool isStepWaiting = m_step && now <= m_step->end;
    return !m_law.IsLimited() && !isStepWaiting && now - m_lastNotified >= settings.quietTime;
}

} // namespace ns3::aidc
