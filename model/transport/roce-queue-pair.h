/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_QUEUE_PAIR_H
#define AIDC_ROCE_QUEUE_PAIR_H

#include "../core/never.h"
#include "../core/transport/cnp-gate.h"
#include "../core/transport/roce-memory-regions.h"
#include "../core/transport/roce-pace.h"
#include "../core/transport/roce-requester.h"
#include "../core/transport/roce-responder.h"
#include "../core/transport/roce-timeout.h"
#include "../core/transport/roce-turns.h"
#include "congestion-control.h"
#include "roce-connection.h"
#include "roce-nic-record.h"
#include "roce-nic-settings.h"
#include "roce-retransmission-timer.h"

#include "ns3/callback.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

struct FrameContext;

/**
 * @ingroup aidc
 * @brief One end of a reliable connection: a queue pair of a RoceNic.
 *
 * It is told of work requests and of packets that arrive, and it decides what its port is to send
 * next, and when. Its parts are the requester (its own work requests), the responder (the peer's),
 * the congestion control with the pace that it sets, and the retransmission timer.
 *
 * When it has something to send, it asks its port for a turn. When the turn has come, the port
 * takes a packet of data. Answers and notifications it gives to the port at once.
 */
class RoceQueuePair : public RoceTurn
{
  public:
    /// Bytes of a packet on the wire beside its payload: all headers, check sequence, gap.
    static constexpr uint32_t WIRE_OVERHEAD = 82;

    /// What a queue pair asks of its port.
    class Port
    {
      public:
        virtual ~Port() = default;

        /// Have a queue pair send what it may.
        /// @param pair the queue pair, which is this port's and outlives it
        virtual void Activate(RoceQueuePair& pair) = 0;

        /// Send an answer or a notification.
        /// @param pair whose it is
        /// @param packet its headers
        virtual void SendControl(const RoceQueuePair& pair, const RocePacket& packet) = 0;
    };

    /// Takes the ends of work requests: the queue pair's number, what has ended.
    using CompletionSink = Callback<void, uint32_t, const RoceCompletion&>;
    /// Takes messages of the peer: the queue pair's number, the message.
    using DeliverySink = Callback<void, uint32_t, const RoceDelivery&>;

    /// What a queue pair uses of its adapter, all of which outlives it.
    struct Adapter
    {
        Port& port;                       //!< sends its packets
        const RoceNicSettings& settings;  //!< the attributes
        RoceNicRecord& record;            //!< where it writes down what it does
        const RoceMemoryRegions& regions; //!< the memory that the peer may access
    };

    /// @param adapter what it uses of its adapter
    /// @param settings the settings of both ends
    /// @param connection what is fixed
    /// @param control decides how fast to send; it has been started
    /// @param timeout when the retransmission timer expires; none to have no timer
    RoceQueuePair(const Adapter& adapter,
                  const RoceSettings& settings,
                  const RoceConnection& connection,
                  Ptr<CongestionControl> control,
                  const std::optional<RoceTimeout>& timeout);

    // For the adapter

    /// @param sink who is told what has ended
    void SetCompletionSink(CompletionSink sink);

    /// @param sink who is told what has arrived
    void SetDeliverySink(DeliverySink sink);

    /// Add a work request, after the time that this takes. It ends at once, flushed, if the queue
    /// pair has failed.
    /// @param work the request
    void Post(const RoceWork& work);

    /// Count receive requests from now on, and add some. Before, there always is one.
    /// @param n how many are added
    void PostReceive(uint32_t n);

    /// Handle a packet that has arrived from the peer.
    /// @param packet its headers
    /// @param isMarked whether it has met congestion
    /// @param nHops the routers that it has passed
    /// @param context what is known of its frame
    void HandlePacket(const RocePacket& packet,
                      bool isMarked,
                      uint32_t nHops,
                      const FrameContext& context);

    /// Do nothing from now on: the adapter has restarted.
    void Forget();

    /// @return whether it has failed: work requests are flushed, and the peer's are not answered
    bool HasFailed() const
    {
        return m_requester.HasFailed();
    }

    /// @return the congestion control
    const Ptr<CongestionControl>& GetControl() const
    {
        return m_control;
    }

    /// @return how long it could not send what it had, by cause
    RoceWaitTimes GetWaitTimes() const;

