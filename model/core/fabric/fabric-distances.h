// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_DISTANCES_H
#define AIDC_FABRIC_DISTANCES_H

#include "fabric-plan.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The distances of the switches of a FabricPlan from the attachments of hosts.
///
/// A breadth-first search from the leaves of each FabricAttachment, over the links between switches
/// that are up, gives the distance of every switch, in links. Switches are counted by rows, in the
/// order of their nodes, and attachments by columns.
///
/// Cost: one search is linear in switches and links, a distance is kept as a byte for each switch
/// and attachment. A link that fails or is restored costs two reads for each attachment, and a
/// search for each attachment whose distances change.
class FabricDistances
{
  public:
    /// The distance if it is above 254, or if there is no path.
    static constexpr uint8_t UNREACHABLE = 0xff;

    /// A port that leads to a switch.
    struct Edge
    {
        uint32_t peer{0}; //!< the switch, by its row
        LinkIndex link;   //!< the link
        PortIndex port;   //!< the port
    };

    /// Some edges, by port.
    struct Edges
    {
        const Edge* first{nullptr}; //!< the first one
        uint32_t n{0};              //!< how many

        /// Begin a loop. @return the first edge
        const Edge* begin() const
        {
            return first;
        }

        /// End a loop. @return what is after the last edge
        const Edge* end() const
        {
            return first + n;
        }
    };

    /// Constructor; all links are up.
    /// @param fabric a finished fabric, which must live as long as this object
    /// @throws std::invalid_argument if a switch is more than 254 links from a leaf of its plane
    explicit FabricDistances(const FabricPlan& fabric);

    /// @param node the switch @return the row of the switch
    uint32_t GetRowOf(NodeIndex node) const
    {
        return m_rows[node];
    }

    /// Get the distances of a switch. @return its distance from each attachment
    const uint8_t* GetRow(uint32_t row) const
    {
        return &m_distances[std::size_t{row} * m_nColumns];
    }

    /// Get the distances from an attachment. @param column its index @return the distance of each
    /// switch, by row
    std::vector<uint8_t> GetColumn(uint32_t column) const;

    /// @param row the row of the switch @return the ports of the switch that lead to other switches
    Edges GetEdges(uint32_t row) const
    {
        return {m_edges.data() + m_edgeBegin[row], m_edgeBegin[row + 1] - m_edgeBegin[row]};
    }

    /// @return the ports of the host, which lead to leaves
    std::vector<Edge> GetEdgesOfHost(NodeIndex host) const;

    /// Search the distances of all switches from some leaves. @return the distances, by row
    const std::vector<uint8_t>& Search(const std::vector<NodeIndex>& leaves);

    /// Take a link down. @param link the link, which is up @return for each row, whether a distance
    /// has changed; empty for the link of a host
    std::vector<bool> Fail(LinkIndex link);

    /// Bring a link back. @param link the link, which is down @return for each row, whether a
    /// distance has changed; empty for the link of a host
    std::vector<bool> Restore(LinkIndex link);

    /// @return whether the link is up
    bool IsLinkUp(LinkIndex link) const
    {
        return m_isUp[link] != 0;
    }

    /// Get the number of searches so far.
    /// @return one for each attachment by the constructor, and the searches because of changes
    uint64_t GetNSearches() const
    {
        return m_nSearches;
    }

  private:
    /// @return the rows of the switches at its ends; for a host's link, twice the row of the leaf
    std::pair<uint32_t, uint32_t> GetRowsOf(LinkIndex link) const;

    /// Tell whether a switch has a live port to a switch at a certain distance.
    bool HasLivePeerAt(uint32_t row, uint32_t column, uint8_t distance) const;

    /// Repeat the search from some attachments. @return for each row, whether a distance changed
    std::vector<bool> Update(const std::vector<uint32_t>& columns);

    const FabricPlan& m_fabric;                //!< the plan
    uint32_t m_nColumns;                       //!< the number of attachments
    IndexedVector<NodeIndex, uint32_t> m_rows; //!< the row of each node; of hosts, nothing
    std::vector<uint32_t> m_edgeBegin;         //!< the first edge of each row, then their number
    std::vector<Edge> m_edges;                 //!< the edges of all rows, each row's by port
    IndexedVector<LinkIndex, uint8_t> m_isUp;  //!< of each link, whether it is up
    std::vector<uint8_t> m_distances; //!< a row for each switch, in it a distance for each column
    std::vector<uint8_t> m_found;     //!< of a search: the distance of each row
    std::vector<uint32_t> m_queue;    //!< of a search: the rows found
    uint64_t m_nSearches{0};          //!< the number of searches
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_DISTANCES_H
