/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SHARE_MONITOR_H
#define AIDC_SHARE_MONITOR_H

#include "ns3/event-id.h"
#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Watches how senders that join one after another share a link.
 *
 * A sender counts by what its RoceNic has sent. The monitor must outlive the simulation. Of several
 * ranks (MpiRanks), each one calls the functions at the same points.
 */
class ShareMonitor
{
  public:
    /// How often senders are read.
    static constexpr int64_t INTERVAL_NS = 2000;

    /// What has become of the shares; all but the first are means over the joins.
    struct Result
    {
        /// Time from the second sender's join until the first one has given up half of what is due,
        /// a quarter of the link, s; the time to the next join if it does not.
        double reaction{0};
        /// Time from a join until Jain's index of the last 100 us is 0.95 or more for 100 us, s;
        /// the time to the next join if it is not.
        double convergence{0};
        double converged{0}; //!< share of the joins after which this has come
        double fairness{0};  //!< Jain's index of what is sent in the second half of the time after
    };

    /// @param network the network, with its hosts' adapters
    /// @param senders the hosts that send, in the order in which they join
    /// @param joins when each of them joins; they join at different times
    /// @param end when the last one has been there for as long as each other before the next
    /// @param goodput what the link carries, bytes of payload a second
    ShareMonitor(const FabricHelper& network,
                 const std::vector<NodeIndex>& senders,
                 const std::vector<Time>& joins,
                 Time end,
                 double goodput);
    ~ShareMonitor();

    ShareMonitor(const ShareMonitor&) = delete;
    ShareMonitor& operator=(const ShareMonitor&) = delete;

    /// Get what the other ranks have read, after the simulation.
    void Gather();

    /// @return what has become of the shares
    Result GetResult() const;

    /// Write the rates of all senders: `time_s`, then `sender_N_bit_s` for each.
    /// @param path the file, written anew
    /// @throws std::runtime_error if it cannot be written
    void Write(const std::string& path) const;

  private:
    /// Read the senders of this rank, and do so again later.
    void Read();

    /// Get the bytes that a sender has sent between two readings, by their numbers.
    double GetSent(std::size_t sender, std::size_t begin, std::size_t end) const;

    /// Get Jain's index of what senders have sent between two readings; 0 if they sent nothing.
    double GetFairness(std::size_t nSenders, std::size_t begin, std::size_t end) const;

    const FabricHelper& m_network;             //!< the network
    std::vector<NodeIndex> m_senders;          //!< the hosts
    std::vector<std::size_t> m_joins;          //!< the first reading after a join, then the end
    double m_goodput;                          //!< bytes that the link carries between two readings
    std::size_t m_nReadings{0};                //!< how often they were read
    std::vector<std::vector<uint64_t>> m_sent; //!< by sender and reading, bytes
    EventId m_event;                           //!< the next reading
};

} // namespace ns3::aidc

#endif // AIDC_SHARE_MONITOR_H
