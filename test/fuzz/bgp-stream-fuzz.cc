// SPDX-License-Identifier: GPL-2.0-only

// A byte of options and any bytes as what TCP delivers: however they are cut in pieces, the
// messages are the same, each is decoded, and an error is one of the header's.

#include "fuzz-require.h"
#include "model/core/bgp/bgp-open.h"
#include "model/core/bgp/bgp-update.h"

#include "ns3/bgp-message.h"

#include <sstream>

namespace
{

/// A message or an error of a stream.
struct Found
{
    BgpFrame::Status status;      //!< which of them
    BgpMessageType type;          //!< of a message
    BgpBytes body;                //!< of a message
    BgpNotification notification; //!< of an error
};

bool
operator==(const Found& a, const Found& b)
{
    return a.status == b.status && a.type == b.type && a.body == b.body &&
           a.notification == b.notification;
}

/// Find the messages of bytes in pieces.
std::vector<Found>
Find(const uint8_t* data, std::size_t size, std::size_t piece)
{
    BgpFramer framer;
    std::vector<Found> found;
    for (std::size_t begin = 0; begin < size; begin += piece)
    {
        framer.Append(data + begin, std::min(piece, size - begin));
        for (BgpFrame frame = framer.Next(); frame.status != BgpFrame::Status::INCOMPLETE;
             frame = framer.Next())
        {
            found.push_back({frame.status,
                             frame.type,
                             frame.body == nullptr
                                 ? BgpBytes()
                                 : BgpBytes(frame.body, frame.body + frame.bodySize),
                             frame.notification});
        }
    }
    return found;
}

void
Check(BgpMessageType type, const BgpBytes& body)
{
    switch (type)
    {
    case BgpMessageType::OPEN:
        DecodeBgpOpen(body.data(), body.size());
        break;
    case BgpMessageType::UPDATE:
        DecodeBgpUpdate(body.data(), body.size(), {});
        break;
    case BgpMessageType::NOTIFICATION: {
        const auto notification = DecodeBgpNotification(body.data(), body.size());
        Require(notification.has_value(), "a framed NOTIFICATION is decoded");
        std::ostringstream text;
        text << *notification;
        BgpBytes again = EncodeBgpNotification(*notification);
        again.erase(again.begin(), again.begin() + BGP_HEADER_SIZE);
        Require(again == body || body.size() > again.size(), "a NOTIFICATION is written as read");
        break;
    }
    case BgpMessageType::KEEPALIVE:
        Require(body.empty(), "a KEEPALIVE has no body");
        break;
    case BgpMessageType::ROUTE_REFRESH: {
        const auto refresh = DecodeBgpRouteRefresh(body.data(), body.size());
        Require(refresh.has_value(), "a framed ROUTE-REFRESH is decoded");
        BgpBytes again = EncodeBgpRouteRefresh(*refresh);
        again.erase(again.begin(), again.begin() + BGP_HEADER_SIZE);
        Require(again == body, "a ROUTE-REFRESH is written as read");
        break;
    }
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size < 2)
    {
        return 0;
    }
    const std::size_t piece = 1 + (data[0] & 0x7f);
    const auto found = Find(data + 1, size - 1, piece);
    Require(found == Find(data + 1, size - 1, size), "pieces make no difference");
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        if (found[i].status == BgpFrame::Status::ERROR)
        {
            Require(i + 1 == found.size(), "nothing comes behind an error");
            Require(found[i].notification.code == 1, "it is an error of the header");
            Require(found[i].notification.subcode >= 1 && found[i].notification.subcode <= 3,
                    "its subcode is known");
        }
        else
        {
            Check(found[i].type, found[i].body);
        }
    }
    return 0;
}
