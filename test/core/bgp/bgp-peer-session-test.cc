// SPDX-License-Identifier: GPL-2.0-only

// Connections that collide: RFC 4271, section 6.8; RFC 6286, section 2.3. Two speakers are wired
// together by connections that get lost, take their time and break.

#include "model/core/bgp/bgp-peer-session.h"
#include "test/core/core-test.h"

using Action = BgpSessionActionType;
using Event = BgpSessionEvent;
using State = BgpSessionState;

constexpr auto OUT = BgpConnection::OUTGOING;
constexpr auto IN = BgpConnection::INCOMING;

std::shared_ptr<BgpSessionSettings>
Settings(uint32_t as, uint32_t identifier)
{
    auto settings = std::make_shared<BgpSessionSettings>();
    settings->open = MakeBgpOpen(as, 9, identifier);
    settings->connectRetryTime = 10000;
    settings->openHoldTime = 20000;
    settings->idleHoldTime = 1000;
    return settings;
}

/// A session of AS 65001 that is told events, and the NOTIFICATIONs and closings that come of it.
struct Session
{
    explicit Session(uint32_t identifier)
        : session(Settings(65001, identifier))
    {
        BgpPeerActions actions;
        session.Start(actions);
    }

    std::string Tell(BgpConnection connection, Event event, const BgpOpen& open = {})
    {
        BgpPeerActions actions;
        session.Handle(connection, {event, &open, {}}, actions);
        return Write(actions);
    }

    bool Accept()
    {
        BgpPeerActions actions;
        const bool isAccepted = session.Accept(actions);
        done = Write(actions);
        return isAccepted;
    }

    static std::string Write(const BgpPeerActions& actions)
    {
        std::string text;
        for (const auto& [connection, action] : actions)
        {
            const std::string which = connection == OUT ? " out:" : " in:";
            switch (action.type)
            {
            case Action::SEND_NOTIFICATION:
                text += which + std::to_string(action.notification.code) + "/" +
                        std::to_string(action.notification.subcode);
                break;
            case Action::CLOSE:
                text += which + "close";
                break;
            case Action::SEND_KEEPALIVE:
                text += which + "keepalive";
                break;
            default:
                break;
            }
        }
        return text;
    }

    BgpPeerSession session; //!< the session
    std::string done;       //!< what Accept() has done
};

const BgpOpen PEER = MakeBgpOpen(65002, 9, 5);

TEST(BgpPeerSession, TheConnectionOfTheLargerIdentifierIsKept)
{
    // The own identifier is 6 or 4, the peer's 5; OPEN comes first on either connection.
    struct Case
    {
        uint32_t identifier;
        BgpConnection first;
        std::string actions;
    };

    for (const Case& row : {Case{6, OUT, " in:6/7 in:close"},
                            Case{6, IN, " in:6/7 in:close out:keepalive"},
                            Case{4, OUT, " out:6/7 out:close in:keepalive"},
                            Case{4, IN, " out:6/7 out:close"}})
    {
        Session session(row.identifier);
        session.Tell(OUT, Event::TCP_ACKNOWLEDGED);
        ASSERT_TRUE(session.Accept());
        session.Tell(IN, Event::TCP_CONFIRMED);
        EXPECT_EQ(session.Tell(row.first, Event::OPEN_RECEIVED, PEER),
                  row.first == OUT ? " out:keepalive" : " in:keepalive");
        EXPECT_EQ(session.Tell(row.first == OUT ? IN : OUT, Event::OPEN_RECEIVED, PEER),
                  row.actions);
        const BgpConnection kept = row.identifier == 6 ? OUT : IN;
        EXPECT_EQ(session.session.Get(kept).GetState(), State::OPEN_CONFIRM);
        session.Tell(kept, Event::KEEPALIVE_RECEIVED);
        EXPECT_EQ(session.session.GetEstablished(), kept);
    }
}

TEST(BgpPeerSession, WithEqualIdentifiersTheLargerAsDecides)
{
    // RFC 6286, section 2.3: the peer's AS is larger
    Session session(5);
    session.Tell(OUT, Event::TCP_ACKNOWLEDGED);
    ASSERT_TRUE(session.Accept());
    session.Tell(IN, Event::TCP_CONFIRMED);
    session.Tell(OUT, Event::OPEN_RECEIVED, PEER);
    EXPECT_EQ(session.Tell(IN, Event::OPEN_RECEIVED, PEER), " out:6/7 out:close in:keepalive");
}

