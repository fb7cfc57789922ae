/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_NIC_STATISTICS_H
#define AIDC_ROCE_NIC_STATISTICS_H

#include "../core/transport/roce-bytes.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What a RoceNic counts.
 */
struct RoceNicStatistics
{
    uint64_t sentPackets{0};          //!< packets of data: messages and responses to reads
    uint64_t sentBytes{0};            //!< their payload
    uint64_t receivedPackets{0};      //!< packets of data, in order or not
    uint64_t receivedBytes{0};        //!< their payload
    uint64_t duplicatePackets{0};     //!< packets of messages that had arrived before
    uint64_t retransmittedPackets{0}; //!< packets of data that were sent again
    uint64_t timeouts{0};             //!< expirations of retransmission timers
    uint64_t probes{0};               //!< probes of lost ends (TailLossProbe)
    uint64_t sentAcks{0};             //!< acknowledgments
    uint64_t receivedAcks{0};         //!< acknowledgments
    uint64_t sentNaks{0};             //!< refusals: sequence errors and fatal ones
    uint64_t receivedNaks{0};         //!< refusals: sequence errors and fatal ones
    uint64_t sentRnrNaks{0};          //!< requests to wait
    uint64_t receivedRnrNaks{0};      //!< requests to wait
    uint64_t ceReceived{0};           //!< packets of data with CE
    uint64_t sentCnps{0};             //!< congestion notification packets
    uint64_t receivedCnps{0};         //!< congestion notification packets
    uint64_t errors{0};               //!< queue pairs that have failed

    // Packets of data with in-band telemetry that does not tell of the whole path
    uint64_t incompleteTelemetry{0}; //!< of fewer hops than routers on the way
    uint64_t overfullTelemetry{0};   //!< of more hops than there is room for

    // Packets that were dropped
    std::array<uint64_t, static_cast<std::size_t>(RoceResult::N_RESULTS)>
        malformed{};               //!< by reason; RoceResult::OK stays 0
    uint64_t badInvariantCrcs{0};  //!< with a wrong invariant CRC
    uint64_t badPartitions{0};     //!< of another partition
    uint64_t unknownQueuePairs{0}; //!< for no queue pair, or not from its peer
    uint64_t failedQueuePairs{0};  //!< requests to a queue pair that has failed
    uint64_t ignoredAnswers{0};    //!< answers without an open request

    /// @return the number of packets that were dropped because of their contents
    uint64_t GetDropped() const
    {
        uint64_t sum = badInvariantCrcs + badPartitions + unknownQueuePairs + failedQueuePairs +
                       ignoredAnswers;
        for (const uint64_t n : malformed)
        {
            sum += n;
        }
        return sum;
    }
};

/**
 * @ingroup aidc
 * @brief How long a queue pair could not send what it had, by cause; in ns.
 */
struct RoceWaitTimes
{
    double pause{0};          //!< the peer of the port had paused its class
    double rate{0};           //!< its congestion control had set a rate below the line rate
    double window{0};         //!< its congestion control had closed the window
    double retransmission{0}; //!< timeouts, and the time on the wire of what was sent again
};

/**
 * @ingroup aidc
 * @brief The longest wait of a queue pair, of those that ended before its last packet of data.
 */
struct RoceLongestWait
{
    double since{0};  //!< when it began, in ns
    double length{0}; //!< how long it was, in ns; 0 if there was none
};

/**
 * @ingroup aidc
 * @brief The longest wait of a queue pair for each cause of RoceWaitTimes.
 */
struct RoceLongestWaits
{
    RoceLongestWait pause;          //!< for the peer of the port
    RoceLongestWait rate;           //!< for the next packet at the rate
    RoceLongestWait window;         //!< for the window
    RoceLongestWait retransmission; //!< for a timeout
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_STATISTICS_H
