// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_STEERING_H
#define AIDC_PATH_STEERING_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The state of a tunnel's path at the edge of a WAN.
struct SteeredPath
{
    int64_t delay{0};                    //!< its one-way delay in ns, 0 if it is not known
    std::optional<int64_t> lastNotified; //!< time of its last notification in ns, if any
    bool isUp{true};                     //!< whether it is up
};

/// Chooses a flow's path at the edge of a WAN.
///
/// This is the rerouting of draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1, which has no numbers:
/// "Dynamically steering the flow to an alternative, less congested path within the WAN if
/// available". The following rules avoid flapping and reordering:
///
/// - After a number of notifications within a window, a flow wants to move to the path whose last
///   notification is the oldest; never to a path that is down, or that had a notification within
///   the quiet time. Notifications of packets that took the previous path do not count.
/// - It moves only if the pause since its last packet is at least a gap plus the delay of the old
///   path minus the delay of the new one, so that no packet overtakes another one. If this sum is
///   negative, it moves at once. If configured, it moves without a pause after a time (force).
/// - It does not want to move again for a hold-down time.
/// - It wants to return to the primary path after a quiet time without notifications of the flow or
///   of the primary path.
/// - It leaves a path that is down at once, in any case.
///
/// There are no events: each call gives the time, which never goes back.
class PathSteering
{
  public:
    /// The largest number of notifications that move a flow.
    static constexpr uint32_t MAX_THRESHOLD = 16;
    /// The primary path, to which flows return.
    static constexpr uint32_t PRIMARY = 0;

    /// The settings. Times are in ns.
    struct Settings
    {
        uint32_t threshold{3};          //!< notifications that move a flow, 1 to MAX_THRESHOLD
        int64_t window{50'000'000};     //!< time within which they have to come, > 0
        int64_t holdDown{100'000'000};  //!< least time between moves, at least 0
        int64_t quietTime{200'000'000}; //!< time without notifications for a return, >= 0
        int64_t gap{500'000};           //!< pause before a packet that may take another path, > 0
        int64_t force{0};               //!< wait before a move without a pause, 0 for never
    };

    /// Constructor. now: the time; a packet of the flow may have just left; path: the path of the
    /// flow; hash: the flow's hash, which decides between equal paths.
    explicit PathSteering(int64_t now = 0, uint32_t path = PRIMARY, uint32_t hash = 0)
        : m_hash(hash),
          m_path(path),
          m_before(path),
          m_lastPacket(now)
    {
    }

    /// Note a notification, if the flow is to be moved. sent: when the marked packet left
    /// the edge, by the age of the notification.
    void Notify(const Settings& settings,
                int64_t now,
                int64_t sent,
                std::vector<SteeredPath>& paths);

    /// Choose the path of a packet that leaves.
    uint32_t Choose(const Settings& settings, int64_t now, const std::vector<SteeredPath>& paths);

    /// Change the path if time or the states of paths require it.
    void Update(const Settings& settings, int64_t now, const std::vector<SteeredPath>& paths);

    /// @return the path of the last packet, or of the next one if that path had to be left
    uint32_t GetPath() const
    {
        return m_path;
    }

    /// Tell whether the flow no longer differs from a new one. @return whether it is on the primary
    /// path and no past event has an effect any more
    bool IsIdle(const Settings& settings, int64_t now) const;

  private:
    /// Find the best path that is not the flow's. @return the path, if there is one
    std::optional<uint32_t> FindBest(const Settings& settings,
                                     int64_t now,
                                     const std::vector<SteeredPath>& paths,
                                     bool isForced) const;

    /// @return whether a path is up and had no notification within the quiet time
    static bool IsGood(const Settings& settings, int64_t now, const SteeredPath& path);

    /// Count a notification of the flow's path. @return whether there are enough to move a flow
    bool Count(const Settings& settings, int64_t now);

    void Move(int64_t now, uint32_t path);

    std::array<int64_t, MAX_THRESHOLD> m_times{}; //!< times of notifications, a ring
    uint32_t m_nTimes{0};                         //!< how many there were since the last move
    uint32_t m_hash;                              //!< decides between equal paths
    uint32_t m_path;                              //!< the flow's path
    uint32_t m_before;                            //!< the path before
    std::optional<uint32_t> m_wanted;             //!< where it wants to move, if it does
    int64_t m_wantedSince{0};                     //!< since when
    int64_t m_lastPacket;                         //!< when the last packet left
    std::optional<int64_t> m_lastMove;            //!< when it last moved, if ever
    std::optional<int64_t> m_lastNotified;        //!< time of its last notification, if any
};

} // namespace ns3::aidc

#endif // AIDC_PATH_STEERING_H
