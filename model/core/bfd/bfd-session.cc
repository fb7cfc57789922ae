// SPDX-License-Identifier: GPL-2.0-only

#include "bfd-session.h"

#include "../require-argument.h"

#include <algorithm>

namespace ns3::aidc
{

/// The time of a timer that is to be set even if its time is the same again.
static constexpr uint64_t NOT_SET = ~uint64_t{0};

/// Check settings. @return the same @throws std::invalid_argument if one is 0 but must not be
static const BfdSessionSettings&
Check(const BfdSessionSettings& settings)
{
    AIDC_REQUIRE(
        settings.desiredMinTx > 0 && settings.detectMultiplier > 0,
        "BFD: expected a DesiredMinTx and a DetectMultiplier above 0 (RFC 5880, section 4.1)");
    return settings;
}

BfdSession::BfdSession(const BfdSessionSettings& settings, uint32_t discriminator)
    : m_settings(Check(settings)),
      m_discriminator(discriminator)
{
    AIDC_REQUIRE(discriminator != 0,
                 "BFD: expected a discriminator other than 0 (RFC 5880, section 6.8.1)");
    m_remote.state = BfdState::DOWN;
    m_remote.requiredMinRx = 1; // section 6.8.1
    UseIntervals();
}

void
BfdSession::Start(BfdActions& actions)
{
    if (!m_isStarted)
    {
        m_isStarted = true;
        SendNow(actions);
    }
}

BfdDiscard
BfdSession::Receive(const BfdPacket& packet, BfdActions& actions)
{
    if (packet.isAuthenticated)
    {
        return BfdDiscard::AUTHENTICATED;
    }
    m_remote = packet;
    m_remoteDiscriminator = packet.myDiscriminator;
    if (packet.isFinal && m_isPolling)
    {
        m_isPolling = m_pollsAgain;
        m_pollsAgain = false;
        if (!m_isPolling)
        {
            UseIntervals();
        }
    }
    if (packet.state == BfdState::ADMIN_DOWN)
    {
        m_hasFailed = false;
    }
    if (m_state == BfdState::ADMIN_DOWN)
    {
        UpdateTimers(actions);
        return BfdDiscard::ADMIN_DOWN;
    }
    m_isDetecting = true;
    m_detectionTime = NOT_SET;
    Follow(actions);
    UpdateTimers(actions);
    if (packet.isPoll)
    {
        BfdAction answer;
        answer.packet = MakePacket();
        answer.packet.isFinal = true;
        actions.push_back(answer);
    }
    return BfdDiscard::NONE;
}

void
BfdSession::Follow(BfdActions& actions)
{
    switch (m_remote.state)
    {
    case BfdState::ADMIN_DOWN:
        if (m_state != BfdState::DOWN)
        {
            m_diagnostic = BfdDiagnostic::NEIGHBOR_SIGNALED_DOWN;
            ChangeState(BfdState::DOWN, actions);
        }
        break;
    case BfdState::DOWN:
        if (m_state == BfdState::DOWN)
        {
            ChangeState(BfdState::INIT, actions);
        }
        else if (m_state == BfdState::UP)
        {
            m_diagnostic = BfdDiagnostic::NEIGHBOR_SIGNALED_DOWN;
            m_hasFailed = true;
            ChangeState(BfdState::DOWN, actions);
        }
        break;
    case BfdState::INIT:
        if (m_state != BfdState::UP)
        {
            ChangeState(BfdState::UP, actions);
        }
        break;
    case BfdState::UP:
        if (m_state == BfdState::INIT)
        {
            ChangeState(BfdState::UP, actions);
        }
        break;
    }
}

void
BfdSession::ExpireDetection(BfdActions& actions)
{
    m_isDetecting = false;
    m_detectionTime = 0;
    m_remoteDiscriminator = 0; // section 6.8.1
    if (m_state == BfdState::INIT || m_state == BfdState::UP)
    {
        m_hasFailed = m_hasFailed || m_state == BfdState::UP;
        m_diagnostic = BfdDiagnostic::DETECTION_TIME_EXPIRED;
        ChangeState(BfdState::DOWN, actions);
    }
    UpdateTimers(actions);
}

void
BfdSession::ExpireTransmission(BfdActions& actions)
{
    if (GetTransmissionInterval() > 0)
    {
        SendNow(actions);
    }
}

void
BfdSession::SetAdminDown(bool isAdminDown, BfdActions& actions)
{
    if (isAdminDown == (m_state == BfdState::ADMIN_DOWN))
    {
        return;
    }
    m_hasFailed = false;
    if (isAdminDown)
    {
        m_diagnostic = BfdDiagnostic::ADMINISTRATIVELY_DOWN;
        m_isDetecting = false;
        ChangeState(BfdState::ADMIN_DOWN, actions);
    }
    else
    {
        m_remoteDiscriminator = 0; // nobody has watched whether the neighbor is still there
        ChangeState(BfdState::DOWN, actions);
    }
    UpdateTimers(actions);
}

void
BfdSession::SetSettings(const BfdSessionSettings& settings, BfdActions& actions)
{
    const bool isPolled = settings.desiredMinTx != m_settings.desiredMinTx ||
                          settings.requiredMinRx != m_settings.requiredMinRx;
    m_settings = Check(settings);
    if (m_state != BfdState::UP)
    {
        UseIntervals();
    }
    else if (isPolled)
    {
        // A longer interval and a shorter detection time wait until the neighbor knows of them.
        m_desiredMinTxInUse = std::min(m_desiredMinTxInUse, settings.desiredMinTx);
        m_requiredMinRxInUse = std::max(m_requiredMinRxInUse, settings.requiredMinRx);
        m_pollsAgain = m_isPolling;
        m_isPolling = true;
    }
    UpdateTimers(actions);
}

void
BfdSession::ChangeState(BfdState state, BfdActions& actions)
{
    BfdAction change;
    change.type = BfdActionType::CHANGE_STATE;
    change.before = m_state;
    m_state = state;
    m_pollsAgain = false;
    m_isPolling = state == BfdState::UP; // the intervals that are told change
    if (state == BfdState::UP)
    {
        m_hasFailed = false;
    }
    UseIntervals();
    actions.push_back(change);
    SendNow(actions);
}

uint32_t
BfdSession::GetDesiredMinTx() const
{
    return m_state == BfdState::UP ? m_settings.desiredMinTx
                                   : std::max(m_settings.desiredMinTx, BFD_SLOW_INTERVAL);
}

void
BfdSession::UseIntervals()
{
    m_desiredMinTxInUse = GetDesiredMinTx();
    m_requiredMinRxInUse = m_settings.requiredMinRx;
}

BfdPacket
BfdSession::MakePacket() const
{
    BfdPacket packet;
    packet.diagnostic = static_cast<uint8_t>(m_diagnostic);
    packet.state = m_state;
    packet.detectMultiplier = m_settings.detectMultiplier;
    packet.myDiscriminator = m_discriminator;
    packet.yourDiscriminator = m_remoteDiscriminator;
    packet.desiredMinTx = GetDesiredMinTx();
    packet.requiredMinRx = m_settings.requiredMinRx;
    return packet;
}

void
BfdSession::SendNow(BfdActions& actions)
{
    if (!m_isStarted || (m_settings.isPassive && m_remoteDiscriminator == 0))
    {
        return;
    }
    BfdAction send;
    send.packet = MakePacket();
    send.packet.isPoll = m_isPolling;
    send.isPeriodic = true;
    actions.push_back(send);
    m_transmissionInterval = NOT_SET;
    UpdateTimers(actions);
}

void
BfdSession::UpdateTimers(BfdActions& actions)
{
    const auto update = [&actions](BfdActionType type, uint64_t& last, uint64_t time) {
        if (time != last)
        {
            last = time;
            BfdAction set;
            set.type = type;
            set.microseconds = time;
            actions.push_back(set);
        }
    };
    update(BfdActionType::SET_TRANSMISSION, m_transmissionInterval, GetTransmissionInterval());
    update(BfdActionType::SET_DETECTION, m_detectionTime, GetDetectionTime());
}

uint64_t
BfdSession::GetTransmissionInterval() const
{
    const bool isDemanded = m_remote.isDemand && m_state == BfdState::UP &&
                            m_remote.state == BfdState::UP && !m_isPolling;
    if (!m_isStarted || isDemanded || m_remote.requiredMinRx == 0 ||
        (m_settings.isPassive && m_remoteDiscriminator == 0))
    {
        return 0;
    }
    return std::max(m_desiredMinTxInUse, m_remote.requiredMinRx);
}

uint64_t
BfdSession::GetDetectionTime() const
{
    return m_isDetecting ? static_cast<uint64_t>(m_remote.detectMultiplier) *
                               std::max(m_requiredMinRxInUse, m_remote.desiredMinTx)
                         : 0;
}

uint32_t
BfdSessionTable::Add(uint32_t interface, uint32_t address)
{
    const auto number = static_cast<uint32_t>(m_numbers.size());
    AIDC_REQUIRE(m_numbers.emplace(std::pair(interface, address), number).second,
                 "BFD: expected one session with a neighbor at an interface");
    return number;
}

bool
BfdSessionTable::Find(uint32_t interface, uint32_t address, uint32_t& number) const
{
    const auto found = m_numbers.find({interface, address});
    if (found == m_numbers.end())
    {
        return false;
    }
    number = found->second;
    return true;
}

BfdDiscard
BfdSessionTable::Select(const BfdPacket& packet,
                        uint32_t interface,
                        uint32_t source,
                        uint32_t& number) const
{
    if (packet.yourDiscriminator != 0)
    {
        if (packet.yourDiscriminator > m_numbers.size())
        {
            return BfdDiscard::UNKNOWN_SESSION;
        }
        number = packet.yourDiscriminator - 1;
        return BfdDiscard::NONE;
    }
    if (packet.state == BfdState::INIT || packet.state == BfdState::UP)
    {
        return BfdDiscard::NOT_DOWN;
    }
    return Find(interface, source, number) ? BfdDiscard::NONE : BfdDiscard::UNKNOWN_NEIGHBOR;
}

} // namespace ns3::aidc
