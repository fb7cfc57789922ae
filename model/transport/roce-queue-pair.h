/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_QUEUE_PAIR_H
#define AIDC_ROCE_QUEUE_PAIR_H

#include "congestion-control.h"
#include "roce-nic-statistics.h"

#include "ns3/callback.h"
#include "ns3/cnp-gate.h"
#include "ns3/event-id.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/roce-memory-regions.h"
#include "ns3/roce-requester.h"
#include "ns3/roce-responder.h"
#include "ns3/roce-timeout.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What is known of the way from one queue pair to the other one and back.
 */
struct RocePath
{
    /**
     * @brief Constructor.
     * @param rtt the round-trip time of a packet and its acknowledgment on the idle path; 0 if it
     *        is not known
     * @param wait how long packets wait in the full buffer of a switch on the way; 0 if it is not
     *        known
     */
    RocePath(Time rtt = Time(), Time wait = Time()) // a round-trip time alone is one, too
        : baseRtt(rtt),
          queueing(wait)
    {
    }

    Time baseRtt;  //!< round-trip time of the idle path, 0 if it is not known
    Time queueing; //!< how long a full buffer keeps packets, 0 if it is not known
};

/**
 * @ingroup aidc
 * @brief What is fixed of a connection when it is set up.
 */
struct RoceConnection
{
    uint32_t localAddress{0};  //!< IPv4 address, host byte order
    uint32_t remoteAddress{0}; //!< IPv4 address, host byte order
    uint32_t localQp{0};       //!< the number of this queue pair
    uint32_t remoteQp{0};      //!< the number of the peer's
    uint32_t firstPsn{0};      //!< packet sequence number of the first packet in this direction
    uint32_t remotePsn{0};     //!< the same in the other direction
    uint8_t dscp{26};          //!< differentiated services codepoint of all but CNPs
    uint64_t lineRate{0};      //!< rate of the port, bit/s
};

/**
 * @ingroup aidc
 * @brief A queue pair of a reliable connection in a RoceNic.
 *
 * It puts together what plain C++ is made of: the requester, the responder and the notification
 * point, and its congestion control. It schedules nothing; its port does.
 */
class RoceQueuePair
{
  public:
    /// Bytes of a packet on the wire beside its payload: all headers, check sequence, gap.
    static constexpr uint32_t WIRE_OVERHEAD = 82;

    /// Takes the ends of work requests: the queue pair's number, what has ended.
    using CompletionSink = Callback<void, uint32_t, const RoceCompletion&>;
    /// Takes messages of the peer: the queue pair's number, the message.
    using DeliverySink = Callback<void, uint32_t, const RoceDelivery&>;

    /**
     * @brief Constructor.
     * @param settings the settings of both ends
     * @param connection what is fixed
     * @param control decides how fast to send
     * @param regions the memory that the peer may access, which outlives this
     */
    RoceQueuePair(const RoceSettings& settings,
                  const RoceConnection& connection,
                  Ptr<CongestionControl> control,
                  const RoceMemoryRegions& regions);

    /**
     * @brief Tell whether there is a packet of data that may be sent, but for its pace.
     * @param now the time
     * @return whether there is
     */
    bool HasPacket(Time now);

    /**
     * @brief Take the next packet of data; HasPacket() holds.
     * @param now the time
     * @param [in,out] statistics where it is counted
     * @return the packet; a response has no sequence
     */
    RoceRequester::Outgoing TakePacket(Time now, RoceNicStatistics& statistics);

    /**
     * @brief Get when the next packet may be sent, after one was.
     * @param now the time at which its transmission begins
     * @param wireBytes its bytes on the wire
     * @return the time in ns, fractions included; at most the end of its transmission if the line
     *         is the limit
     */
    double Pace(Time now, uint32_t wireBytes);

    // What stands here is the port's and the adapter's, which share the work.
    RoceConnection connection;      //!< what is fixed
    RoceRequester requester;        //!< our work requests
    RoceResponder responder;        //!< the peer's
    Ptr<CongestionControl> control; //!< decides how fast to send
    CnpGate cnpGate;                //!< when to notify the peer of congestion
    FlowKey flow;                   //!< the flow of what is sent
    CompletionSink completionSink;  //!< who wants to know what has ended
    DeliverySink deliverySink;      //!< who wants to know what has arrived
    RoceWaitTimes waits;            //!< what could not be sent, for how long

    std::vector<RoceCompletion> completions; //!< to be reported
    std::vector<RoceDelivery> deliveries;    //!< to be reported

    bool isGone{false};        //!< the adapter has restarted
    bool hasSeenMark{false};   //!< a marked packet has come since the last acknowledgment
    uint8_t reflectionSize{0}; //!< bytes of reflection
    std::array<uint8_t, ROCE_MAX_REFLECTION_SIZE> reflection{}; //!< the newest signal, to go back

    /// What the port does with it.
    enum class State : uint8_t
    {
        IDLE,  //!< there is nothing that may be sent
        READY, //!< it waits for its turn
        PACED  //!< it waits for its time
    };

    State state{State::IDLE};     //!< what the port does with it
    uint8_t trafficClass{0};      //!< the class of its packets
    RoceQueuePair* next{nullptr}; //!< the next one that waits for its turn
    double nextTime{0};           //!< when the next packet may be sent, ns
    double readySince{0};         //!< pauses of the class when it began to wait for its turn, ns
    double blockedSince{-1};      //!< since when the window is closed, ns; -1 if it is open
    uint64_t lastRate{0};         //!< the rate that was last traced
    std::optional<RoceTimeout> timeout; //!< when the retransmission timer expires; none without it
    int64_t waitingSince{0};            //!< since when it runs, time steps
    int64_t timerTime{-1};              //!< when its event is due, then or before; -1 if none is
    EventId timer;                      //!< that event

  private:
    /// A packet that an acknowledgment was asked for.
    struct Sample
    {
        uint64_t sequence{0}; //!< its number
        Time sent;            //!< when its transmission began
    };

  public:
    /**
     * @brief Forget when packets were sent: what is sent again measures nothing.
     */
    void ForgetSamples()
    {
        m_samples.Clear();
    }

    /**
     * @brief Get the round-trip time of the newest packet that is acknowledged.
     * @param now the time
     * @return the time, 0 if it was not measured
     */
    Time TakeRtt(Time now);

  private:
    VectorFifo<Sample> m_samples; //!< packets that an acknowledgment was asked for
    bool m_isResponse{false};     //!< whether the last packet was a response
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_QUEUE_PAIR_H
