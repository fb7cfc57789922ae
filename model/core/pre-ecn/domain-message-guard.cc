// SPDX-License-Identifier: GPL-2.0-only

#include "domain-message-guard.h"

#include "../require-argument.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

uint32_t
GetMask(uint32_t length)
{
    return length == 0 ? 0 : ~uint32_t{0} << (32 - length);
}

/// Read up to three digits and what follows, 0 for the end. text: after both. @return whether there
bool
ParseNumber(const char*& text, uint32_t largest, char end, uint32_t& number)
{
    number = 0;
    const char* const first = text;
    for (; text - first < 3 && *text >= '0' && *text <= '9'; ++text)
    {
        number = 10 * number + static_cast<uint32_t>(*text - '0');
    }
    const bool isRight = text > first && number <= largest && *text == end;
    text += isRight && end != 0 ? 1 : 0;
    return isRight;
}

} // namespace

AddressDomain
AddressDomain::Parse(const std::string& text)
{
    AddressDomain domain;
    std::istringstream prefixes(text);
    for (std::string prefix; std::getline(prefixes, prefix, ',');)
    {
        const char* rest = prefix.c_str();
        uint32_t address = 0;
        bool isRight = true;
        for (const char end : {'.', '.', '.', '/'})
        {
            uint32_t octet = 0;
            isRight = isRight && ParseNumber(rest, 255, end, octet);
            address = address << 8 | octet;
        }
        uint32_t length = 0;
        if (!isRight || !ParseNumber(rest, 32, 0, length) || (address & ~GetMask(length)) != 0)
        {
            throw std::invalid_argument(
                "expected prefixes such as 10.0.0.0/8, separated by commas; "
                "found \"" +
                prefix + "\"");
        }
        domain.m_prefixes.push_back({address, length});
    }
    AIDC_REQUIRE(text.empty() || text.back() != ',', "expected a prefix behind the last comma");
    return domain;
}

std::string
AddressDomain::Print() const
{
    std::ostringstream text;
    for (std::size_t i = 0; i < m_prefixes.size(); ++i)
    {
        const auto [address, length] = m_prefixes[i];
        text << (i > 0 ? "," : "") << (address >> 24) << '.' << (address >> 16 & 255) << '.'
             << (address >> 8 & 255) << '.' << (address & 255) << '/' << length;
    }
    return text.str();
}

bool
AddressDomain::Contains(uint32_t address) const
{
    return m_prefixes.empty() ||
           std::any_of(m_prefixes.begin(), m_prefixes.end(), [address](const Prefix& prefix) {
               return (address & GetMask(prefix.length)) == prefix.address;
           });
}

bool
ReplayWindow::Accept(uint64_t sequence, bool isAuthentic)
{
    if (!m_isEmpty && sequence <= m_largest && m_largest - sequence >= WIDTH)
    {
        if (isAuthentic)
        {
            return false;
        }
        *this = ReplayWindow();
    }
    if (m_isEmpty || sequence > m_largest)
    {
        const uint64_t from = m_isEmpty ? sequence / WORD : m_largest / WORD + 1;
        const uint64_t to = sequence / WORD;
        // Numbers that come into the window; a far jump clears the whole ring.
        for (uint64_t word = from; word <= to && word - from < WORDS; ++word)
        {
            m_seen[word % WORDS] = 0;
        }
        m_largest = sequence;
        m_isEmpty = false;
    }
    uint64_t& word = m_seen[sequence / WORD % WORDS];
    const uint64_t bit = uint64_t{1} << (sequence % WORD);
    const bool isNew = (word & bit) == 0;
    word |= bit;
    return isNew;
}

void
ReplayWindows::SetLimits(std::size_t maxSenders, int64_t maxAge)
{
    m_maxSenders = maxSenders;
    m_maxAge = maxAge;
}

ReplayWindows::Verdict
ReplayWindows::Accept(uint32_t sender,
                      uint64_t sequence,
                      int64_t time,
                      int64_t now,
                      bool isAuthentic)
{
    auto found = m_senders.find(sender);
    if (found == m_senders.end())
    {
        for (auto old = m_senders.begin();
             m_senders.size() >= m_maxSenders && m_maxAge > 0 && old != m_senders.end();)
        {
            old = now - old->second.newest > m_maxAge ? m_senders.erase(old) : std::next(old);
        }
        if (m_senders.size() >= m_maxSenders)
        {
            return Verdict::NO_ROOM;
        }
        found = m_senders.emplace(sender, Sender{{}, time}).first;
    }
    auto& [window, newest] = found->second;
    if (!window.Accept(sequence, isAuthentic))
    {
        return Verdict::REPLAYED;
    }
    newest = std::max(newest, time);
    return Verdict::FRESH;
}

std::optional<DomainMessageGuard::Refusal>
DomainMessageGuard::Check(const Settings& settings,
                          const DomainMessage& message,
                          const uint8_t* bytes,
                          uint32_t sender,
                          int64_t now)
{
    switch (settings.keys.Verify(bytes, DOMAIN_MESSAGE_SIZE))
    {
    case NotificationKeys::Verdict::FORGED:
        return UNAUTHENTIC;
    case NotificationKeys::Verdict::UNKNOWN_KEY:
        return UNKNOWN_KEY;
    case NotificationKeys::Verdict::AUTHENTIC:
        break;
    }
    if (!settings.domain.Contains(message.device))
    {
        return OFF_DOMAIN;
    }
    const bool isMonitor = !settings.monitors.IsAll() && settings.monitors.Contains(sender);
    if (message.device != sender && !isMonitor)
    {
        return OTHER_DEVICE;
    }
    // The domain shares one key: what is authentic may have been sent to another PE.
    if (std::find(m_ingresses.begin(), m_ingresses.end(), message.ingress) == m_ingresses.end())
    {
        return OTHER_RECEIVER;
    }
    const auto time = static_cast<int64_t>(message.time);
    if (time > now)
    {
        return EARLY;
    }
    if (settings.maxAge > 0 && now - time > settings.maxAge)
    {
        return STALE;
    }
    // Numbers are noted of authentic messages only: a forged one could make its successors look
    // old.
    m_windows.SetLimits(settings.maxDevices, settings.maxAge);
    switch (m_windows.Accept(message.device, message.sequence, time, now, settings.keys.IsSet()))
    {
    case ReplayWindows::Verdict::NO_ROOM:
        return TOO_MANY_DEVICES;
    case ReplayWindows::Verdict::REPLAYED:
        return REPLAYED;
    case ReplayWindows::Verdict::FRESH:
        break;
    }
    return std::nullopt;
}

} // namespace ns3::aidc
