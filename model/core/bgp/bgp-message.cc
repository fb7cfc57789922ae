/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-message.h"

#include "bgp-session-terms.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

std::size_t
GetBgpMinMessageSize(BgpMessageType type)
{
    switch (type)
    {
    case BgpMessageType::OPEN:
        return BGP_HEADER_SIZE + 10;
    case BgpMessageType::UPDATE:
    case BgpMessageType::ROUTE_REFRESH:
        return BGP_HEADER_SIZE + 4;
    case BgpMessageType::NOTIFICATION:
        return BGP_HEADER_SIZE + 2;
    case BgpMessageType::KEEPALIVE:
        break;
    }
    return BGP_HEADER_SIZE;
}

std::size_t
GetBgpMaxMessageSize(BgpMessageType type)
{
    switch (type)
    {
    case BgpMessageType::OPEN:
    case BgpMessageType::UPDATE:
    case BgpMessageType::NOTIFICATION:
        return BGP_MAX_MESSAGE_SIZE;
    case BgpMessageType::ROUTE_REFRESH:
    case BgpMessageType::KEEPALIVE:
        break;
    }
    return GetBgpMinMessageSize(type);
}

BgpBytes
BeginBgpMessage(BgpMessageType type)
{
    BgpBytes message(BGP_HEADER_SIZE, 0xff);
    message.back() = static_cast<uint8_t>(type);
    return message;
}

void
FinishBgpMessage(BgpBytes& message)
{
    StoreBgp(&message[BGP_MARKER_SIZE], static_cast<uint16_t>(message.size()));
}

BgpBytes
EncodeBgpKeepalive()
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::KEEPALIVE);
    FinishBgpMessage(message);
    return message;
}

BgpBytes
EncodeBgpNotification(const BgpNotification& notification)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::NOTIFICATION);
    message.push_back(notification.code);
    message.push_back(notification.subcode);
    AppendBgpBytes(message, notification.data);
    message.resize(std::min(message.size(), BGP_MAX_MESSAGE_SIZE));
    FinishBgpMessage(message);
    return message;
}

std::optional<BgpNotification>
DecodeBgpNotification(const uint8_t* body, std::size_t size)
{
    BgpReader reader(body, size);
    BgpNotification notification;
    notification.code = reader.Read<uint8_t>();
    notification.subcode = reader.Read<uint8_t>();
    notification.data = reader.GetBytes();
    return reader.IsWhole() ? std::make_optional(notification) : std::nullopt;
}

BgpBytes
EncodeBgpRouteRefresh(const BgpRouteRefresh& refresh)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::ROUTE_REFRESH);
    AppendBgp(message, refresh.family.afi);
    message.push_back(refresh.subtype);
    message.push_back(refresh.family.safi);
    FinishBgpMessage(message);
    return message;
}

std::optional<BgpRouteRefresh>
DecodeBgpRouteRefresh(const uint8_t* body, std::size_t size)
{
    BgpReader reader(body, size);
    BgpRouteRefresh refresh;
    refresh.family.afi = reader.Read<uint16_t>();
    refresh.subtype = reader.Read<uint8_t>();
    refresh.family.safi = reader.Read<uint8_t>();
    const bool isWhole = reader.IsWhole() && reader.GetSize() == 0;
    return isWhole ? std::make_optional(refresh) : std::nullopt;
}

void
BgpFramer::Append(const uint8_t* data, std::size_t size)
{
    if (m_hasFailed || size == 0)
    {
        return;
    }
    m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_next));
    m_next = 0;
    m_bytes.insert(m_bytes.end(), data, data + size);
}

BgpFrame
BgpFramer::Next()
{
    BgpFrame frame;
    const std::size_t nBytes = m_bytes.size() - m_next;
    if (m_hasFailed || nBytes < BGP_HEADER_SIZE)
    {
        return frame;
    }
    const auto fail = [this, &frame](BgpNotification notification) {
        m_hasFailed = true;
        frame.status = BgpFrame::Status::ERROR;
        frame.notification = std::move(notification);
        return frame;
    };
    const uint8_t* const header = &m_bytes[m_next];
    if (std::any_of(header, header + BGP_MARKER_SIZE, [](uint8_t byte) { return byte != 0xff; }))
    {
        return fail(BgpHeaderError::NOT_SYNCHRONIZED);
    }
    BgpReader reader(header + BGP_MARKER_SIZE, BGP_HEADER_SIZE - BGP_MARKER_SIZE);
    const auto length = reader.Read<uint16_t>();
    const auto type = reader.Read<uint8_t>();
    const BgpBytes lengthBytes(header + BGP_MARKER_SIZE, header + BGP_MARKER_SIZE + 2);
    if (length < BGP_HEADER_SIZE || length > BGP_MAX_MESSAGE_SIZE)
    {
        return fail({BgpHeaderError::BAD_MESSAGE_LENGTH, lengthBytes});
    }
    if (type < static_cast<uint8_t>(BgpMessageType::OPEN) ||
        type > static_cast<uint8_t>(BgpMessageType::ROUTE_REFRESH))
    {
        return fail({BgpHeaderError::BAD_MESSAGE_TYPE, {type}});
    }
    frame.type = static_cast<BgpMessageType>(type);
    if (length < GetBgpMinMessageSize(frame.type) || length > GetBgpMaxMessageSize(frame.type))
    {
        return fail({BgpHeaderError::BAD_MESSAGE_LENGTH, lengthBytes});
    }
    if (nBytes >= length)
    {
        frame.status = BgpFrame::Status::MESSAGE;
        frame.body = header + BGP_HEADER_SIZE;
        frame.bodySize = length - BGP_HEADER_SIZE;
        m_next += length;
    }
    return frame;
}

void
BgpFramer::Clear()
{
    *this = {};
}

} // namespace ns3::aidc
