/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FAILURE_PROBE_H
#define AIDC_FAILURE_PROBE_H

#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What FailureProbe has found lost in a time.
struct ProbeLoss
{
    double packets{0}; //!< lost, of hosts that send a packet each interval
    Time end;          //!< until when packets were lost; zero if none was
};

/**
 * @ingroup aidc
 * @brief Traffic that tells when packets get lost, and how many.
 *
 * Each packet goes from one of a host's sockets to a host at another leaf, both drawn at random. It
 * stands for all packets that its host would send until the next one, at one packet an interval.
 *
 * From LEAD before each moment of change, hosts send at this interval. Later, the time to the next
 * packet is a share of the time since the last moment. So times of microseconds and of seconds are
 * both measured to a fraction of a percent, with some thousands of packets.
 */
class FailureProbe
{
  public:
    /// How long before a moment packets are sent at each interval: longer than they take.
    static constexpr int64_t LEAD = 50'000; // ns

    /**
     * @brief Constructor.
     * @param network the fabric, with addresses
     * @param interval the time between packets of a host
     * @param moments when routes change, ascending and not empty; the hosts send from the first one
     * @param end when they end
     * @param stream the first stream of random variables; there is one for each host
     */
    FailureProbe(const FabricHelper& network,
                 Time interval,
                 const std::vector<Time>& moments,
                 Time end,
                 int64_t stream);

    FailureProbe(const FailureProbe&) = delete;
    FailureProbe& operator=(const FailureProbe&) = delete;

    /// Find out what has arrived. Of several processes (MpiProcesses), each one calls it after the
    /// simulation.
    void Gather();

    /// @return the packets that were sent
    std::size_t GetNSent() const;

    /// Get what was lost, when all packets have arrived.
    /// @param from the time of the first packet that counts
    /// @param to the time from which on packets do not count
    /// @return the loss
    ProbeLoss GetLoss(Time from, Time to) const;

  private:
    /// The numbers of a packet, which it carries.
    struct Numbers
    {
        uint32_t host;   //!< of its host
        uint32_t packet; //!< of its host's packets
    };

    /// A packet that was sent.
    struct Sent
    {
        uint32_t host; //!< the number of its host
        int64_t time;  //!< when, in time steps
    };

    /// A packet.
    struct Record
    {
        Time sent;              //!< when
        bool hasArrived{false}; //!< whether it has
    };

    /// A host.
    struct Source
    {
        Ptr<Socket> sink;                       //!< receives
        std::vector<Ptr<Socket>> sockets;       //!< each with a port of its own
        std::vector<Ipv4Address> destinations;  //!< of hosts at other leaves
        Ptr<UniformRandomVariable> uniform;     //!< draws socket and destination
        std::vector<Record> records;            //!< of its packets
        std::vector<Time>::const_iterator next; //!< the next moment
    };

    /// Send a packet, and schedule the next one. @param host the number of the host
    void Send(uint32_t host);

    /// Note packets that have arrived. @param socket where
    void Receive(Ptr<Socket> socket);

    Time m_interval;                 //!< between packets
    std::vector<Time> m_moments;     //!< of change
    Time m_end;                      //!< of sending
    std::vector<Source> m_sources;   //!< by host
    std::vector<Numbers> m_arrivals; //!< packets that have arrived at hosts of this process
};

} // namespace ns3::aidc

#endif // AIDC_FAILURE_PROBE_H
