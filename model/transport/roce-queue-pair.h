// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_QUEUE_PAIR_H
#define AIDC_ROCE_QUEUE_PAIR_H

#include "../core/never.h"
#include "../core/transport/dcqcn-reaction-point.h"
#include "../core/transport/int-header.h"
#include "../core/transport/roce-bytes.h"
#include "../core/transport/roce-requester.h"
#include "../core/transport/roce-responder.h"
#include "../core/transport/roce-timeout.h"
#include "../core/transport/roce-turns.h"
#include "../core/transport/vector-fifo.h"
#include "../simulator/event-clock.h"
#include "congestion-control.h"
#include "roce-nic-record.h"

#include "ns3/callback.h"
#include "ns3/ethernet-frame.h"
#include "ns3/event-id.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/protocol-numbers.h"
#include "ns3/ptr.h"
#include "ns3/roce-packet.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The delays of the path from a queue pair to its peer and back, as far as they are known.
struct RocePath
{
    /// Set the members of these types, in their order.
    RocePath(Time rtt = Time(), // converts from a time
             Time wait = Time(),
             uint64_t slowest = 0,
             bool pauses = false)
        : baseRtt(rtt),
          queueing(wait),
          rate(slowest),
          isLossless(pauses)
    {
    }

    Time baseRtt;    //!< of a packet and its acknowledgment on the idle path, 0 if it is not known
    Time queueing;   //!< how long the full buffer of a switch keeps packets, 0 if it is not known
    uint64_t rate;   //!< of the slowest link in bit/s, 0 if it is not known
    bool isLossless; //!< whether all switches pause each other: packets wait and are not lost
    /// The longest pause that comes from links that it does not have, 0 if none is known. Only
    /// timeouts count it: in a pause, nothing is sent that would need a larger window.
    Time pause;
};

/// The properties of a connection that are fixed when it is set up.
struct RoceConnection
{
    uint32_t localAddress{0};  //!< IPv4 address, host byte order
    uint32_t remoteAddress{0}; //!< IPv4 address, host byte order
    uint32_t localQp{0};       //!< the number of this queue pair
    uint32_t remoteQp{0};      //!< the number of the peer's queue pair
    uint32_t firstPsn{0};      //!< packet sequence number of the first packet in this direction
    uint32_t remotePsn{0};     //!< the same in the other direction
    uint64_t lineRate{0};      //!< rate of the port, bit/s
    uint8_t dscp{26};          //!< differentiated services codepoint of all but CNPs
    uint8_t trafficClass{0};   //!< the class of that codepoint

    /// @return the flow of the packets in this direction
    FlowKey GetFlow() const
    {
        FlowKey flow;
        flow.source = localAddress;
        flow.destination = remoteAddress;
        flow.sourcePort = GetRoceSourcePort(localQp, remoteQp);
        flow.destinationPort = ROCE_UDP_PORT;
        flow.protocol = PROTOCOL_UDP;
        return flow;
    }
};

/// A RoCEv2 packet that has arrived at a port of a RoceNic.
struct RoceArrival
{
    uint32_t port{0};     //!< the index of the port's device
    uint32_t source{0};   //!< the address that it comes from, host byte order
    RocePacket packet;    //!< its headers
    bool isMarked{false}; //!< whether it has CE
    uint32_t nHops{0};    //!< the routers on its way
    FrameContext context; //!< the context of its frame
};

/// One end of a reliable connection: a queue pair of a RoceNic.
///
/// It receives work requests and packets, and it decides what its port sends next, and when. Its
/// parts are the requester (its own work requests), the responder (the peer's requests), the
/// congestion control with the pace that it sets, and the retransmission timer.
///
/// When it has data to send, it asks its port for a turn. When its turn has come, the port takes a
/// packet of data. It gives answers and notifications to the port at once.
class RoceQueuePair : public RoceTurn
{
  public:
    /// Bytes of a packet on the wire in addition to its payload: check sequence, gap, and all
    /// headers except in-band telemetry.
    static constexpr uint32_t WIRE_OVERHEAD = 82;

    /// @param control a congestion control
    /// @return the bytes of its packets on the wire in addition to their payload
    static uint32_t GetWireOverhead(const CongestionControl& control)
    {
        return WIRE_OVERHEAD + (control.WantsTelemetry() ? uint32_t{INT_HEADER_SIZE} : 0);
    }

    /// What a queue pair asks of its port.
    class Port
    {
      public:
        virtual ~Port() = default;

