// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as a message to an ingress PE: what is understood is written to the same bytes again,
// and nothing that is made up has the hash of a key that it was not signed with.

#include "fuzz-require.h"

#include "ns3/domain-message.h"
#include "ns3/notification-key.h"

#include <cmath>
#include <utility>
#include <variant>

/// Writes a message, and tells how it is authenticated.
static std::pair<DomainMessageBytes, MessageAuthentication>
Encode(const AnyDomainMessage& message)
{
    return std::visit(
        [](const auto& record) {
            return std::make_pair(EncodeDomainMessage(record), record.authentication);
        },
        message);
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    AnyDomainMessage message;
    const DomainMessageResult result = DecodeDomainMessage(data, size, message);
    Require(size == DOMAIN_MESSAGE_SIZE || result == DomainMessageResult::WRONG_LENGTH,
            "the length is fixed");
    const NotificationKey none;
    if (result != DomainMessageResult::OK)
    {
        Require(Encode(message) == Encode({}), "nothing is told of what is refused");
        none.Verify(data, size); // reads nothing that is not there
        return 0;
    }
    if (const auto* report = std::get_if<LinkLoadReport>(&message))
    {
        Require(report->length > 0 && report->capacity > 0, "a load can be computed");
        Require(std::isfinite(report->GetLoad()) && report->GetLoad() >= 0, "and is a number");
    }
    auto [bytes, authentication] = Encode(message);
    Require(std::equal(data, data + DOMAIN_MESSAGE_HASHED_SIZE, bytes.begin()),
            "what is read is written alike");
    const bool isSigned = authentication == MessageAuthentication::BLAKE2B;
    Require(none.Verify(data, size) == !isSigned, "without a key, what is not signed is accepted");
    Require(isSigned || std::equal(data, data + size, bytes.begin()), "to the last byte");
    if (NotificationKey::IsAvailable())
    {
        for (const auto* text :
             {"5a5b5c5d5e5f60616263646566676869", "9:5a5b5c5d5e5f60616263646566676869"})
        {
            const auto key = NotificationKey::Parse(text);
            Require(!key.Verify(data, size), "nobody knows the hash of a key");
            key.Sign(bytes);
            Require(key.Verify(bytes.data(), bytes.size()), "but who has the key does");
        }
    }
    return 0;
}
