// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TUNNEL_PATHS_H
#define AIDC_TUNNEL_PATHS_H

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The MTUs of the paths to destinations, as routers on the way have told them (RFC 1191).
///
/// They are soft state: old MTUs are forgotten, and the next packet that is too long finds out
/// whether the path still has that MTU (RFC 1191, section 6.3).
class PathMtuTable
{
  public:
    /// Note an MTU. mtu: the MTU in bytes; now: the time in ns. @return whether it is less than the
    /// known MTU
    bool Lower(uint32_t destination, uint32_t mtu, int64_t now);

    /// @return the MTU in bytes, the largest number if none is known
    uint32_t Get(uint32_t destination) const;

    /// Forget old MTUs. now: the time in ns; timeout: the age in ns at which an MTU is forgotten.
    /// @return whether there was any
    bool Forget(int64_t now, int64_t timeout);

  private:
    /// An MTU.
    struct Entry
    {
        uint32_t mtu; //!< the MTU in bytes
        int64_t time; //!< when it was told, in ns
    };

    std::map<uint32_t, Entry> m_entries; //!< by destination
};

/// Chooses the path of a tunnel for packets that are not steered.
///
/// It is the first path that is up, in the order of preference. A path that has been down is
/// preferred again only after it has been up for the hold time, so that a flapping link does not
/// move the traffic each time. If there is no other path, it is used at once.
///
/// It also counts the keepalives of paths that do not return, and tells which paths are silent.
class TunnelPathChoice
{
  public:
    /// No path.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /// Start with paths that are all up, not silent and have never been down. @param n their number
    void Reset(uint32_t n);

    /// Set whether a path is up. @return whether that is new
    bool SetUp(uint32_t path, bool isUp, int64_t now);

    /// @return whether a path is up
    bool IsUp(uint32_t path) const
    {
        return m_paths.at(path).isUp;
    }

    /// Choose again. hold: the hold time, not negative. @return the path, NONE if none is up
    uint32_t Choose(int64_t now, int64_t hold);

    /// @return the last choice, NONE if no path was up or none was chosen yet
    uint32_t GetChosen() const
    {
        return m_chosen;
    }

    /// Get the time of the next choice, if no path goes up or down before. @return the time, if a
    /// new choice is needed
    std::optional<int64_t> GetNextChoice(int64_t now, int64_t hold) const;

    /// Count keepalives from 0. @param isOn whether they go on; without them no path is silent
    void RestartKeepalives(bool isOn);

    /// Begin a round of keepalives: paths with too many that have not returned are silent now.
    /// @param misses how many are too many
    void BeginKeepalives(uint32_t misses);

    /// A keepalive is sent. @param path the index of its path
    void NotifySent(uint32_t path)
    {
        ++m_paths[path].unanswered;
    }

    /// A keepalive has returned. @param path the index of its path @return whether the path was
    /// silent
    bool NotifyReturned(uint32_t path);

    /// @param path the index of a path @return whether its keepalives do not return
    bool IsSilent(uint32_t path) const
    {
        return m_paths[path].isSilent;
    }

  private:
    /// The state of a path.
    struct Path
    {
        bool isUp{true};        //!< whether it is up
        bool hasFailed{false};  //!< whether it has ever been down
        int64_t upSince{0};     //!< since when it is up, if it has been down
        uint32_t unanswered{0}; //!< keepalives since the last one that returned
        bool isSilent{false};   //!< whether they do not return
    };

    std::vector<Path> m_paths; //!< in the order of preference
    uint32_t m_chosen{NONE};   //!< the last choice
};

} // namespace ns3::aidc

#endif // AIDC_TUNNEL_PATHS_H