TEST(BgpPeerSession, AnEstablishedConnectionStays)
{
    Session session(4);
    session.Tell(OUT, Event::TCP_ACKNOWLEDGED);
    ASSERT_TRUE(session.Accept());
    session.Tell(IN, Event::TCP_CONFIRMED);
    session.Tell(OUT, Event::OPEN_RECEIVED, PEER);
    session.Tell(OUT, Event::KEEPALIVE_RECEIVED);
    EXPECT_EQ(session.Tell(IN, Event::OPEN_RECEIVED, PEER), " in:6/7 in:close");
    EXPECT_EQ(session.session.GetEstablished(), OUT);
    EXPECT_FALSE(session.Accept());
}

TEST(BgpPeerSession, AnAttemptEndsWhenTheOtherConnectionIsEstablished)
{
    Session session(6);
    ASSERT_TRUE(session.Accept());
    session.Tell(IN, Event::TCP_CONFIRMED);
    session.Tell(IN, Event::OPEN_RECEIVED, PEER);
    EXPECT_EQ(session.Tell(IN, Event::KEEPALIVE_RECEIVED), " out:close");
    EXPECT_EQ(session.session.GetEstablished(), IN);
    // When it is lost, the idle hold timer of the outgoing one leads to the next attempt.
    session.Tell(IN, Event::TCP_FAILED);
    EXPECT_TRUE(session.session.Get(OUT).IsRunning(BgpSessionTimer::IDLE_HOLD));
}

TEST(BgpPeerSession, ANewerConnectionOfThePeerReplacesAnOlderOne)
{
    Session session(6);
    ASSERT_TRUE(session.Accept());
    session.Tell(IN, Event::TCP_CONFIRMED);
    ASSERT_TRUE(session.Accept());
    EXPECT_EQ(session.done, " in:6/7 in:close");
    session.Tell(IN, Event::TCP_CONFIRMED);
    session.Tell(IN, Event::OPEN_RECEIVED, PEER);
    EXPECT_FALSE(session.Accept());
}

TEST(BgpPeerSession, AConnectionThatIsLostIsForgotten)
{
    Session session(6);
    ASSERT_TRUE(session.Accept());
    session.Tell(IN, Event::TCP_CONFIRMED);
    session.Tell(IN, Event::TCP_FAILED);
    EXPECT_EQ(session.session.Get(IN).GetState(), State::IDLE);
    EXPECT_EQ(session.session.GetState(), State::CONNECT);
}

TEST(BgpPeerSession, AStoppedSessionTakesNoConnection)
{
    Session session(6);
    session.Tell(OUT, Event::TCP_ACKNOWLEDGED);
    BgpPeerActions actions;
    session.session.Stop({}, actions);
    EXPECT_EQ(Session::Write(actions), " out:6/2 out:close");
    EXPECT_FALSE(session.Accept());
    EXPECT_FALSE(session.session.Get(OUT).IsRunning(BgpSessionTimer::IDLE_HOLD));
}

TEST(BgpPeerSession, AResetSessionStartsAgain)
{
    Session session(6);
    session.Tell(OUT, Event::TCP_ACKNOWLEDGED);
    session.Tell(OUT, Event::OPEN_RECEIVED, PEER);
    BgpPeerActions actions;
    session.session.Reset(BgpCease::ADMINISTRATIVE_RESET, actions);
    EXPECT_EQ(Session::Write(actions), " out:6/4 out:close");
    EXPECT_TRUE(session.session.Get(OUT).IsRunning(BgpSessionTimer::IDLE_HOLD));
    EXPECT_TRUE(session.Accept());
}

/// Two speakers, and what is between them.
class Wire
{
  public:
    Wire(uint32_t identifier0, uint32_t identifier1, bool isPassive, uint32_t seed)
        : m_random(seed | 1U)
    {
        for (uint32_t side = 0; side < 2; ++side)
        {
            auto settings = Settings(65001 + side, side == 0 ? identifier0 : identifier1);
            settings->isPassive = isPassive && side == 1;
            opens[side] = settings->open;
            sessions.emplace_back(std::shared_ptr<const BgpSessionSettings>(settings));
        }
    }

