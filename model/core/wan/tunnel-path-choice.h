/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TUNNEL_PATH_CHOICE_H
#define AIDC_TUNNEL_PATH_CHOICE_H

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Chooses the path of a tunnel for packets that nobody steers.
 *
 * The first one that is up, in the order of preference. A path that has been down is preferred
 * again only once it has been up for the hold time, so that a link that comes and goes does not
 * move the traffic each time; if there is no other, it is used at once.
 */
class TunnelPathChoice
{
  public:
    /// No path.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /// Begin with paths that are all up and have never been down. @param n their number
    void Reset(uint32_t n);

    /// Set whether a path is up.
    /// @param path the path
    /// @param isUp whether it is
    /// @param now the time
    /// @return whether that is new
    bool SetUp(uint32_t path, bool isUp, int64_t now);

    /// @return whether a path is up
    bool IsUp(uint32_t path) const
    {
        return m_paths.at(path).isUp;
    }

    /// Choose again.
    /// @param now the time
    /// @param hold the hold time, not negative
    /// @return the path, NONE if none is up
    uint32_t Choose(int64_t now, int64_t hold);

    /// @return the last choice, NONE if no path was up or none was chosen yet
    uint32_t GetChosen() const
    {
        return m_chosen;
    }

    /// Get when to choose again, if no path goes up or down before.
    /// @param now the time
    /// @param hold the hold time
    /// @return the time, if there is a need to
    std::optional<int64_t> GetNextChoice(int64_t now, int64_t hold) const;

  private:
    /// What is known of a path.
    struct Path
    {
        bool isUp{true};       //!< whether it is up
        bool hasFailed{false}; //!< whether it has ever been down
        int64_t upSince{0};    //!< since when it is up, if it has been down
    };

    std::vector<Path> m_paths; //!< in the order of preference
    uint32_t m_chosen{NONE};   //!< the last choice
};

} // namespace ns3::aidc

#endif // AIDC_TUNNEL_PATH_CHOICE_H
