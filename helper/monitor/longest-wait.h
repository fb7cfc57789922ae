// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LONGEST_WAIT_H
#define AIDC_LONGEST_WAIT_H

#include "ns3/node.h"
#include "ns3/ptr.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The wait of the queue pair that has waited longest for one cause, with times in s.
struct LongestWait
{
    std::string queuePair; //!< its hosts and number: "host-0 to host-5, queue pair 17"
    std::string cause;     //!< pause, rate, window or timeout (RoceWaitTimes)
    double waited{0};      //!< how long it has waited for that cause in all
    double since{0};       //!< when the longest one of these waits began
    double longest{0};     //!< how long this wait was

    /// @return the same in a sentence
    std::string Describe() const;
};

/// Find the queue pair that has waited longest for one cause so far. It reads what queue pairs
/// keep. With several processes (MpiProcesses), each one calls it with the same nodes at the same
/// point.
/// @param nodes the nodes of a network, by name
/// @return the wait; none if no queue pair has waited
std::optional<LongestWait> FindLongestWait(
    const std::vector<std::pair<std::string, Ptr<Node>>>& nodes);

} // namespace ns3::aidc

#endif // AIDC_LONGEST_WAIT_H