        /// Give a queue pair turns as long as it may send. If it waits for its pace, its rate may
        /// have changed.
        /// @param pair the queue pair, which is this port's and outlives it
        virtual void Activate(RoceQueuePair& pair) = 0;

        /// Send an answer or a notification.
        /// @param pair the queue pair that sends it
        /// @param packet its headers
        virtual void SendControl(const RoceQueuePair& pair, const RocePacket& packet) = 0;
    };

    /// Takes completions of work requests: the queue pair's number, the completion.
    using CompletionSink = Callback<void, uint32_t, const RoceCompletion&>;
    /// Takes messages of the peer: the queue pair's number, the message.
    using DeliverySink = Callback<void, uint32_t, const RoceDelivery&>;

    /// The parts of the adapter that a queue pair uses. They outlive it.
    struct Adapter
    {
        Port& port;                       //!< sends its packets
        const RoceNicSettings& settings;  //!< the attributes
        RoceNicRecord& record;            //!< the adapter's statistics and trace sources
        const RoceMemoryRegions& regions; //!< the memory that the peer may access
    };

    /// @param adapter the parts of the adapter that it uses
    /// @param settings the settings of both ends
    /// @param connection the addresses and numbers of both ends
    /// @param control decides how fast to send; it has been started
    /// @param timeout when the retransmission timer expires; none for no timer
    RoceQueuePair(const Adapter& adapter,
                  const RoceSettings& settings,
                  const RoceConnection& connection,
                  Ptr<CongestionControl> control,
                  const std::optional<RoceTimeout>& timeout);

    ~RoceQueuePair()
    {
        m_event.Cancel();
    }

    // The event refers to this object.
    RoceQueuePair(const RoceQueuePair&) = delete;
    RoceQueuePair& operator=(const RoceQueuePair&) = delete;

    // For users and the adapter

    /// @param sink called when a work request has ended
    void SetCompletionSink(CompletionSink sink)
    {
        m_completionSink = sink;
    }

    /// @param sink called when a message has arrived
    void SetDeliverySink(DeliverySink sink)
    {
        m_deliverySink = sink;
    }

    /// Add a work request, after MessageDelay. If the queue pair has failed, the request ends at
    /// once, flushed.
    /// @param work the request
    void Post(const RoceWork& work);

    /// Count receive requests from now on, and add some. Without this call, there always is one.
    /// @param n how many are added
    void PostReceive(uint32_t n)
    {
        m_responder.LimitReceives();
        m_responder.PostReceive(n);
    }

    /// Handle a packet that has arrived from the peer. @param arrival the packet
    void HandlePacket(const RoceArrival& arrival);

    /// Enter the error state, as when the process that owns it ends (InfiniBand, section 10.3.1.5):
    /// its work requests end, flushed, and the peer's are not answered, so that the peer's end in
    /// an error after its retries. Nothing is done if it has failed already.
    void SetError();

    /// Do nothing from now on: the adapter has restarted.
    void Forget();

    /// @return whether it has failed: work requests are flushed, and the peer's are not answered
    bool HasFailed() const
    {
        return m_requester.HasFailed();
    }

    /// @return its own work requests
    const RoceRequester& GetRequester() const
    {
        return m_requester;
    }

    /// Shorten the newest work requests, as far as they are to send, by whole packets that were
    /// never sent. The last packet of each of them, and the next one to be sent, stay. The peer
    /// gets shorter messages. @param nBytes by how much at most @return by how much
    uint64_t Shorten(uint64_t nBytes)
    {
        return m_requester.Shorten(nBytes);
    }

    /// @return the congestion control
    const Ptr<CongestionControl>& GetControl() const
    {
        return m_control;
    }

    /// @return how long it could not send what it had, by cause
    RoceWaitTimes GetWaitTimes() const
    {
        RoceWaitTimes waits = m_waits;
        waits.pause = GetPausedTime();
        waits.rate = m_pace.GetWait();
        return waits;
    }

    /// @return the longest of these waits for each cause
    const RoceLongestWaits& GetLongestWaits() const
    {
        return m_longestWaits;
    }

    /// @return the addresses and numbers of both ends
    const RoceConnection& GetConnection() const
    {
        return m_connection;
    }

    // For the port

    /// @param time a time
    /// @return the time in ns, as turns and paces use it
    static double ToNs(Time time)
    {
        return static_cast<double>(time.GetNanoSeconds());
    }

    /// @return the flow of its packets
    const FlowKey& GetFlow() const
    {
        return m_flow;
    }

