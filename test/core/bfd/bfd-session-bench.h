// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BFD_SESSION_BENCH_H
#define AIDC_BFD_SESSION_BENCH_H

#include "test/core/core-test.h"

#include "ns3/bfd-session.h"

// Sessions of BFD without a simulator: packets for one, and two with a link and clocks.

namespace aidctest
{

/// The discriminator of the neighbor.
constexpr uint32_t REMOTE = 0x25963f52;
constexpr uint32_t POLL = 1;  //!< a flag of MakeBfdPacket()
constexpr uint32_t FINAL = 2; //!< a flag of MakeBfdPacket()

/// Make a packet of the neighbor, with its multiplier 3 and 50 ms while it is Up.
inline BfdPacket
MakeBfdPacket(BfdState state, uint32_t yourDiscriminator, uint32_t flags = 0)
{
    BfdPacket packet;
    packet.state = state;
    packet.isPoll = (flags & POLL) != 0;
    packet.isFinal = (flags & FINAL) != 0;
    packet.detectMultiplier = 3;
    packet.myDiscriminator = REMOTE;
    packet.yourDiscriminator = yourDiscriminator;
    packet.desiredMinTx = state == BfdState::UP ? 50000 : 1000000;
    packet.requiredMinRx = 50000;
    return packet;
}

inline std::vector<BfdPacket>
GetSent(const BfdActions& actions)
{
    std::vector<BfdPacket> sent;
    for (const BfdAction& action : actions)
    {
        if (action.type == BfdActionType::SEND)
        {
            sent.push_back(action.packet);
        }
    }
    return sent;
}

/// Two sessions at a link that may lose packets. Times are in us.
class BfdPair
{
  public:
    /// A packet that was sent.
    struct Sent
    {
        int64_t time;
        BfdPacket packet;
        bool isPeriodic;
    };

    /// A change of a state.
    struct Change
    {
        int64_t time;
        BfdState state;
    };

    /// One side.
    struct End
    {
        explicit End(const BfdSession& one)
            : session(one)
        {
        }

        BfdSession session;
        int64_t lastSent{0};
        int64_t lastReceived{0};
        int64_t transmission{-1}; //!< when the timer expires, -1: it does not run
        int64_t detection{-1};    //!< the same
        std::vector<Sent> sent;
        std::vector<Change> changes;
        std::deque<std::pair<int64_t, BfdPacket>> arrivals;
    };

    /// draw: a number from 0 to 1.
    BfdPair(
        const BfdSessionSettings& a,
        const BfdSessionSettings& b,
        std::function<double()> draw = [] { return 1.0; })
        : ends{End(BfdSession(a, 1)), End(BfdSession(b, 2))},
          m_draw(std::move(draw))
    {
        for (std::size_t end = 0; end < 2; ++end)
        {
            Do(end, [this, end](BfdActions& actions) { ends[end].session.Start(actions); });
        }
    }

    /// Let time pass.
    void RunUntil(int64_t until)
    {
        while (true)
        {
            // The earliest event; of one time: arrivals, then detection, then transmission
            int64_t next = until + 1;
            std::size_t at = 0;
            int kind = 0;
            for (std::size_t end = 0; end < 2; ++end)
            {
                const int64_t times[] = {ends[end].arrivals.empty() ? -1
                                                                    : ends[end].arrivals[0].first,
                                         ends[end].detection,
                                         ends[end].transmission};
                for (int i = 0; i < 3; ++i)
                {
                    if (times[i] >= 0 && times[i] < next)
                    {
                        next = times[i];
                        at = end;
                        kind = i;
                    }
                }
            }
            if (next > until)
            {
                now = until;
                return;
            }
            now = std::max(now, next);
            Handle(at, kind);
        }
    }

    /// Do something with a session, and perform its actions.
    void Do(std::size_t end, const std::function<void(BfdActions&)>& task)
    {
        BfdActions actions;
        task(actions);
        for (const BfdAction& action : actions)
        {
            Perform(end, action);
        }
    }

    std::array<End, 2> ends;                                 //!< both sides
    std::array<bool, 2> loses{};                             //!< what an end sends is lost
    int64_t now{0};                                          //!< us
    int64_t delay{10};                                       //!< of the link, us
    std::function<void(std::size_t, BfdPacket&)> corrupts{}; //!< changes what is sent

  private:
    void Handle(std::size_t at, int kind)
    {
        End& end = ends[at];
        if (kind == 0)
        {
            const BfdPacket packet = end.arrivals[0].second;
            end.arrivals.pop_front();
            Do(at, [this, &end, &packet](BfdActions& actions) {
                if (end.session.Receive(packet, actions) == BfdDiscard::NONE)
                {
                    end.lastReceived = now;
                }
            });
        }
        else if (kind == 1)
        {
            end.detection = -1;
            Do(at, [&end](BfdActions& actions) { end.session.ExpireDetection(actions); });
        }
        else
        {
            end.transmission = -1;
            Do(at, [&end](BfdActions& actions) { end.session.ExpireTransmission(actions); });
        }
    }

    void Perform(std::size_t at, const BfdAction& action)
    {
        End& end = ends[at];
        const auto time = static_cast<int64_t>(action.microseconds);
        switch (action.type)
        {
        case BfdActionType::SEND: {
            end.sent.push_back({now, action.packet, action.isPeriodic});
            end.lastSent = action.isPeriodic ? now : end.lastSent;
            BfdPacket packet = action.packet;
            if (corrupts)
            {
                corrupts(at, packet);
            }
            if (!loses[at])
            {
                ends[1 - at].arrivals.emplace_back(now + delay, packet);
            }
            break;
        }
        case BfdActionType::SET_TRANSMISSION: {
            const double max = GetBfdMaxJitter(end.session.GetSettings().detectMultiplier);
            const double factor = BFD_MIN_JITTER + m_draw() * (max - BFD_MIN_JITTER);
            end.transmission =
                time == 0 ? -1
                          : std::max(now,
                                     end.lastSent +
                                         static_cast<int64_t>(factor * static_cast<double>(time)));
            break;
        }
        case BfdActionType::SET_DETECTION:
            end.detection = time == 0 ? -1 : std::max(now, end.lastReceived + time);
            break;
        case BfdActionType::CHANGE_STATE:
            end.changes.push_back({now, end.session.GetState()});
            break;
        }
    }

    std::function<double()> m_draw; //!< for jitter
};

} // namespace aidctest

#endif // AIDC_BFD_SESSION_BENCH_H
