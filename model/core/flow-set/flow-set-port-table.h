/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOW_SET_PORT_TABLE_H
#define AIDC_FLOW_SET_PORT_TABLE_H

#include "flow-set-decision.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The port status table of flow-set switching, and the choice of the best port (sections 6.2
 *        and 5.2.2 of draft-li-rtgwg-congestion-aware-flowset-switching-00).
 *
 * Candidates are lists of port identifiers. Ports that were not added count as down.
 */
class FlowSetPortTable
{
  public:
    /// The largest port identifier.
    static constexpr uint32_t MAX_PORT = std::numeric_limits<uint16_t>::max();

    /// Start up: the CQI of all ports is 0 (the draft's section 7.1, step 2).
    void Reset();

    /// Add a port, up and with a CQI of 0.
    /// @param port its identifier, at most MAX_PORT; a small number, as the table is indexed by it
    /// @throws std::invalid_argument if there is such a port already or the identifier is too large
    void Add(uint32_t port);

    /// @param port the identifier of a port @return whether it was added
    bool Has(uint32_t port) const;

    /// Set a port's status. isUp: true for UP, false for DOWN. @throws std::invalid_argument if
    /// there is no such port
    void SetUp(uint32_t port, bool isUp)
    {
        m_ports[Require(port)].status.isUp = isUp;
    }

    /// Take the assessment of a port at the end of an interval (the draft's section 5.1.3). The
    /// next interval begins with a new budget of migrations.
    /// @param port the port
    /// @param cqi its CQI
    /// @param queueDepth its queue depth in bytes
    /// @throws std::invalid_argument if there is no such port
    void Advertise(uint32_t port, uint32_t cqi, uint64_t queueDepth);

    /// Get a row of the table, read-only (the draft's section 9.2). @return the row, valid until
    /// the next call of Add() @throws std::invalid_argument if there is no such port
    const PortStatus& Get(uint32_t port) const
    {
        return m_ports[Require(port)].status;
    }

    /// Get how many entries were migrated from a port since its last assessment.
    /// @param port the port
    /// @return their number, at most the initial CQI (the draft's section 5.2.3), unless the
    ///         strategy is FULL_SWITCH
    /// @throws std::invalid_argument if there is no such port
    uint32_t GetMigrations(uint32_t port) const
    {
        return m_ports[Require(port)].migrations;
    }

    /// @param isByBudget whether ports are ranked by the remaining CQI, not by the assessed one
    void RankByBudget(bool isByBudget)
    {
        m_isByBudget = isByBudget;
    }

    /// @param port a port that was added
    /// @return the CQI that it was assessed with; 0 if it is not congested
    uint32_t GetInitialCqi(uint32_t port) const
    {
        return m_ports[port].status.initialCqi;
    }

    /// @param port a port that was added
    /// @return the remaining CQI: how many entries may still be migrated from it
    uint32_t GetBudget(uint32_t port) const
    {
        return m_ports[port].status.cqi;
    }

    /// @param port a port that was added, from which an entry is migrated
    void CountMigration(uint32_t port)
    {
        auto& from = m_ports[port];
        from.status.cqi -= from.status.cqi > 0 ? 1 : 0;
        ++from.migrations;
    }

    /// @param port the identifier of a port
    /// @return whether it is up; false also if there is no such port
    bool IsUp(uint32_t port) const
    {
        return port < m_ports.size() && m_ports[port].status.isUp;
    }

    /// @param port a port that was added @return the CQI that the port is ranked by
    uint32_t GetRank(uint32_t port) const
    {
        return m_isByBudget ? GetBudget(port) : GetInitialCqi(port);
    }

    /// Tell whether an available candidate has a CQI that is small enough. cqi: a candidate's rank
    /// plus the hysteresis has to be below this. @return true if there is one
    bool HasSmaller(uint32_t cqi, uint32_t hysteresis, const uint32_t* ports, uint32_t nPorts) const
    {
        for (uint32_t i = 0; i < nPorts; ++i)
        {
            if (IsUp(ports[i]) && GetRank(ports[i]) + hysteresis < cqi)
            {
                return true;
            }
        }
        return false;
    }

    /// ports: the candidates; position: where to look first; where it is. @return true if it is
    /// among them
    static bool Locate(uint32_t port, const uint32_t* ports, uint32_t nPorts, uint32_t& position)
    {
        if (position < nPorts && ports[position] == port)
        {
            return true;
        }
        position = 0;
        while (position < nPorts && ports[position] != port)
        {
            ++position;
        }
        return position < nPorts;
    }

    /// Select the available candidate with the smallest CQI, then the smallest depth.
    /// @tparam Depth a callable: uint32_t port -> uint64_t bytes in the port's queue now
    /// @tparam Choose a callable: uint32_t n -> uint32_t from 0 to n - 1
    /// @param ports the candidates
    /// @param nPorts their number
    /// @param depth gives queue depths
    /// @param choose chooses one of n > 1 equally good ports
    /// @return its position among the candidates, or nPorts if none is available
    template <typename Depth, typename Choose>
    uint32_t SelectLightest(const uint32_t* ports,
                            uint32_t nPorts,
                            const Depth& depth,
                            const Choose& choose) const
    {
        uint32_t first = nPorts; // of the best
        uint32_t nBest = 0;
        uint32_t leastCqi = 0;
        uint64_t leastDepth = 0;
        for (uint32_t i = 0; i < nPorts; ++i)
        {
            if (!IsUp(ports[i]))
            {
                continue;
            }
            const uint32_t cqi = GetRank(ports[i]);
            if (nBest > 0 && cqi > leastCqi)
            {
                continue;
            }
            const uint64_t bytes = depth(ports[i]);
            if (nBest == 0 || cqi < leastCqi || bytes < leastDepth)
            {
                first = i;
                nBest = 1;
                leastCqi = cqi;
                leastDepth = bytes;
            }
            else if (bytes == leastDepth)
            {
                ++nBest;
            }
        }
        if (nBest <= 1)
        {
            return first;
        }
        uint32_t skip = choose(nBest);
        uint32_t i = first;
        while (skip > 0)
        {
            ++i;
            if (IsUp(ports[i]) && GetRank(ports[i]) == leastCqi && depth(ports[i]) == leastDepth)
            {
                --skip;
            }
        }
        return i;
    }

  private:
    /// A port that was added, or the place for one.
    struct Port
    {
        PortStatus status;      //!< its row of the table
        uint32_t migrations{0}; //!< entries migrated from it since its last assessment
        bool isAdded{false};    //!< false for a place without a port
    };

    /// Check that there is a port. @throws std::invalid_argument if there is no such port
    uint32_t Require(uint32_t port) const;

    std::vector<Port> m_ports; //!< the ports, by identifier
    bool m_isByBudget{false};  //!< whether ports are ranked by their remaining CQI
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_PORT_TABLE_H
