/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_BOTTLENECKS_H
#define AIDC_CSIG_BOTTLENECKS_H

#include "csig-signal.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// A port that signals have named as the bottleneck of paths.
struct CsigBottleneck
{
    uint16_t locator{0};  //!< LM, which names the port
    uint64_t nReports{0}; //!< the number of signals that have named it
    uint32_t nPairs{0};   //!< the number of pairs of hosts of these signals
    uint64_t worst{0};    //!< the worst value, in the signal's unit
    uint64_t best{0};     //!< the best value, in the signal's unit
    double mean{0};       //!< the mean value, in the signal's unit
    double score{0};      //!< the rank of the port, see CsigBottlenecks
};

/**
 * @ingroup aidc
 * @brief Finds the ports that are most often, and most severely, the bottleneck of paths.
 *
 * Sections 8.2.1 and 8.3 of draft-ravi-ippm-csig-01 (February 2024) ask for the bottlenecks of many
 * pairs of hosts, for example of a mesh of probes. The ranking is ours. A degraded link is bad for
 * all flows at all times, a busy link is not. So the best value with which a port was ever named
 * decides. The score of a port is its severity times the number of signals that name it. The
 * severity is 1 - best / reference for a minimum (0 if the best value is above the reference), and
 * best / reference for a maximum.
 */
class CsigBottlenecks
{
  public:
    /// Constructor.
    /// @param aggregation the aggregation of the signal
    /// @param reference for a minimum the value of a healthy idle path, for a maximum a value that
    ///        counts as severe; above 0, in the signal's unit
    /// @throws std::invalid_argument if the reference is 0
    CsigBottlenecks(CsigAggregation aggregation, uint64_t reference);

    /// @return the reference of severities
    uint64_t GetReference() const
    {
        return m_reference;
    }

    /// Take a signal.
    /// @param pair any number that identifies the pair of hosts
    /// @param locator LM, which names the port
    /// @param value the value in the signal's unit
    void Add(uint32_t pair, uint16_t locator, uint64_t value);

    /// What signals of a pair of hosts have told of a port.
    struct Part
    {
        uint32_t pair{0};     //!< identifies the pair
        uint16_t locator{0};  //!< LM, which names the port
        uint64_t nReports{0}; //!< the number of signals, at least 1
        uint64_t worst{0};    //!< the worst value
        uint64_t best{0};     //!< the best value
        double sum{0};        //!< the sum of the values
    };

    /// Take signals that another object has. @param part what they have told
    void Add(const Part& part);

    /// @return what was taken, by locator and pair, for Add()
    std::vector<Part> GetParts() const;

    /// Get all ports that have been named.
    /// @return the ports, by descending score; at equal scores by ascending locator
    std::vector<CsigBottleneck> GetRanking() const;

  private:
    /// The signals that have named a port, by pair. So the mean depends only on the order of a
    /// pair's signals, which arrive at one host, not on that among hosts.
    using Port = std::map<uint32_t, Part>;

    /// Add signals to those of the same pair and port, or of the same port.
    void Join(const Part& part, Part& sum) const;

    /// Compute the score of a port. @param port its signals @return the score
    double GetScore(const Part& port) const;

    CsigAggregation m_aggregation;    //!< of the signal
    uint64_t m_reference;             //!< the reference of severities
    std::map<uint16_t, Port> m_ports; //!< by locator
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_BOTTLENECKS_H
