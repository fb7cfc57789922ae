// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MAC_CONTROL_H
#define AIDC_MAC_CONTROL_H

#include "../never.h"

#include <array>
#include <cstddef>
#include <cstdint>

/// @file
/// MAC control frames: PAUSE (IEEE 802.3, Annex 31B) and priority flow control (IEEE 802.3, Annex
/// 31D, for IEEE 802.1Qbb, now IEEE 802.1Q, clause 36).
///
/// What follows the EtherType, in network byte order:
///
///      PAUSE                                   PFC
///      +0   opcode 0x0001                      +0   opcode 0x0101
///      +2   pause_time                         +2   class-enable vector: 0, e[7] ... e[0]
///      +4   42 zeros                           +4   time[0] ... time[7], two octets each
///                                              +20  26 zeros
///
/// Times are in quanta of 512 bit times of the link. Checked on receipt: that all fields are there
/// and that the opcode is known. Not checked, as the standard has it: the upper octet of the vector
/// and the padding, which are ignored, and times of classes that are not enabled.

namespace ns3::aidc
{

/// Octets of a MAC control frame between its EtherType and its FCS: the least that Ethernet sends.
constexpr std::size_t MAC_CONTROL_PAYLOAD_SIZE = 46;
/// The address that MAC control frames are sent to; bridges do not forward it.
constexpr std::array<uint8_t, 6> MAC_CONTROL_ADDRESS{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
/// Bit times of a pause quantum.
constexpr uint32_t PAUSE_QUANTUM_BITS = 512;
/// Priorities of priority flow control.
constexpr uint32_t PFC_PRIORITIES = 8;

/// What a MAC control frame asks for.
enum class MacControlOpcode : uint16_t
{
    PAUSE = 0x0001, //!< stop all
    PFC = 0x0101,   //!< stop some priorities
};

/// What came of decoding a MAC control frame.
enum class MacControlResult : uint8_t
{
    OK,             //!< decoded
    TOO_SHORT,      //!< the bytes end before the last field
    UNKNOWN_OPCODE, //!< neither PAUSE nor PFC; Annex 31A: such a frame is discarded
};

/// A MAC control frame.
///
/// A time of 0 lets the peer send again.
struct MacControlFrame
{
    MacControlOpcode opcode{MacControlOpcode::PFC}; //!< PAUSE or PFC
    uint8_t enabled{0}; //!< PFC: the priorities whose times count, bit i for priority i
    std::array<uint16_t, PFC_PRIORITIES> quanta{}; //!< times; PAUSE has its own in the first
};

/// Write a MAC control frame, from its opcode on. @return the octets between EtherType and FCS
std::array<uint8_t, MAC_CONTROL_PAYLOAD_SIZE> EncodeMacControl(const MacControlFrame& frame);

/// Read a MAC control frame, from its opcode on. bytes: the octets after the EtherType; may be null
/// if length is 0; frame: unchanged unless the result is OK. @return OK, or what is wrong
MacControlResult DecodeMacControl(const uint8_t* bytes, std::size_t length, MacControlFrame& frame);

/// Get the time that pause quanta take. bitsPerSecond: the rate of the link, > 0 and below 2^62;
/// ticksPerSecond: the unit of the result, below 2^62: 10^9 for nanoseconds.
/// @return the time in ticks, rounded up so that a pause never ends early
uint64_t PauseQuantaToTicks(uint16_t quanta, uint64_t bitsPerSecond, uint64_t ticksPerSecond);

/// The traffic classes of an egress port, which can be paused and resumed.
class PausableClasses
{
  public:
    virtual ~PausableClasses() = default;

    /// @return the number of classes
    virtual uint32_t GetNClasses() const = 0;

    /// Pause or resume a class. The packet that the device already has is sent nevertheless.
    virtual void SetPaused(uint32_t index, bool paused) = 0;

    /// Begin or stop dropping all packets of a class, queued and new. discarding: true to drop.
    virtual void SetDiscarding(uint32_t index, bool discarding) = 0;

    /// @return whether a class has packets
    virtual bool IsWaiting(uint32_t index) const = 0;

    /// @return the number of packets that a class has sent
    virtual uint64_t GetSent(uint32_t index) const = 0;
};

/// What is seen of an egress queue that a peer can pause.
struct PausedQueueView
{
    bool paused{false};  //!< whether the peer wants it stopped, obeyed or not
    bool waiting{false}; //!< whether it has packets
    uint64_t sent{0};    //!< packets that it has sent so far
};

/// What a PauseWatchdog has found.
enum class PauseWatchdogEvent : uint8_t
{
    NONE,     //!< nothing new
    STORM,    //!< the queue has been stopped for too long: the pause shall not be obeyed any more
    RESTORED, //!< the storm is over: pauses shall be obeyed again
};

/// Tells a queue that is stopped by a storm of pauses or a deadlock, and when that is over.
///
/// As deployed switches do it, such as SONiC's PFC watchdog:
///
///     OPERATIONAL --(paused, has packets, has sent none for the detection time)--> STORMED
///     STORMED     --(no pause for the restoration time)--------------------------> OPERATIONAL
///
/// It has no clock: the caller calls Observe when the peer's wish changes, and at the time that
/// GetDeadline gives. A queue that was empty when it was paused is looked at again after a
/// detection time, so that finding it takes up to two of them.
class PauseWatchdog
{
  public:
    /// Set the times. @param detection how long a queue may be stopped, in any unit, > 0
    /// @param restoration how long no pause must have been seen, in the same unit, > 0
    void SetTimes(int64_t detection, int64_t restoration)
    {
        m_detection = detection;
        m_restoration = restoration;
    }

    /// Look at the queue. now: the time, which does not go back. @return what has been found
    PauseWatchdogEvent Observe(int64_t now, const PausedQueueView& view);

    /// Get when to look at the queue again, even if nothing changes. @return the time, or NEVER if
    /// there is nothing to wait for
    int64_t GetDeadline() const;

    /// Tell whether the queue is stopped by a storm. @return true from STORM to RESTORED
    bool IsStormed() const
    {
        return m_stormed;
    }

  private:
    int64_t m_detection{1};   //!< how long a queue may be stopped
    int64_t m_restoration{1}; //!< how long no pause must have been seen
    /// Beginning of what would change the state: of being stopped, or of not being paused; or
    /// NEVER.
    int64_t m_since{NEVER};
    uint64_t m_sent{0};    //!< what the queue had sent at the last look
    bool m_waiting{false}; //!< whether it had packets at the last look
    bool m_stormed{false}; //!< the state
};

} // namespace ns3::aidc

#endif // AIDC_MAC_CONTROL_H
