/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PATH_STEERING_H
#define AIDC_PATH_STEERING_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// A path of a tunnel, as the edge of a WAN knows it.
struct SteeredPath
{
    int64_t delay{0};                    //!< its one-way delay in ns, 0 if it is not known
    std::optional<int64_t> lastNotified; //!< when it was last notified of, in ns, if ever
    bool isUp{true};                     //!< whether it is up
};

/**
 * @ingroup aidc
 * @brief Chooses a flow's path at the edge of a WAN.
 *
 * The rerouting of draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1, which has no numbers:
 * "Dynamically steering the flow to an alternative, less congested path within the WAN if
 * available". So that it neither flaps nor reorders packets:
 *
 * - A flow wants to leave its path after a number of notifications within a window, for the path
 *   that was notified of longest ago; never for one that is down or was notified of within the
 *   quiet time. Notifications of packets that took the previous path do not count.
 * - It leaves only if the pause since its last packet is as long as a gap, plus what the old path
 *   takes longer than the new one: so no packet overtakes another one. If that is less than 0, it
 *   leaves at once; and, where that is configured, after a time it leaves without.
 * - It does not want to leave again for a hold-down time.
 * - It wants to return to the primary path when there was no notification for a quiet time, of it
 *   or of that path.
 * - From a path that is down it goes at once, in any case.
 *
 * There are no events: each call gives the time, which never runs backwards.
 */
class PathSteering
{
  public:
    /// The largest number of notifications that may be waited for.
    static constexpr uint32_t MAX_THRESHOLD = 16;
    /// The primary path, to which flows return.
    static constexpr uint32_t PRIMARY = 0;

    /// What it depends on. Times are in ns.
    struct Settings
    {
        uint32_t threshold{3};          //!< notifications that move a flow, 1 to MAX_THRESHOLD
        int64_t window{50'000'000};     //!< time within which they come, > 0
        int64_t holdDown{100'000'000};  //!< least time between moves, at least 0
        int64_t quietTime{200'000'000}; //!< time without notifications for a return, >= 0
        int64_t gap{500'000};           //!< pause before a packet that may take another path, > 0
        int64_t force{0};               //!< after which wait a flow moves without one, 0 for never
    };

    /// Constructor.
    /// @param now the time; a packet of the flow may have just left
    /// @param path the path where the flow is
    /// @param hash the flow's hash, which decides between equal paths
    explicit PathSteering(int64_t now = 0, uint32_t path = PRIMARY, uint32_t hash = 0)
        : m_hash(hash),
          m_path(path),
          m_before(path),
          m_lastPacket(now)
    {
    }

    /// Take note of a notification, if the flow is to be moved.
    /// @param settings what it depends on
    /// @param now the time
    /// @param sent when the marked packet left the edge, by the age of the notification
    /// @param [in,out] paths the paths
    void Notify(const Settings& settings,
                int64_t now,
                int64_t sent,
                std::vector<SteeredPath>& paths);

    /// Choose the path of a packet that leaves.
    /// @param settings what it depends on
    /// @param now the time
    /// @param paths the paths
    /// @return the path
    uint32_t Choose(const Settings& settings, int64_t now, const std::vector<SteeredPath>& paths);

    /// Change the path if the time or the state of the paths demands it.
    /// @param settings what it depends on
    /// @param now the time
    /// @param paths the paths
    void Update(const Settings& settings, int64_t now, const std::vector<SteeredPath>& paths);

    /// @return the path of the last packet, or of the next one if that path had to be left
    uint32_t GetPath() const
    {
        return m_path;
    }

    /// Tell whether the flow no longer differs from a new one.
    /// @param settings what it depends on
    /// @param now the time
    /// @return whether it is on the primary path and nothing of the past counts any more
    bool IsIdle(const Settings& settings, int64_t now) const;

  private:
    /// Find the best path that is not the flow's.
    /// @param settings what it depends on
    /// @param now the time
    /// @param paths the paths
    /// @param isForced whether any path will do that is up
    /// @return the path, if there is one
    std::optional<uint32_t> FindBest(const Settings& settings,
                                     int64_t now,
                                     const std::vector<SteeredPath>& paths,
                                     bool isForced) const;

    /// Say whether a flow may be moved to a path.
    /// @param settings what it depends on
    /// @param now the time
    /// @param path the path
    /// @return whether it is up and was not notified of within the quiet time
    static bool IsGood(const Settings& settings, int64_t now, const SteeredPath& path);

    /// Count a notification of the path that the flow is on.
    /// @param settings what it depends on
    /// @param now the time
    /// @return whether there are as many as move a flow
    bool Count(const Settings& settings, int64_t now);

    /// Go to another path.
    void Move(int64_t now, uint32_t path);

    std::array<int64_t, MAX_THRESHOLD> m_times{}; //!< times of notifications, a ring
    uint32_t m_nTimes{0};                         //!< how many there were since the last move
    uint32_t m_hash;                              //!< decides between equal paths
    uint32_t m_path;                              //!< the flow's path
    uint32_t m_before;                            //!< the one before
    std::optional<uint32_t> m_wanted;             //!< where it wants to go, unless it stays
    int64_t m_wantedSince{0};                     //!< since when
    int64_t m_lastPacket;                         //!< when the last packet left
    std::optional<int64_t> m_lastMove;            //!< when it last moved, if ever
    std::optional<int64_t> m_lastNotified;        //!< when it was last notified of, if ever
};

} // namespace ns3::aidc

#endif // AIDC_PATH_STEERING_H