    /// @param now the time
    /// @return whether a packet of data may be sent at GetNextTime(now). If only the window is in
    ///         the way, the time that the queue pair waits for the window begins.
    bool IsReady(Time now);

    /// @param now the time
    /// @return when the next packet of data may be sent at the present rate, in ns, fractions
    ///         included
    double GetNextTime(Time now) const
    {
        return m_pace.GetNextTime(m_control->GetRate(now));
    }

    /// @return when GetNextTime() may change by itself, in ns
    double GetNextChange() const
    {
        return ToNs(m_control->GetNextChange());
    }

    /// Take the next packet of data. IsReady() must be true.
    /// @param now the time at which its transmission begins
    /// @param [in,out] context the context of its frame, which may be given a tag
    /// @return the packet
    RocePacket TakePacket(Time now, FrameContext& context);

    /// Note the frame of the packet just taken, which sets the time of the next packet.
    /// @param now the time at which its transmission begins
    /// @param wireBytes its bytes on the wire
    void NotifySent(Time now, uint32_t wireBytes);

  private:
    void Begin(const RoceWork& work);

    /// Continue after the time that the peer asked for by an RNR NAK.
    void Resume();

    /// A packet of data is sent, which ends all waits. @param now the time in ns
    void EndWaits(double now);

    /// A marked packet has arrived: notify the peer, but not too often.
    void HandleMark();

    /// Keep telemetry for the next acknowledgment; count and warn if it lacks some of the nHops.
    void HandleTelemetry(const IntBytes& telemetry, uint32_t nHops);

    void HandleAnswer(const RoceArrival& arrival);

    void ReadSignal(const RocePacket& packet, Time now);

    /// Tell the congestion control and the timeouts what was acknowledged.
    void NotifyProgress(const RoceRequester::Progress& progress,
                        const RoceArrival& arrival,
                        Time now);

    void HandleRequest(const RocePacket& packet);

    /// Send an answer or a notification after a delay.
    void SendLater(const RocePacket& packet, Time delay);

    /// Send an answer, with the mark and signal since the last one, or a notification.
    void Send(RocePacket packet);

    /// Start the retransmission timer over if the peer owes an answer. The timer has one event,
    /// which compares the time with the deadline when it is due. So an acknowledgment or another
    /// packet sent does not move the event.
    void RestartTimer();

    void CancelTimer();

    /// @return the time step of the probe's or, after it, the timeout's deadline, as of now
    int64_t GetDeadline() const;

    /// @param deadline when to call CheckTimer(), in time steps
    void ScheduleTimer(int64_t deadline);

    /// Send a probe, or take packets for lost, if the deadline has come.
    void CheckTimer();

    /// @param waited how long the peer has owed an answer
    void HandleTimeout(Time waited);

    void NoteError();

    /// Give the completions and messages to the sinks.
    void Report();

    /// A packet that was sent once and has asked for an acknowledgment.
    struct Sample
    {
        uint64_t sequence{0}; //!< its number
        Time sent;            //!< when its transmission began
    };

    Port& m_port;                      //!< sends its packets
    const RoceNicSettings& m_settings; //!< the attributes of the adapter
    RoceNicRecord& m_record;           //!< the adapter's statistics and trace sources
    RoceConnection m_connection;       //!< addresses and numbers of both ends
    FlowKey m_flow;                    //!< the flow of its packets
    uint32_t m_overhead;               //!< bytes of its packets on the wire in addition to payload
    RoceRequester m_requester;         //!< handles its own work requests
    RoceResponder m_responder;         //!< handles the peer's requests
    Ptr<CongestionControl> m_control;  //!< decides how fast to send
    CompletionSink m_completionSink;   //!< called when a work request has ended
    DeliverySink m_deliverySink;       //!< called when a message has arrived

    std::vector<RoceCompletion> m_completions; //!< to be reported
    std::vector<RoceDelivery> m_deliveries;    //!< to be reported

    bool m_isGone{false};     //!< the adapter has restarted
    bool m_isResponse{false}; //!< whether the last packet of data was a response

    // The retransmission timer
    std::optional<RoceTimeout> m_timeout; //!< how long the peer may take to answer
    VectorFifo<Sample> m_samples;         //!< the packets to measure round-trip times with
    int64_t m_since{0};                   //!< start of the wait, time steps
    int64_t m_due{NEVER};                 //!< when the event is due: at the deadline or before
    EventId m_event;                      //!< calls CheckTimer()
    bool m_hasProbed{false};              //!< whether there was a probe since m_since

