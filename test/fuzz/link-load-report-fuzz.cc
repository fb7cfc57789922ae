/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Any bytes as a report of a link's load: what is understood is written to the same bytes again,
// and nothing that is made up has the hash of a key that it was not signed with.

#include "fuzz-require.h"

#include "ns3/link-load-report.h"
#include "ns3/notification-key.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

using namespace ns3::aidc;
using aidcfuzz::Require;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    LinkLoadReport report;
    const LinkLoadReportResult result = DecodeLinkLoadReport(data, size, report);
    Require(size == DOMAIN_MESSAGE_SIZE || result == LinkLoadReportResult::WRONG_LENGTH,
            "the length is fixed");
    if (result != LinkLoadReportResult::OK)
    {
        Require(EncodeLinkLoadReport(report) == EncodeLinkLoadReport({}),
                "nothing is told of what is refused");
        return 0;
    }
    Require(report.length > 0 && report.capacity > 0, "a load can be computed");
    Require(std::isfinite(report.GetLoad()) && report.GetLoad() >= 0, "and is a number");
    auto bytes = EncodeLinkLoadReport(report);
    Require(std::equal(data, data + DOMAIN_MESSAGE_HASHED_SIZE, bytes.begin()),
            "what is read is written alike");
    const bool isSigned = report.authentication == MessageAuthentication::BLAKE2B;
    Require(NotificationKey().Verify(data, size) == !isSigned,
            "without a key, what is not signed is accepted");
    if (NotificationKey::IsAvailable())
    {
        const auto key = NotificationKey::Parse("9:5a5b5c5d5e5f60616263646566676869");
        Require(!key.Verify(data, size), "nobody knows the hash of a key");
        key.Sign(bytes);
        Require(key.Verify(bytes.data(), bytes.size()), "but who has the key does");
    }
    return 0;
}