    /// Start both, and run until a time.
    void Run(uint64_t end, uint64_t endOfLosses)
    {
        m_endOfLosses = endOfLosses;
        for (std::size_t side = 0; side < 2; ++side)
        {
            At(Draw(3000), [this, side] {
                BgpPeerActions actions;
                sessions[side].Start(actions);
                Do(side, actions);
            });
        }
        while (!m_events.empty() && m_events.begin()->first <= end)
        {
            m_now = m_events.begin()->first;
            const auto event = std::move(m_events.begin()->second);
            m_events.erase(m_events.begin());
            event();
        }
    }

    std::size_t CountConnections(std::size_t side) const
    {
        return (m_ends[side][0] ? 1 : 0) + (m_ends[side][1] ? 1 : 0);
    }

    /// The connection that a side exchanges routes on, as a number.
    std::optional<uint32_t> GetEstablished(std::size_t side) const
    {
        const auto connection = sessions[side].GetEstablished();
        return connection ? m_ends[side][static_cast<std::size_t>(*connection)] : std::nullopt;
    }

    std::vector<BgpPeerSession> sessions; //!< of both sides
    std::array<BgpOpen, 2> opens;         //!< of both sides
    uint32_t nUps{0};                     //!< how often a session has come up

  private:
    /// A connection, by the side that has made it.
    struct Connection
    {
        std::size_t initiator;               //!< the side
        bool isDead;                         //!< bytes get lost without a word
        std::array<uint64_t, 2> lastArrival; //!< at a side: bytes are in order
    };

    uint64_t Draw(uint64_t below)
    {
        m_random = m_random * 6364136223846793005U + 1442695040888963407U;
        return (m_random >> 33) % below;
    }

    bool IsLossy()
    {
        return m_now < m_endOfLosses && Draw(4) == 0;
    }

    void At(uint64_t delay, std::function<void()> event)
    {
        m_events.emplace(m_now + delay, std::move(event));
    }

    /// Something arrives at a side, unless the connection is closed there by then.
    void Arrive(uint32_t id, std::size_t side, const std::function<void(BgpConnection)>& event)
    {
        Connection& connection = m_connections[id];
        if (connection.isDead)
        {
            return;
        }
        uint64_t& last = connection.lastArrival[side];
        last = std::max(last, m_now + 1 + Draw(200));
        At(last - m_now, [this, id, side, event] {
            for (const auto slot : {OUT, IN})
            {
                if (m_ends[side][static_cast<std::size_t>(slot)] == id)
                {
                    event(slot);
                    return;
                }
            }
        });
    }

    void Tell(std::size_t side, BgpConnection slot, Event event, const BgpOpen& open = {})
    {
        BgpNotification notification;
        if (event == Event::NOTIFICATION_RECEIVED)
        {
            notification = BgpCease::UNSPECIFIC;
        }
        BgpPeerActions actions;
        sessions[side].Handle(slot, {event, &open, notification}, actions);
        Do(side, actions);
    }

    void Connect(std::size_t side)
    {
        const auto id = static_cast<uint32_t>(m_connections.size());
        m_connections.push_back({side, false, {}});
        m_ends[side][0] = id;
        if (IsLossy()) // SYN and all that repeat it
        {
            return;
        }
        const std::size_t peer = 1 - side;
        At(1 + Draw(300), [this, id, side, peer] {
            BgpPeerActions actions;
            const bool isAccepted = m_ends[side][0] == id && sessions[peer].Accept(actions);
            Do(peer, actions);
            if (!isAccepted)
            {
                Fail(id, side);
                return;
            }
            m_ends[peer][1] = id;
            Arrive(id, side, [this, side](BgpConnection slot) {
                Tell(side, slot, Event::TCP_ACKNOWLEDGED);
            });
            Tell(peer, IN, Event::TCP_CONFIRMED);
            if (IsLossy())
            {
                At(Draw(2000), [this, id] { Break(id); });
            }
        });
    }