    /// @return what is fixed of the connection
    const RoceConnection& GetConnection() const
    {
        return m_connection;
    }

    // For the port

    /// @param time a time
    /// @return the time in ns, as turns and paces have it
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
    /// @return whether a packet of data may be sent at its time; if the window alone forbids it, it
    ///         begins to wait for the window
    bool IsReady(Time now);

    /// @return when the next packet of data may be sent, in ns, fractions included
    double GetNextTime() const
    {
        return m_pace.GetNextTime();
    }

    /// Take the next packet of data; IsReady() holds.
    /// @param now the time at which its transmission begins
    /// @param [in,out] context the context of its frame, which may be given a tag
    /// @return the packet
    RocePacket TakePacket(Time now, FrameContext& context);

    /// Take note of the frame of the packet just taken: it sets the time of the next one.
    /// @param now the time at which its transmission begins
    /// @param wireBytes its bytes on the wire
    void NotifySent(Time now, uint32_t wireBytes);

  private:
    /// @param work the request to give to the requester
    void Begin(const RoceWork& work);

    /// The time of a receiver that was not ready is over.
    void Resume();

    /// A packet has come with a congestion mark: notify the peer, but not too often.
    void HandleMark();

    /// @param packet an answer of the peer
    /// @param nHops the routers that it has passed
    void HandleAnswer(const RocePacket& packet, uint32_t nHops);

    /// Read the signal of the path that an acknowledgment carries.
    /// @param packet the acknowledgment
    /// @param now the time
    void ReadSignal(const RocePacket& packet, Time now);

    /// Tell the congestion control and the timeouts what was acknowledged.
    /// @param progress what was
    /// @param packet the answer
    /// @param nHops the routers that the answer has passed
    /// @param now the time
    void NotifyProgress(const RoceRequester::Progress& progress,
                        const RocePacket& packet,
                        uint32_t nHops,
                        Time now);

    /// @param packet a request of the peer
    void HandleRequest(const RocePacket& packet);

    /// Send an answer or a notification after a delay.
    /// @param packet its headers
    /// @param delay how long that takes
    void SendLater(const RocePacket& packet, Time delay);

    /// Send an answer or a notification. An answer takes along the marks and the signal that have
    /// come since the last one.
    /// @param packet its headers
    void Send(RocePacket packet);

    /// @param waited how long the peer has owed an answer
    void HandleTimeout(Time waited);

    /// Count and tell that the queue pair has failed.
    void NoteError();

    /// Tell the sinks what has ended and arrived.
    void Report();

    Port& m_port;                      //!< sends its packets
    const RoceNicSettings& m_settings; //!< the attributes of the adapter
    RoceNicRecord& m_record;           //!< where it writes down what it does
    RoceConnection m_connection;       //!< what is fixed
    FlowKey m_flow;                    //!< the flow of what is sent
    RoceRequester m_requester;         //!< our work requests
    RoceResponder m_responder;         //!< the peer's
    RoceRetransmissionTimer m_timer;   //!< what the peer owes an answer to
    Ptr<CongestionControl> m_control;  //!< decides how fast to send
    CompletionSink m_completionSink;   //!< who wants to know what has ended
    DeliverySink m_deliverySink;       //!< who wants to know what has arrived

    std::vector<RoceCompletion> m_completions; //!< to be reported
    std::vector<RoceDelivery> m_deliveries;    //!< to be reported

    bool m_isGone{false};     //!< the adapter has restarted
    bool m_isResponse{false}; //!< whether the last packet of data was a response

    // The notification point, and what goes back with the next answer
    CnpGate m_cnpGate;           //!< when to notify the peer of congestion
    bool m_hasSeenMark{false};   //!< a marked packet has come since the last acknowledgment
    uint8_t m_reflectionSize{0}; //!< bytes of reflection
    std::array<uint8_t, ROCE_MAX_REFLECTION_SIZE> m_reflection{}; //!< the newest signal

    // The pace, and what keeps it from being used
    RocePace m_pace;                     //!< when the next packet may be sent
    double m_blockedSince{NEVER_DOUBLE}; //!< since when the window is closed, ns
    uint64_t m_lastRate{0};              //!< the rate that was last traced
    RoceWaitTimes m_waits;               //!< for the window, and for what is sent again
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_QUEUE_PAIR_H
