// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CONGESTION_CONTROL_H
#define AIDC_CONGESTION_CONTROL_H

#include "../core/csig/csig-quantizer.h"
#include "../core/transport/int-header.h"
#include "../core/transport/jump-start.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/// Decides how fast a queue pair sends: by a rate, by a window, or by both.
///
/// Each queue pair has its own. The queue pair notifies it of packets and asks it when the next
/// packet is due. It has no events: each call first does what timers would have done since the call
/// before, so that an idle queue pair costs nothing. Times never go back from one call to the next.
///
/// A new algorithm derives from this class, registers its TypeId, and overrides what it needs: it
/// gives notifications to a law, which is plain C++ (model/core/transport), and sets the limits
/// that come of it. This class itself does not limit anything.
class CongestionControl : public Object
{
  public:
    /// No limit of the bytes in flight.
    static constexpr uint64_t NO_WINDOW = std::numeric_limits<uint64_t>::max();

    /// The properties of a connection when it begins.
    struct Connection
    {
        uint64_t lineRate{0};   //!< rate of the port, bit/s
        uint32_t packetSize{0}; //!< bytes of a full packet on the wire, with all overhead
        Time baseRtt;           //!< round-trip time of an idle path, 0 if it is not known
    };

    /// An acknowledgment.
    struct Acknowledgment
    {
        Time rtt;              //!< since the packet was sent, 0 if that was not measured
        Time endpointDelay;    //!< the part of rtt that the end hosts take
        uint32_t nPackets{0};  //!< how many packets it acknowledges
        uint64_t nBytes{0};    //!< their bytes on the wire
        bool isMarked{false};  //!< whether it echoes a congestion mark
        uint32_t nHops{0};     //!< routers on its way
        uint64_t nInFlight{0}; //!< bytes on the wire that are still to be acknowledged
    };

    /// In-band telemetry that an acknowledgment brings back.
    struct Telemetry
    {
        IntHeader header;         //!< what the acknowledged packet has collected
        uint64_t acknowledged{0}; //!< packets up to which the receiver has everything
        uint64_t next{0};         //!< packets that were ever sent, in the same count
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Start to control a connection.
    /// @param now the time
    /// @param connection the connection
    virtual void Start(Time now, const Connection& connection);

    /// Note a packet that the queue pair sends.
    /// @param now the time at which its transmission begins
    /// @param nBytes its bytes on the wire
    virtual void NotifySent([[maybe_unused]] Time now, [[maybe_unused]] uint32_t nBytes)
    {
    }

    /// @param now the time
    /// @param acknowledgment the acknowledgment
    virtual void NotifyAcknowledgment([[maybe_unused]] Time now,
                                      [[maybe_unused]] const Acknowledgment& acknowledgment)
    {
    }

    /// @param now the time
    virtual void NotifyCnp([[maybe_unused]] Time now)
    {
    }

    /// Note a CSIG signal of the path that packets have taken.
    /// @param now the time
    /// @param reading the signal
    virtual void NotifySignal([[maybe_unused]] Time now,
                              [[maybe_unused]] const CsigReading& reading)
    {
    }

    /// Note in-band telemetry of the path that packets have taken.
    /// @param now the time
    /// @param telemetry what an acknowledgment has brought back
    virtual void NotifyTelemetry([[maybe_unused]] Time now,
                                 [[maybe_unused]] const Telemetry& telemetry)
    {
    }

    /// Note that packets are lost and will be sent again.
    /// @param now the time
    /// @param isTimeout true if the retransmission timer has expired, false if the receiver asked
    virtual void NotifyLoss([[maybe_unused]] Time now, [[maybe_unused]] bool isTimeout)
    {
    }

    /// Say whether acknowledgments are to echo congestion marks, as BECN.
    ///
    /// RoCEv2 reports marks by congestion notification packets; DCTCP needs each mark.
    /// @return whether the queue pair echoes the marks of packets from its peer
    virtual bool WantsEcnEcho() const
    {
        return false;
    }

    /// Say whether packets are to collect in-band telemetry. It must not change.
    /// @return whether the queue pair's packets have a header for it, of INT_HEADER_SIZE bytes
    virtual bool WantsTelemetry() const
    {
        return false;
    }

    /// @param now the time
    /// @return the rate at which packets may leave, in bit/s on the wire, at least 1: the one that
    ///         was set last, or the line rate
    virtual uint64_t GetRate([[maybe_unused]] Time now)
    {
        return m_rate;
    }

    /// @return when the rate may change next without another notification, by a timer;
    ///         Time::Max() if it does not
    virtual Time GetNextChange() const
    {
        return Time::Max();
    }

    /// Get how much may be in flight.
    ///
    /// A queue pair that has nothing in flight may always send one packet.
    /// @param now the time
    /// @return bytes on the wire: the window that was set last; NO_WINDOW is no limit
    virtual uint64_t GetWindow([[maybe_unused]] Time now)
    {
        return m_window;
    }

  protected:
    /// @return the connection
    const Connection& GetConnection() const
    {
        return m_connection;
    }

    /// @param rate the rate from now on in bit/s, at least 1
    void SetRate(uint64_t rate)
    {
        m_rate = rate;
    }

    /// @param window the window from now on in bytes
    void SetWindow(uint64_t window)
    {
        m_window = window;
    }

    /// Set a window, and the rate that sends it in a round trip. A packet may leave while less than
    /// the window is in flight, so that windows of few packets differ: only whole packets leave.
    /// @param window bytes
    /// @param rtt the round-trip time of the idle path in ns, > 0
    void SetPacedWindow(double window, int64_t rtt);

  private:
    Connection m_connection;      //!< the connection
    uint64_t m_rate{0};           //!< bit/s
    uint64_t m_window{NO_WINDOW}; //!< bytes
};

/// A congestion control that can jump to the bandwidth left over by CSIG's min(ABW).
///
/// Attributes are read when the connection starts.
class JumpStartControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifySent(Time now, uint32_t nBytes) override;

  protected:
    /// The initial window of a connection with jump start, in packets, as in RFC 6928.
    static constexpr double FEW_PACKETS = 10;

    /// @return attribute JumpStart: whether the connection begins with few packets and jumps
    bool HasJumpStart() const
    {
        return m_hasJumpStart;
    }

    /// Note min(ABW).
    /// @param reading the signal
    /// @param baseRtt the round-trip time of the idle path in ns; 0 if it is not known yet,
    ///        then the jump waits for a later signal
    /// @return the window to jump to in bytes, 0 for no jump
    double Jump(const CsigReading& reading, int64_t baseRtt)
    {
        return m_jumpStart.NotifyAvailable(reading.range.low, GetConnection().lineRate, baseRtt);
    }

  private:
    virtual void BeginAnew() = 0;

    bool m_hasJumpStart;      //!< JumpStart
    Time m_jumpStartIdleTime; //!< JumpStartIdleTime
    JumpStart m_jumpStart;    //!< waits for the first min(ABW)
};

} // namespace ns3::aidc

#endif // AIDC_CONGESTION_CONTROL_H
