/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Any bytes as a congestion notification: what is understood is written to the same bytes again,
// and nothing that is made up has the hash of a key that it was not signed with.

#include "fuzz-require.h"

#include "ns3/congestion-notification.h"
#include "ns3/notification-key.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace ns3::aidc;
using aidcfuzz::Require;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    CongestionNotification notification;
    const CongestionNotificationResult result =
        DecodeCongestionNotification(data, size, notification);
    Require(size == DOMAIN_MESSAGE_SIZE || result == CongestionNotificationResult::WRONG_LENGTH,
            "the length is fixed");
    const NotificationKey none;
    if (result != CongestionNotificationResult::OK)
    {
        Require(EncodeCongestionNotification(notification) == EncodeCongestionNotification({}),
                "nothing is told of what is refused");
        none.Verify(data, size); // reads nothing that is not there
        return 0;
    }
    auto bytes = EncodeCongestionNotification(notification);
    Require(std::equal(data, data + DOMAIN_MESSAGE_HASHED_SIZE, bytes.begin()),
            "what is read is written alike");
    const bool isSigned = notification.authentication == MessageAuthentication::BLAKE2B;
    Require(none.Verify(data, size) == !isSigned, "without a key, what is not signed is accepted");
    Require(isSigned || std::equal(data, data + size, bytes.begin()), "to the last byte");
    if (NotificationKey::IsAvailable())
    {
        const auto key = NotificationKey::Parse("5a5b5c5d5e5f60616263646566676869");
        Require(!key.Verify(data, size), "nobody knows the hash of a key");
        key.Sign(bytes);
        Require(key.Verify(bytes.data(), bytes.size()), "but who has the key does");
    }
    return 0;
}
