/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_TRAFFIC_H
#define AIDC_FARE_CLOS_TRAFFIC_H

#include "fare-clos-scenario.h"

#include "ns3/fabric-helper.h"
#include "ns3/flow-records.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-work.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The traffic of FareClosExperiment: messages over RoCEv2's queue pairs.
 *
 * In the permutation, each pair of hosts has several queue pairs, and each of these two messages
 * under way until the end, so that hosts always have something to send. A message counts from when
 * the one before it has arrived. In all-to-all, each host sends a message to each other one, to
 * all at once, from the next host on.
 *
 * Queue pairs of the permutation begin at random times within the time that a message of each
 * queue pair of the host takes, and hosts of all-to-all within that of a packet. Otherwise all
 * would send in step, and for all seeds results would depend on single nanoseconds of delay.
 */
class FareClosTraffic
{
  public:
    /// Constructor. @param settings what the user has set, which outlives this
    explicit FareClosTraffic(const FareClosSettings& settings);

    FareClosTraffic(const FareClosTraffic&) = delete;
    FareClosTraffic& operator=(const FareClosTraffic&) = delete;

    /// Install the permutation.
    /// @param network the network, with RoceNics at its hosts
    /// @param pairs who sends to whom
    /// @param start when it begins
    /// @param end from when on no message begins
    void InstallPermutation(const FabricHelper& network,
                            const std::vector<FareClosPair>& pairs,
                            Time start,
                            Time end);

    /// Install all-to-all. The simulation stops when all has arrived.
    /// @param network the network, with RoceNics at its hosts
    /// @param start when it begins
    void InstallAllToAll(const FabricHelper& network, Time start);

    /// Find out what has arrived. Of several processes (MpiProcesses), each one calls it after the
    /// simulation.
    void Gather();

    /**
     * @brief Get the payload that has arrived in an interval.
     *
     * A message is taken to arrive evenly from when the one before it was there until it is. Those
     * that have not arrived as a whole until the end of the simulation do not count.
     *
     * @param from its begin
     * @param to its end
     * @return bytes
     */
    double GetBytes(Time from, Time to) const;

    /// Get when the last message has arrived. @return the time; the largest one if some have not
    Time GetEnd() const;

    /// Get how many queue pairs have brought a message to hosts of this process.
    /// @return their share of all, 0 to 1
    double GetShareArrived() const;

    /**
     * @brief Get the messages that have arrived in an interval.
     *
     * The ideal time of a message is that of its bytes alone on the queue pair's share of the
     * host's link.
     *
     * @param network the network
     * @param from its begin
     * @param to its end
     * @return the messages, by queue pair
     */
    std::vector<FlowRecord> GetRecords(const FabricHelper& network, Time from, Time to) const;

    /// Write how the throughput goes: the columns `time_s`, `goodput_bps` of all hosts and
    /// `changed_bps` of the pairs of hosts of the first leaf, for each interval of 50 us.
    /// @param path the file
    /// @param fabric the network
    /// @param from when the first interval begins
    /// @param to when the last one ends
    /// @throws std::runtime_error if the file cannot be written
    void WriteSeries(const std::string& path, const FabricPlan& fabric, Time from, Time to) const;

    /// Get the share of a link's bytes that is payload, if all packets are full and nothing else is
    /// sent.
    /// @return from 0 to 1
    static double GetEfficiency(const FabricHelper& network);

  private:
    /// A queue pair from a host to another one.
    struct Stream
    {
        FareClosPair pair;          //!< the hosts
        Ptr<RoceNic> nic;           //!< the adapter of the host that sends, null of another process
        uint32_t qp{0};             //!< the number of the queue pair there
        uint32_t nBytes{0};         //!< of a message
        uint32_t nPosted{0};        //!< messages that were posted
        Time first;                 //!< when the first one is
        Time end;                   //!< from when on none is
        std::vector<Time> arrivals; //!< when messages have arrived
    };

    /// The arrival of a message.
    struct Arrival
    {
        uint32_t stream; //!< the number of its queue pair
        int64_t time;    //!< when, in time steps
    };

    /// Get the bytes of a round, in which each queue pair to a host sends a message.
    uint64_t GetRoundBytes(uint64_t nBytes) const
    {
        return nBytes * m_settings.queuePairs;
    }

    /// Get how long a host's link takes for payload in full packets.
    static Time GetLinkTime(const FabricHelper& network, NodeIndex host, uint64_t nBytes);

    /// Draw a time. @return the time, at least 0
    Time DrawTime(Time limit);

    /// Get the payload that a queue pair has brought in an interval. @return bytes
    static double GetBytes(const Stream& stream, Time from, Time to);

    /// Make a queue pair.
    Stream* Connect(const FabricHelper& network,
                    const FareClosPair& pair,
                    uint32_t nBytes,
                    Time end);

    /// Have a queue pair's first messages posted.
    static void SchedulePost(const FabricHelper& network, Stream* stream, Time start);

    /// Send a message. @param stream the queue pair
    static void Post(Stream* stream);

    /// Send the next message.
    static void Complete(Stream* stream, uint32_t, const RoceCompletion& completion);

    /// Take note of a message that has arrived.
    static void Deliver(Stream* stream, uint32_t, const RoceDelivery& delivery);

    /// @return the queue pairs that have brought a message to hosts of this process
    std::size_t CountArrived() const;

    /// Stop the simulation if messages of all-to-all have arrived, or look again later.
    void LookWhetherDone();

    const FareClosSettings& m_settings;             //!< what the user has set
    Ptr<UniformRandomVariable> m_start;             //!< when something begins
    std::vector<std::unique_ptr<Stream>> m_streams; //!< the queue pairs
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_TRAFFIC_H
