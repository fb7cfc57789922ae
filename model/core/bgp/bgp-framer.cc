/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-framer.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

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
