// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_PLACES_H
#define AIDC_FABRIC_PLACES_H

#include "fabric-distances.h"
#include "fabric-plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The places of a network that messages between ranks may pass: two messages without a
/// common place do not touch.
///
/// A place is a host's adapter, a switch with its memory, or a port of a scale-up switch. In the
/// fabric, the places are the nodes of all shortest paths, whatever paths hashes choose. So a
/// network whose packets take other paths needs another proof.
class FabricPlaces
{
  public:
    /// The server of a rank that is in none.
    static constexpr uint32_t NO_SERVER = 0xffffffff;

    /// @param fabric the network, finished, which outlives this object
    /// @param hosts the host of each rank
    /// @param servers by rank, the server in which ranks reach each other without the fabric; empty
    ///        for none
    FabricPlaces(const FabricPlan& fabric,
                 std::vector<NodeIndex> hosts,
                 std::vector<uint32_t> servers = {});

    /// @return whether messages go through the fabric
    bool UsesFabric(uint32_t from, uint32_t to) const;

    /// @param from who sends
    /// @param to who receives
    /// @param [in,out] places the places that messages may pass, which are added
    void AddPlaces(uint32_t from, uint32_t to, std::set<uint32_t>& places);

    /// Get the shape of the ways of messages, whatever places these pass: if two groups of ranks
    /// send the same, and have the same shape and no common place, the network does the same for
    /// both, as long as all switches and adapters are set up alike.
    /// @param ways the ranks that send, and to whom
    /// @return places of each way, numbered as they appear, with their ports, rates and delays;
    ///         empty if a way is not of the fabric, has several paths, or loses packets
    std::vector<uint64_t> GetShape(const std::vector<std::pair<uint32_t, uint32_t>>& ways) const;

    /// @return the rate of all links of a rank's host in bit/s
    double GetRate(uint32_t rank) const;

  private:
    /// @return the switches of all shortest paths from one attachment to another
    const std::vector<uint32_t>& GetSwitches(NodeIndex from, NodeIndex to);

    const FabricPlan& m_fabric;      //!< the network
    FabricDistances m_distances;     //!< of its switches
    std::vector<NodeIndex> m_hosts;  //!< by rank
    std::vector<uint32_t> m_servers; //!< by rank; or empty

    /// By attachments, switches of the paths.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> m_switches;
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_PLACES_H
