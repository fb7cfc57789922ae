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
 * @brief Chooses the path of a tunnel for packets that are not steered.
 *
 * It is the first path that is up, in the order of preference. A path that has been down is
 * preferred again only after it has been up for the hold time, so that a flapping link does not
 * move the traffic each time. If there is no other path, it is used at once.
 */
class TunnelPathChoice
{
  public:
    /// No path.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /// Start with paths that are all up and have never been down. @param n their number
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

  private:
    /// The state of a path.
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
