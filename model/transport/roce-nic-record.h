// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_NIC_RECORD_H
#define AIDC_ROCE_NIC_RECORD_H

#include "../core/buffer/traffic-class-map.h"
#include "../core/transport/roce-bytes.h"
#include "../path-signals.h"

#include "ns3/ipv4-header.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/roce-packet.h"
#include "ns3/roce-work.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <numeric>

namespace ns3::aidc
{

/// What a RoceNic counts.
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
        return std::accumulate(malformed.begin(),
                               malformed.end(),
                               badInvariantCrcs + badPartitions + unknownQueuePairs +
                                   failedQueuePairs + ignoredAnswers);
    }
};

/// Why a queue pair could not send what it had.
/// @tparam T what is known of the waits for a cause
template <typename T>
struct RoceWaitCauses
{
    T pause{};          //!< the peer of the port had paused its class
    T rate{};           //!< its congestion control had set a rate below the line rate
    T window{};         //!< its congestion control had closed the window
    T retransmission{}; //!< timeouts, and the time on the wire of what was sent again
};

/// The longest of a queue pair's waits that ended before its last packet of data.
struct RoceLongestWait
{
    double since{0};  //!< when it began, in ns
    double length{0}; //!< how long it was, in ns; 0 if there was none
};

using RoceWaitTimes = RoceWaitCauses<double>;             //!< how long in all, in ns
using RoceLongestWaits = RoceWaitCauses<RoceLongestWait>; //!< the longest wait for each cause

/// The attributes of a RoceNic that its ports and queue pairs read. Only the adapter sets them.
struct RoceNicSettings
{
    TrafficClassMap classes;  //!< attribute DscpMap
    uint8_t cnpDscp{0};       //!< attribute CnpDscp
    uint8_t timeToLive{0};    //!< attribute TimeToLive
    int64_t cnpInterval{0};   //!< attribute CnpInterval, ns
    Time cnpDelay;            //!< attribute CnpDelay
    Time ackDelay;            //!< attribute AckDelay
    Time messageDelay;        //!< attribute MessageDelay
    bool isVerified{false};   //!< attribute VerifyInvariantCrc
    Ptr<PathSignals> signals; //!< attribute Signals
};

/// The state of a queue pair, in InfiniBand's terms.
enum class RoceQpState : uint8_t
{
    RESET,         //!< the adapter has restarted and forgotten it
    READY_TO_SEND, //!< it is connected, and takes and sends requests
    ERROR          //!< it has failed: work requests are flushed, requests are dropped
};

/// The statistics and the trace sources of a RoceNic, shared by its ports and queue pairs.
///
/// The first argument of a trace source is the number of the queue pair, or the index of the port's
/// device. Trace sources of IP packets have this index as the last argument.
struct RoceNicRecord
{
    RoceNicStatistics counted; //!< RoceNic::GetStatistics()

    TracedCallback<uint32_t, uint32_t, bool> retransmission;    //!< trace Retransmission
    TracedCallback<uint32_t, uint32_t, bool> pause;             //!< trace Pause
    TracedCallback<uint32_t, uint64_t> rate;                    //!< trace Rate
    TracedCallback<uint32_t, RoceQpState> state;                //!< trace State
    TracedCallback<uint32_t, const RocePacket&> received;       //!< trace Rx
    TracedCallback<uint32_t, const RoceCompletion&> completion; //!< trace Completion

    TracedCallback<const Ipv4Header&, Ptr<const Packet>, uint32_t> sent;      //!< SendOutgoing
    TracedCallback<const Ipv4Header&, Ptr<const Packet>, uint32_t> delivered; //!< LocalDeliver
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_RECORD_H
