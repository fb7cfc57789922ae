// SPDX-License-Identifier: GPL-2.0-only

#include "path-steering.h"

#include "ns3/flow-key.h"

namespace ns3::aidc
{

namespace
{

/// @return whether something is over for a time, if it ever was; in ns
bool
IsPast(int64_t now, std::optional<int64_t> last, int64_t time)
{
    return !last || now - *last >= time;
}

} // namespace

void
PathSteering::Notify(const Settings& settings,
                     int64_t now,
                     int64_t sent,
                     std::vector<SteeredPath>& paths)
{
    if (m_lastMove && sent < *m_lastMove)
    {
        paths[m_before].lastNotified = now;
        return;
    }
    paths[m_path].lastNotified = now;
    m_lastNotified = now;
    if (!Count(settings, now) || m_wanted || !IsPast(now, m_lastMove, settings.holdDown))
    {
        return;
    }
    m_wanted = FindBest(settings, now, paths, false);
    m_wantedSince = now;
}

uint32_t
PathSteering::Choose(const Settings& settings, int64_t now, const std::vector<SteeredPath>& paths)
{
    Update(settings, now, paths);
    if (m_wanted)
    {
        const int64_t pause = settings.gap + paths[m_path].delay - paths[*m_wanted].delay;
        if (now - m_lastPacket >= pause ||
            (settings.force > 0 && now - m_wantedSince >= settings.force))
        {
            Move(now, *m_wanted);
        }
    }
    m_lastPacket = now;
    return m_path;
}

void
PathSteering::Update(const Settings& settings, int64_t now, const std::vector<SteeredPath>& paths)
{
    if (!paths[m_path].isUp)
    {
        const auto other = FindBest(settings, now, paths, true);
        m_wanted.reset();
        if (other)
        {
            Move(now, *other);
        }
        return;
    }
    // It stays if that path is no longer better, or if the congestion that it wanted to leave is
    // over. The next notification will tell otherwise.
    if (m_wanted && (!IsGood(settings, now, paths[*m_wanted]) ||
                     (m_wanted != PRIMARY && IsPast(now, m_lastNotified, settings.quietTime))))
    {
        m_wanted.reset();
    }
    if (!m_wanted && m_path != PRIMARY && IsGood(settings, now, paths[PRIMARY]) &&
        IsPast(now, m_lastNotified, settings.quietTime) &&
        IsPast(now, m_lastMove, settings.holdDown))
    {
        m_wanted = PRIMARY;
        m_wantedSince = now;
    }
}

bool
PathSteering::IsIdle(const Settings& settings, int64_t now) const
{
    return m_path == PRIMARY && !m_wanted && IsPast(now, m_lastMove, settings.holdDown) &&
           IsPast(now, m_lastNotified, settings.window);
}

std::optional<uint32_t>
PathSteering::FindBest(const Settings& settings,
                       int64_t now,
                       const std::vector<SteeredPath>& paths,
                       bool isForced) const
{
    for (const bool takesAll : {false, true})
    {
        std::optional<int64_t> oldest;
        uint32_t nBest = 0;
        const auto isCandidate = [&](uint32_t i) {
            return i != m_path && (takesAll ? paths[i].isUp : IsGood(settings, now, paths[i]));
        };
        for (uint32_t i = 0; i < paths.size(); ++i)
        {
            if (isCandidate(i) && (nBest == 0 || paths[i].lastNotified <= oldest))
            {
                nBest = nBest > 0 && paths[i].lastNotified == oldest ? nBest + 1 : 1;
                oldest = paths[i].lastNotified;
            }
        }
        uint32_t left = nBest == 0 ? 0 : PickMember(m_hash, nBest);
        for (uint32_t i = 0; nBest > 0 && i < paths.size(); ++i)
        {
            if (isCandidate(i) && paths[i].lastNotified == oldest && left-- == 0)
            {
                return i;
            }
        }
        if (!isForced)
        {
            break;
        }
    }
    return std::nullopt;
}

bool
PathSteering::IsGood(const Settings& settings, int64_t now, const SteeredPath& path)
{
    return path.isUp && IsPast(now, path.lastNotified, settings.quietTime);
}

bool
PathSteering::Count(const Settings& settings, int64_t now)
{
    m_times[m_nTimes++ % MAX_THRESHOLD] = now;
    return m_nTimes >= settings.threshold &&
           now - m_times[(m_nTimes - settings.threshold) % MAX_THRESHOLD] < settings.window;
}

void
PathSteering::Move(int64_t now, uint32_t path)
{
    m_before = m_path;
    m_path = path;
    m_wanted.reset();
    m_nTimes = 0;
    m_lastMove = now;
}

} // namespace ns3::aidc
