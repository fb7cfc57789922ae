// SPDX-License-Identifier: GPL-2.0-only

#include "mac-control.h"

#include "../multiply-divide.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::store_big_u16;

constexpr std::size_t OPCODE = 0;    //!< offset of the opcode
constexpr std::size_t PARAMETER = 2; //!< offset of pause_time, or of the class-enable vector
constexpr std::size_t TIMES = 4;     //!< offset of the times of priority flow control

} // namespace

std::array<uint8_t, MAC_CONTROL_PAYLOAD_SIZE>
EncodeMacControl(const MacControlFrame& frame)
{
    std::array<uint8_t, MAC_CONTROL_PAYLOAD_SIZE> bytes{};
    store_big_u16(&bytes[OPCODE], static_cast<uint16_t>(frame.opcode));
    if (frame.opcode == MacControlOpcode::PAUSE)
    {
        store_big_u16(&bytes[PARAMETER], frame.quanta[0]);
        return bytes;
    }
    store_big_u16(&bytes[PARAMETER], frame.enabled);
    for (std::size_t i = 0; i < PFC_PRIORITIES; ++i)
    {
        store_big_u16(&bytes[TIMES + 2 * i], frame.quanta[i]);
    }
    return bytes;
}

MacControlResult
DecodeMacControl(const uint8_t* bytes, std::size_t length, MacControlFrame& frame)
{
    if (length < PARAMETER)
    {
        return MacControlResult::TOO_SHORT;
    }
    MacControlFrame decoded;
    switch (load_big_u16(bytes + OPCODE))
    {
    case static_cast<uint16_t>(MacControlOpcode::PAUSE):
        if (length < TIMES)
        {
            return MacControlResult::TOO_SHORT;
        }
        decoded.opcode = MacControlOpcode::PAUSE;
        decoded.quanta[0] = load_big_u16(bytes + PARAMETER);
        break;
    case static_cast<uint16_t>(MacControlOpcode::PFC):
        if (length < TIMES + 2 * PFC_PRIORITIES)
        {
            return MacControlResult::TOO_SHORT;
        }
        decoded.opcode = MacControlOpcode::PFC;
        decoded.enabled = bytes[PARAMETER + 1]; // the octet before is reserved, ignored on receipt
        for (std::size_t i = 0; i < PFC_PRIORITIES; ++i)
        {
            decoded.quanta[i] = load_big_u16(bytes + TIMES + 2 * i);
        }
        break;
    default:
        return MacControlResult::UNKNOWN_OPCODE;
    }
    frame = decoded;
    return MacControlResult::OK;
}

uint64_t
PauseQuantaToTicks(uint16_t quanta, uint64_t bitsPerSecond, uint64_t ticksPerSecond)
{
    return MultiplyDivideUp(uint64_t{quanta} * PAUSE_QUANTUM_BITS, ticksPerSecond, bitsPerSecond);
}

PauseWatchdogEvent
PauseWatchdog::Observe(int64_t now, const PausedQueueView& view)
{
    const bool progress = view.sent != m_sent || view.waiting != m_waiting;
    m_sent = view.sent;
    m_waiting = view.waiting;
    // What must last: without a storm, the pause; in a storm, that there is none.
    const bool lasting = view.paused != m_stormed;
    if (!lasting)
    {
        m_since = NEVER;
        return PauseWatchdogEvent::NONE;
    }
    if (m_since == NEVER || (!m_stormed && progress))
    {
        m_since = now;
        return PauseWatchdogEvent::NONE;
    }
    if (now < GetDeadline())
    {
        return PauseWatchdogEvent::NONE;
    }
    if (!m_stormed && !view.waiting)
    {
        m_since = now; // nothing is stopped; look again
        return PauseWatchdogEvent::NONE;
    }
    m_stormed = !m_stormed;
    // After a storm is found, the peer is pausing; after one is over, it is not.
    m_since = NEVER;
    return m_stormed ? PauseWatchdogEvent::STORM : PauseWatchdogEvent::RESTORED;
}

int64_t
PauseWatchdog::GetDeadline() const
{
    return m_since == NEVER ? NEVER : m_since + (m_stormed ? m_restoration : m_detection);
}

} // namespace ns3::aidc