    // The notification point, and what goes back with the next answer
    CnpGate m_cnpGate;           //!< when to notify the peer of congestion
    bool m_hasSeenMark{false};   //!< a marked packet has arrived since the last acknowledgment
    uint8_t m_reflectionSize{0}; //!< bytes of reflection
    std::array<uint8_t, ROCE_MAX_REFLECTION_SIZE> m_reflection{}; //!< the newest signal
    std::optional<IntBytes> m_telemetry;                          //!< in-band telemetry

    // The pace, and what delays packets beyond it
    RocePace m_pace;        //!< when the next packet may be sent
    uint64_t m_lastRate{0}; //!< the rate that was last traced
    RoceWaitTimes m_waits;  //!< how long it could not send: for the window and for retransmissions
    RoceWaitTimes m_waitsBefore;         //!< GetWaitTimes() at the last packet of data
    RoceLongestWaits m_longestWaits;     //!< GetLongestWaits()
    double m_blockedSince{NEVER_DOUBLE}; //!< since when the window is closed, ns
};

/// The queue pairs of a RoceNic, by number. It gives them the packets that arrive at the ports.
///
/// With several ports, packets that arrive at one instant are taken one time step later, in the
/// order of the ports, as SwitchDatapath does with OrderedArrivals: simulators do not agree on the
/// order of events that different nodes have scheduled for one instant.
///
/// An unknown number is refused.
class RoceQueuePairTable
{
  public:
    /// The number of the first queue pair; 0 and 1 are for management.
    static constexpr uint32_t FIRST_QP = 2;

    /// A queue pair, and its settings before it is connected.
    struct Entry
    {
        uint32_t port{0};                    //!< the index of its port
        uint32_t firstPsn{0};                //!< packet sequence number of its first packet
        uint32_t remotePsn{0};               //!< the same of the peer's first packet
        std::unique_ptr<RoceQueuePair> pair; //!< the queue pair, null until it is connected
    };

    /// @param record where packets that are dropped are counted; it outlives this
    explicit RoceQueuePairTable(RoceNicRecord& record)
        : m_record(record)
    {
    }

    /// @param port the index of a port @return the number of a new queue pair of that port
    uint32_t Create(uint32_t port)
    {
        m_entries.emplace_back();
        m_entries.back().port = port;
        return FIRST_QP + GetN() - 1;
    }

    /// @return the number of queue pairs
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_entries.size());
    }

    /// @param qp the number of a queue pair @return its entry
    const Entry& GetEntry(uint32_t qp) const;

    /// @param qp the number of a queue pair, which is not connected yet @return its entry
    Entry& GetUnconnected(uint32_t qp);

    /// @param qp the number of a queue pair, which is connected @return the queue pair
    RoceQueuePair& Get(uint32_t qp) const;

    /// @param qp any number, for example from a packet
    /// @return the queue pair; null if none of that number is connected
    RoceQueuePair* Find(uint32_t qp) const
    {
        const uint32_t index = qp - FIRST_QP; // wraps below FIRST_QP
        return index < m_entries.size() ? m_entries[index].pair.get() : nullptr;
    }

    /// Order packets from now on. @param node the id of the node
    void SetOrdered(uint32_t node)
    {
        m_isOrdered = true;
        m_node = node;
    }

    /// Take a packet, now. @param arrival the packet
    void Take(const RoceArrival& arrival);

    /// Forget all queue pairs. @return the numbers of the queue pairs that were connected
    std::vector<uint32_t> Forget();

    /// Delete all queue pairs, and forget the packets that wait for their turn.
    void Clear();

  private:
    void Deliver(const RoceArrival& arrival) const;

    /// Deliver the packets of the last time step.
    void Flush();

    std::vector<Entry> m_entries;                         //!< the queue pairs, from FIRST_QP on
    std::vector<std::unique_ptr<RoceQueuePair>> m_former; //!< forgotten, but events may use them
    RoceNicRecord& m_record;             //!< where packets that are dropped are counted
    bool m_isOrdered{false};             //!< whether packets are ordered
    uint32_t m_node{0};                  //!< the id of the node
    int64_t m_time{0};                   //!< when m_arrivals arrived, in time steps
    std::vector<RoceArrival> m_arrivals; //!< the packets of this time step, or the last one
    std::vector<RoceArrival> m_before;   //!< the packets of the last step, if this step has some
    RecurringEvent<&RoceQueuePairTable::Flush> m_flush{this}; //!< calls Flush()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_QUEUE_PAIR_H
