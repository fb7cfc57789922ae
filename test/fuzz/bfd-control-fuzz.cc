// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as datagrams for a session of BFD, each behind its length: what is not discarded is
// written to the same bytes again, and whatever comes, in whatever state, a session's timers and
// packets make sense, and it discards without a change.

#include "fuzz-require.h"

#include "ns3/bfd-session.h"

namespace
{

/// Check the actions of an event, and forget them.
void
Check(const BfdSession& session, BfdActions& actions)
{
    BfdState state = session.GetState();
    for (auto action = actions.rbegin(); action != actions.rend(); ++action)
    {
        if (action->type == BfdActionType::CHANGE_STATE)
        {
            Require(action->before != state, "a state changes into another one");
            state = action->before;
        }
        if (action->type == BfdActionType::SEND)
        {
            const BfdPacket& packet = action->packet;
            Require(!(packet.isPoll && packet.isFinal), "Poll and Final exclude each other");
            Require(!packet.isDemand && !packet.isAuthenticated, "neither is supported");
            Require(packet.myDiscriminator == session.GetDiscriminator(), "the own discriminator");
            Require(packet.state == BfdState::UP || packet.desiredMinTx >= BFD_SLOW_INTERVAL,
                    "once a second while it is not Up");
            BfdPacket again;
            const auto bytes = EncodeBfdPacket(packet);
            Require(DecodeBfdPacket(bytes.data(), bytes.size(), again) == BfdDiscard::NONE,
                    "what is sent has no errors");
            Require(again == packet, "what is sent is read alike");
        }
    }
    Require(actions.size() <= 8, "an event has few actions");
    Require(!session.HasFailed() || session.GetState() != BfdState::UP, "what is Up works");
    Require(session.GetState() != BfdState::UP || session.GetRemoteDiscriminator() != 0,
            "a session that is Up knows its neighbor");
    actions.clear();
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    BfdSessionTable table;
    table.Add(1, 2);
    BfdSession session({50000, 50000, 3}, BfdSessionTable::GetDiscriminator(0));
    BfdActions actions;
    session.Start(actions);
    Check(session, actions);
    while (size > 0)
    {
        // The first octet is the length of a datagram, or another event.
        const uint8_t first = *data++;
        --size;
        switch (first)
        {
        case 0xff:
            session.ExpireDetection(actions);
            break;
        case 0xfe:
            session.ExpireTransmission(actions);
            break;
        case 0xfd:
            session.SetAdminDown(session.GetState() != BfdState::ADMIN_DOWN, actions);
            break;
        case 0xfc:
            session.SetSettings({session.GetSettings().desiredMinTx == 50000 ? 90000U : 50000U,
                                 session.GetSettings().desiredMinTx,
                                 3},
                                actions);
            break;
        default: {
            const std::size_t length = std::min<std::size_t>(first, size);
            BfdPacket packet;
            BfdDiscard discard = DecodeBfdPacket(data, length, packet);
            if (discard == BfdDiscard::NONE && !packet.isAuthenticated)
            {
                const auto bytes = EncodeBfdPacket(packet);
                Require(std::equal(bytes.begin(), bytes.begin() + 3, data) &&
                            std::equal(bytes.begin() + 4, bytes.end(), data + 4),
                        "what is read is written alike, but for the length");
            }
            uint32_t number = 9;
            if (discard == BfdDiscard::NONE)
            {
                discard = table.Select(packet, 1, length % 4, number);
                Require((discard == BfdDiscard::NONE) == (number == 0), "there is one session");
            }
            if (discard == BfdDiscard::NONE)
            {
                discard = session.Receive(packet, actions);
                Require(discard == BfdDiscard::NONE || discard == BfdDiscard::ADMIN_DOWN ||
                            (discard == BfdDiscard::AUTHENTICATED && actions.empty()),
                        "authenticated packets change nothing");
                Require(discard != BfdDiscard::NONE || session.GetState() != BfdState::ADMIN_DOWN,
                        "AdminDown takes nothing");
            }
            data += length;
            size -= length;
            break;
        }
        }
        Check(session, actions);
    }
    return 0;
}
