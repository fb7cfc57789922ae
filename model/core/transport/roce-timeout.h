// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_TIMEOUT_H
#define AIDC_ROCE_TIMEOUT_H

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The value of an ACK's syndrome that carries no credits.
constexpr uint8_t ROCE_NO_CREDITS = 31;

/// @param code the code; only its lower five bits count
/// @return how long a receiver asks to wait in microseconds, from 10 (code 1) to 655360 (code 0)
uint32_t GetRnrTimerMicroseconds(uint8_t code);

/// Get the time after which a requester takes an unacknowledged packet for lost.
/// @param exponent the attribute Local ACK Timeout; only its lower five bits count
/// @return 4.096 us * 2^exponent in nanoseconds; 0 for 0, which means no timer
uint64_t GetAckTimeoutNanoseconds(uint8_t exponent);

/// The least and the most packets that GetRoceWindow() returns.
constexpr uint32_t ROCE_MIN_WINDOW = 4096;
constexpr uint32_t ROCE_MAX_WINDOW = 1U << 22; //!< half of what packet sequence numbers tell apart

/// Derive the number of packets that may be unacknowledged from the path.
///
/// It is what the slowest link carries in two idle round-trip times and the longest wait. In one of
/// the round-trip times the path is full. In the other one a lost packet is sent again and
/// acknowledged, while new packets go on.
/// @param baseRtt round-trip time of the idle path in ns; 0 if it is not known
/// @param queueing how long packets wait in full buffers, ns
/// @param rate of the slowest link in bit/s
/// @param packetSize bytes of a full packet, above 0
/// @return packets, from ROCE_MIN_WINDOW, which counts if the path is not known, to ROCE_MAX_WINDOW
uint32_t GetRoceWindow(int64_t baseRtt, int64_t queueing, uint64_t rate, uint32_t packetSize);

/// How long a requester waits for an answer before it takes packets for lost.
///
/// There are two timeouts, as in IRN (R. Mittal et al., SIGCOMM 2018, section 3.1). The high
/// timeout is the longest round-trip time with one congested link: the round-trip time of the idle
/// path plus the time to drain a full buffer. The low timeout applies if few packets are in flight,
/// so that spurious repetitions cost little: IRN has 100 us, over paths of 24 us. IRN has no
/// priority flow control: where all switches of the path pause each other, only errors lose
/// packets, and packets may wait for any congested link of the network, as pauses spread. With
/// selective repeat, both timeouts are at least UNKNOWN there; under go-back-N, receivers drop what
/// overtakes.
///
/// IRN never gives up a connection. Here, each timeout uses up an attempt; hence two more rules:
/// - No timeout is shorter than what RFC 6298 computes from the round-trip times measured so far.
///   Several buffers fill one after the other where links are lossless.
/// - The low timeout is for the first attempt only. Each further attempt waits twice as long, plus
///   a part of this time that differs from connection to connection. Otherwise connections that
///   have lost packets together would send them again together, and lose them again. Adapters
///   double their timeouts, too, and InfiniBand lets a timer run for up to four times its value. As
///   in RFC 6298, doubling ends with the acknowledgment of a packet that was first sent later.
///
/// If the path is not known, the least measured round-trip time stands for the round-trip time of
/// the idle path. Timeouts that the user sets are not changed.
class RoceTimeout
{
  public:
    /// The timeout until a round-trip time is known, in ns: adapters' default, 4.096 us * 2^14.
    static constexpr int64_t UNKNOWN = int64_t{4096} << 14;

    /// The parameters. Times are in ns.
    struct Settings
    {
        int64_t baseRtt{0};          //!< round-trip time of the idle path; 0 if it is not known
        int64_t queueing{0};         //!< the time that a full buffer adds
        bool isLossless{false};      //!< whether nothing on the path drops packets
        std::optional<int64_t> high; //!< the high timeout, if the user has set it
        std::optional<int64_t> low;  //!< the low timeout, if the user has set it
        uint64_t lowPackets{0};      //!< the most packets in flight for the low timeout
        bool hasProbe{false};        //!< whether a probe is sent before the timeout
        uint64_t seed{0};            //!< tells connections from each other
    };

    /// @param settings the parameters
    explicit RoceTimeout(const Settings& settings);

    /// @param settings the parameters
    /// @return the high timeout of the first attempt in ns, as if the user had not set it
    static int64_t GetHigh(const Settings& settings);

    /// @param settings the parameters
    /// @return the low timeout in ns, as if the user had not set it; the high one without one
    static int64_t GetLow(const Settings& settings);

    /// @param nPackets packets in flight @return the timeout in ns
    int64_t Get(uint64_t nPackets) const;

    /// Get when a probe is due (RFC 8985, section 7.2): after twice the smoothed round-trip time.
    /// The term for delayed acknowledgments is left out, as receivers answer at once.
    /// @param nPackets packets in flight
    /// @return the time in ns; 0 if there is none before the timeout
    int64_t GetProbe(uint64_t nPackets) const
    {
        const int64_t time = 2 * m_smoothed;
        return m_settings.hasProbe && m_nTimeouts == 0 && time < Get(nPackets) ? time : 0;
    }

    /// @param rtt the round-trip time of a packet that was sent once, in ns
    void NotifyRtt(int64_t rtt);

    /// @param next the number of the next packet that was never sent
    void NotifyTimeout(uint64_t next);

    /// @param unacknowledged the number of the oldest packet that is not acknowledged
    void NotifyProgress(uint64_t unacknowledged)
    {
        if (unacknowledged > m_next)
        {
            m_nTimeouts = 0;
            m_part = 0;
        }
    }

  private:
    Settings m_settings;     //!< the parameters, with the measured round-trip time
    uint64_t m_draws;        //!< state of the generator of m_part
    double m_part{0};        //!< the part by which the next timeout is longer, below 1
    bool m_isMeasured;       //!< whether baseRtt is measured, not given
    int64_t m_smoothed{0};   //!< average of round-trip times, ns; 0 before the first one
    int64_t m_variation{0};  //!< average of their distances from it, ns
    uint32_t m_nTimeouts{0}; //!< timeouts since the last packet without one
    uint64_t m_next{0};      //!< NotifyTimeout()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_TIMEOUT_H