    /// A side gets to know that a connection is no more.
    void Fail(uint32_t id, std::size_t side)
    {
        Arrive(id, side, [this, side](BgpConnection slot) {
            m_ends[side][static_cast<std::size_t>(slot)].reset();
            Tell(side, slot, Event::TCP_FAILED);
        });
    }

    /// A connection breaks, with a word to both sides or without.
    void Break(uint32_t id)
    {
        if (Draw(2) == 0)
        {
            Fail(id, 0);
            Fail(id, 1);
        }
        m_connections[id].isDead = true;
    }

    void Do(std::size_t side, const BgpPeerActions& actions)
    {
        for (const auto& [slot, action] : actions)
        {
            const BgpConnection which = slot;
            auto& end = m_ends[side][static_cast<std::size_t>(which)];
            const std::size_t timer =
                static_cast<std::size_t>(which) * 4 + static_cast<std::size_t>(action.timer);
            switch (action.type)
            {
            case Action::CONNECT:
                Connect(side);
                break;
            case Action::CLOSE:
                if (end)
                {
                    const uint32_t id = *end;
                    end.reset();
                    Fail(id, 1 - side);
                }
                break;
            case Action::SEND_OPEN:
                Send(side, end, Event::OPEN_RECEIVED);
                break;
            case Action::SEND_KEEPALIVE:
                Send(side, end, Event::KEEPALIVE_RECEIVED);
                break;
            case Action::SEND_NOTIFICATION:
                Send(side, end, Event::NOTIFICATION_RECEIVED);
                break;
            case Action::START_TIMER: {
                const uint64_t delay = action.isJittered
                                           ? action.milliseconds * (750 + Draw(251)) / 1000
                                           : action.milliseconds;
                const uint64_t number = ++m_timers[side][timer];
                const Event event = GetBgpExpiryEvent(action.timer);
                At(delay, [this, side, which, timer, number, event] {
                    if (m_timers[side][timer] == number)
                    {
                        Tell(side, which, event);
                    }
                });
                break;
            }
            case Action::STOP_TIMER:
                ++m_timers[side][timer];
                break;
            case Action::SESSION_UP:
                ++nUps;
                break;
            case Action::SESSION_DOWN:
                break;
            }
        }
    }

    void Send(std::size_t side, const std::optional<uint32_t>& end, Event event)
    {
        ASSERT_TRUE(end.has_value());
        Arrive(*end, 1 - side, [this, side, event](BgpConnection slot) {
            Tell(1 - side, slot, event, opens[side]);
        });
    }

    uint64_t m_random;                                            //!< state of Draw()
    uint64_t m_now{0};                                            //!< milliseconds
    uint64_t m_endOfLosses{0};                                    //!< when all goes well
    std::multimap<uint64_t, std::function<void()>> m_events;      //!< by time
    std::vector<Connection> m_connections;                        //!< all that were tried
    std::array<std::array<std::optional<uint32_t>, 2>, 2> m_ends; //!< of a side, by slot
    std::array<std::array<uint64_t, 8>, 2> m_timers{};            //!< of a side: last start
};

RC_GTEST_PROP(BgpPeerSession,
              BothSidesAgreeOnOneConnection,
              (uint32_t seed, bool isPassive, bool isEqual))
{
    const auto identifier = DrawElement<uint32_t>({1, 3});
    Wire wire(isEqual ? 2 : identifier, 2, isPassive, seed);
    wire.Run(300000, 60000);
    const auto connection = wire.GetEstablished(0);
    RC_ASSERT(connection.has_value());
    RC_ASSERT(connection == wire.GetEstablished(1));
    RC_ASSERT(wire.CountConnections(0) == 1U);
    RC_ASSERT(wire.CountConnections(1) == 1U);
}

TEST(BgpPeerSession, WithoutLossesSessionsComeUpSoon)
{
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        Wire wire(1, 2, seed % 2 == 1, seed);
        wire.Run(60000, 0);
        EXPECT_TRUE(wire.GetEstablished(0).has_value()) << "seed " << seed;
        EXPECT_LE(wire.nUps, 4U) << "seed " << seed;
    }
}
