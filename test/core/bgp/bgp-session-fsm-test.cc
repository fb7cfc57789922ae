// SPDX-License-Identifier: GPL-2.0-only

// The state machine of a connection: RFC 4271, section 8.2.2, state by state and event by event;
// RFC 6608. A row says which state comes next and what is done, in short:
//   R H K I      connect retry, hold, keepalive and idle hold timer
//   +90 -        the timer is started with so many seconds (~: with jitter), or stopped
//   6/2, 5/1:04  a NOTIFICATION by code, subcode and data

#include "bgp-session-events.h"
#include "test/core/core-test.h"

#include <cstdio>

using Event = BgpSessionEvent;
using State = BgpSessionState;
using Timer = BgpSessionTimer;
using Action = BgpSessionActionType;

std::string
Write(const BgpSessionAction& action)
{
    const std::string timer(1, "RHKI"[static_cast<int>(action.timer) % 4]);
    switch (action.type)
    {
    case Action::CONNECT:
        return "connect";
    case Action::CLOSE:
        return "close";
    case Action::SEND_OPEN:
        return "open";
    case Action::SEND_KEEPALIVE:
        return "keepalive";
    case Action::SEND_NOTIFICATION: {
        const BgpNotification& notification = action.notification;
        std::string text =
            std::to_string(notification.code) + "/" + std::to_string(notification.subcode);
        for (const uint8_t byte : notification.data)
        {
            char digits[4];
            std::snprintf(digits, sizeof(digits), ":%02x", byte);
            text += digits;
        }
        return text;
    }
    case Action::START_TIMER:
        return timer + "+" + std::to_string(action.milliseconds / 1000) +
               (action.isJittered ? "~" : "");
    case Action::STOP_TIMER:
        return timer + "-";
    case Action::SESSION_UP:
        return "up";
    case Action::SESSION_DOWN:
        return "down";
    }
    return "";
}

std::string
Tell(BgpSessionFsm& machine, Event event, const BgpNotification& notification, const BgpOpen& open)
{
    BgpSessionActions actions;
    machine.Handle({event, &open, notification}, actions);
    std::string text;
    for (const BgpSessionAction& action : actions)
    {
        text += (text.empty() ? "" : " ") + Write(action);
    }
    return text;
}

std::string
Tell(BgpSessionFsm& machine, Event event)
{
    return Tell(machine, event, GetUsualNotification(event), MakePeerOpen());
}

/// A machine that has seen some events.
BgpSessionFsm
After(const std::vector<Event>& events, const BgpSessionSettings& settings = MakeSessionSettings())
{
    BgpSessionFsm machine(std::make_shared<const BgpSessionSettings>(settings));
    for (const Event event : events)
    {
        Tell(machine, event);
    }
    return machine;
}

const std::vector<Event> TO_CONNECT{Event::MANUAL_START};
const std::vector<Event> TO_OPEN_SENT{Event::MANUAL_START, Event::TCP_ACKNOWLEDGED};
const std::vector<Event> TO_ACTIVE{Event::MANUAL_START, Event::TCP_ACKNOWLEDGED, Event::TCP_FAILED};
const std::vector<Event> TO_OPEN_CONFIRM{Event::MANUAL_START,
                                         Event::TCP_ACKNOWLEDGED,
                                         Event::OPEN_RECEIVED};
const std::vector<Event> TO_ESTABLISHED{Event::MANUAL_START,
                                        Event::TCP_ACKNOWLEDGED,
                                        Event::OPEN_RECEIVED,
                                        Event::KEEPALIVE_RECEIVED};

/// What is expected of an event.
struct Row
{
    Event event;         //!< the event
    State next;          //!< the state behind it
    std::string actions; //!< what is done
};

/// Check what a state does with all events; events that are not named keep it and do nothing.
void
Check(const std::vector<Event>& way,
      State state,
      const std::vector<Row>& rows,
      const BgpSessionSettings& settings = MakeSessionSettings())
{
    for (const Event event : ALL_SESSION_EVENTS)
    {
        SCOPED_TRACE("event " + std::to_string(static_cast<int>(event)));
        BgpSessionFsm machine = After(way, settings);
        ASSERT_EQ(machine.GetState(), state);
        Row expected{event, state, ""};
        for (const Row& row : rows)
        {
            if (row.event == event)
            {
                expected = row;
            }
        }
        EXPECT_EQ(Tell(machine, event), expected.actions);
        EXPECT_STREQ(GetBgpSessionStateName(machine.GetState()),
                     GetBgpSessionStateName(expected.next));
    }
}

std::vector<Row>
Same(const std::vector<Event>& events, State next, const std::string& actions)
{
    std::vector<Row> rows;
    for (const Event event : events)
    {
        rows.push_back({event, next, actions});
    }
    return rows;
}

std::vector<Row>
operator+(std::vector<Row> a, const std::vector<Row>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// "In response to any other event (Events 8, 10-11, 13, 19, 23, 25-28)", and errors (21, 22)
const std::vector<Event> OTHERS_BEFORE_OPEN{Event::AUTOMATIC_STOP,
                                            Event::HOLD_EXPIRED,
                                            Event::KEEPALIVE_EXPIRED,
                                            Event::IDLE_HOLD_EXPIRED,
                                            Event::OPEN_RECEIVED,
                                            Event::HEADER_ERROR,
                                            Event::OPEN_ERROR,
                                            Event::COLLISION_DUMP,
                                            Event::NOTIFICATION_RECEIVED,
                                            Event::KEEPALIVE_RECEIVED,
                                            Event::UPDATE_RECEIVED,
                                            Event::UPDATE_ERROR,
                                            Event::ROUTE_REFRESH_RECEIVED};

TEST(BgpSessionFsm, Idle)
{
    Check({},
          State::IDLE,
          Same({Event::MANUAL_START, Event::AUTOMATIC_START, Event::IDLE_HOLD_EXPIRED},
               State::CONNECT,
               "R+120~ connect") +
              Same({Event::TCP_ACKNOWLEDGED, Event::TCP_CONFIRMED}, State::IDLE, "close"));
}

TEST(BgpSessionFsm, IdleAfterAnError)
{
    Check({Event::MANUAL_START, Event::TCP_FAILED},
          State::IDLE,
          Same({Event::MANUAL_START, Event::AUTOMATIC_START}, State::CONNECT, "I- R+120~ connect") +
              Same({Event::IDLE_HOLD_EXPIRED}, State::CONNECT, "R+120~ connect") +
              Same({Event::MANUAL_STOP}, State::IDLE, "I-") +
              Same({Event::TCP_ACKNOWLEDGED, Event::TCP_CONFIRMED}, State::IDLE, "close"));
}

TEST(BgpSessionFsm, IdlePassive)
{
    BgpSessionSettings settings = MakeSessionSettings();
    settings.isPassive = true;
    BgpSessionFsm machine = After({}, settings);
    EXPECT_EQ(Tell(machine, Event::MANUAL_START), "");
    EXPECT_EQ(machine.GetState(), State::ACTIVE);
    EXPECT_EQ(Tell(machine, Event::TCP_CONFIRMED), "open H+240");
    EXPECT_EQ(Tell(machine, Event::TCP_FAILED), "H-");
    EXPECT_EQ(machine.GetState(), State::ACTIVE);
}

TEST(BgpSessionFsm, Connect)
{
    Check(
        TO_CONNECT,
        State::CONNECT,
        Same(OTHERS_BEFORE_OPEN, State::IDLE, "R- close I+5~") +
            Same({Event::TCP_ACKNOWLEDGED, Event::TCP_CONFIRMED},
                 State::OPEN_SENT,
                 "R- open H+240") +
            std::vector<Row>{{Event::MANUAL_STOP, State::IDLE, "R- close"},
                             {Event::CONNECT_RETRY_EXPIRED, State::CONNECT, "close R+120~ connect"},
                             {Event::TCP_FAILED, State::IDLE, "R- I+5~"}});
}

TEST(BgpSessionFsm, Active)
{
    Check(TO_ACTIVE,
          State::ACTIVE,
          Same(OTHERS_BEFORE_OPEN, State::IDLE, "R- I+5~") +
              Same({Event::TCP_ACKNOWLEDGED, Event::TCP_CONFIRMED},
                   State::OPEN_SENT,
                   "R- open H+240") +
              std::vector<Row>{{Event::MANUAL_STOP, State::IDLE, "R-"},
                               {Event::CONNECT_RETRY_EXPIRED, State::CONNECT, "R+120~ connect"},
                               {Event::TCP_FAILED, State::IDLE, "R- I+5~"}});
}

TEST(BgpSessionFsm, OpenSent)
{
    Check(
        TO_OPEN_SENT,
        State::OPEN_SENT,
        Same({Event::CONNECT_RETRY_EXPIRED, Event::KEEPALIVE_EXPIRED, Event::IDLE_HOLD_EXPIRED},
             State::IDLE,
             "5/0 H- close I+5~") +
            std::vector<Row>{{Event::MANUAL_STOP, State::IDLE, "6/2 H- close"},
                             {Event::AUTOMATIC_STOP, State::IDLE, "6/0 H- close I+5~"},
                             {Event::HOLD_EXPIRED, State::IDLE, "4/0 close I+5~"},
                             {Event::TCP_FAILED, State::ACTIVE, "H- R+120~"},
                             {Event::OPEN_RECEIVED, State::OPEN_CONFIRM, "keepalive H- H+30 K+10~"},
                             {Event::HEADER_ERROR, State::IDLE, "1/1 H- close I+5~"},
                             {Event::OPEN_ERROR, State::IDLE, "2/2 H- close I+5~"},
                             {Event::COLLISION_DUMP, State::IDLE, "6/7 H- close I+5~"},
                             {Event::NOTIFICATION_RECEIVED, State::IDLE, "5/1:03 H- close I+5~"},
                             {Event::KEEPALIVE_RECEIVED, State::IDLE, "5/1:04 H- close I+5~"},
                             {Event::UPDATE_RECEIVED, State::IDLE, "5/1:02 H- close I+5~"},
                             {Event::UPDATE_ERROR, State::IDLE, "5/1:02 H- close I+5~"},
                             {Event::ROUTE_REFRESH_RECEIVED, State::IDLE, "5/1:05 H- close I+5~"}});
}

TEST(BgpSessionFsm, OpenConfirm)
{
    Check(TO_OPEN_CONFIRM,
          State::OPEN_CONFIRM,
          Same({Event::CONNECT_RETRY_EXPIRED, Event::IDLE_HOLD_EXPIRED},
               State::IDLE,
               "5/0 H- K- close I+5~") +
              std::vector<Row>{
                  {Event::MANUAL_STOP, State::IDLE, "6/2 H- K- close"},
                  {Event::AUTOMATIC_STOP, State::IDLE, "6/0 H- K- close I+5~"},
                  {Event::HOLD_EXPIRED, State::IDLE, "4/0 K- close I+5~"},
                  {Event::KEEPALIVE_EXPIRED, State::OPEN_CONFIRM, "keepalive K+10~"},
                  {Event::TCP_FAILED, State::IDLE, "H- K- I+5~"},
                  {Event::OPEN_RECEIVED, State::IDLE, "5/2:01 H- K- close I+5~"},
                  {Event::HEADER_ERROR, State::IDLE, "1/1 H- K- close I+5~"},
                  {Event::OPEN_ERROR, State::IDLE, "2/2 H- K- close I+5~"},
                  {Event::COLLISION_DUMP, State::IDLE, "6/7 H- K- close I+5~"},
                  {Event::NOTIFICATION_RECEIVED, State::IDLE, "H- K- close I+5~"},
                  {Event::KEEPALIVE_RECEIVED, State::ESTABLISHED, "H+30 up"},
                  {Event::UPDATE_RECEIVED, State::IDLE, "5/2:02 H- K- close I+5~"},
                  {Event::UPDATE_ERROR, State::IDLE, "5/2:02 H- K- close I+5~"},
                  {Event::ROUTE_REFRESH_RECEIVED, State::IDLE, "5/2:05 H- K- close I+5~"}});
}

TEST(BgpSessionFsm, Established)
{
    Check(TO_ESTABLISHED,
          State::ESTABLISHED,
          Same({Event::CONNECT_RETRY_EXPIRED, Event::IDLE_HOLD_EXPIRED},
               State::IDLE,
               "5/0 H- K- close down I+5~") +
              std::vector<Row>{{Event::MANUAL_STOP, State::IDLE, "6/2 H- K- close down"},
                               {Event::AUTOMATIC_STOP, State::IDLE, "6/0 H- K- close down I+5~"},
                               {Event::HOLD_EXPIRED, State::IDLE, "4/0 K- close down I+5~"},
                               {Event::KEEPALIVE_EXPIRED, State::ESTABLISHED, "keepalive K+10~"},
                               {Event::TCP_FAILED, State::IDLE, "H- K- down I+5~"},
                               {Event::OPEN_RECEIVED, State::IDLE, "5/3:01 H- K- close down I+5~"},
                               {Event::HEADER_ERROR, State::IDLE, "1/1 H- K- close down I+5~"},
                               {Event::OPEN_ERROR, State::IDLE, "5/3:01 H- K- close down I+5~"},
                               {Event::COLLISION_DUMP, State::IDLE, "6/7 H- K- close down I+5~"},
                               {Event::NOTIFICATION_RECEIVED, State::IDLE, "H- K- close down I+5~"},
                               {Event::KEEPALIVE_RECEIVED, State::ESTABLISHED, "H+30"},
                               {Event::UPDATE_RECEIVED, State::ESTABLISHED, "H+30"},
                               {Event::UPDATE_ERROR, State::IDLE, "3/1 H- K- close down I+5~"},
                               {Event::UPDATE_SENT, State::ESTABLISHED, "K+10~"}});
}

TEST(BgpSessionFsm, Rfc9687APeerThatTakesNothingIsLeftWithoutANotification)
{
    // Section 4.3: drop the connection, to Idle
    BgpSessionFsm machine = After(TO_ESTABLISHED);
    EXPECT_EQ(Tell(machine, Event::SEND_HOLD_EXPIRED), "H- K- close down I+5~");
    EXPECT_EQ(machine.GetState(), State::IDLE);
}

TEST(BgpSessionFsm, AVersionErrorIsNotAnswered)
{
    // Event 24 in OpenSent and OpenConfirm
    const BgpNotification version = BgpOpenError::UNSUPPORTED_VERSION;
    BgpSessionFsm machines[] = {After(TO_OPEN_SENT), After(TO_OPEN_CONFIRM)};
    const std::string expected[] = {"H- close I+5~", "H- K- close I+5~"};
    for (int i = 0; i < 2; ++i)
    {
        EXPECT_EQ(Tell(machines[i], Event::NOTIFICATION_RECEIVED, version, MakePeerOpen()),
                  expected[i]);
    }
}

TEST(BgpSessionFsm, HoldTimeIsNegotiated)
{
    // RFC 4271, sections 4.2, 4.4 and 6.2; own, peer, agreed
    const uint16_t cases[][3] = {{90, 30, 30}, {30, 90, 30}, {0, 90, 0}, {90, 0, 0}, {3, 3, 3}};
    for (const auto& [own, peer, agreed] : cases)
    {
        BgpSessionSettings settings = MakeSessionSettings();
        settings.open.holdTime = own;
        BgpSessionFsm machine = After(TO_OPEN_SENT, settings);
        const std::string timers =
            agreed == 0 ? ""
                        : " H+" + std::to_string(agreed) + " K+" + std::to_string(agreed / 3) + "~";
        EXPECT_EQ(Tell(machine, Event::OPEN_RECEIVED, {}, MakePeerOpen(peer)),
                  "keepalive H-" + timers);
        EXPECT_EQ(machine.GetHoldTime(), agreed);
        EXPECT_EQ(Tell(machine, Event::KEEPALIVE_RECEIVED),
                  agreed == 0 ? "up" : "H+" + std::to_string(agreed) + " up");
        EXPECT_EQ(Tell(machine, Event::UPDATE_RECEIVED),
                  agreed == 0 ? "" : "H+" + std::to_string(agreed));
    }
    for (const uint16_t refused : {1, 2})
    {
        BgpSessionFsm machine = After(TO_OPEN_SENT);
        EXPECT_EQ(Tell(machine, Event::OPEN_RECEIVED, {}, MakePeerOpen(refused)),
                  "2/6 H- close I+5~");
        BgpSessionSettings settings = MakeSessionSettings();
        settings.open.holdTime = refused;
        EXPECT_EQ(CatchMessage([&settings] { After({}, settings); }),
                  "hold time: expected 0 or at least 3 s, found " + std::to_string(refused));
    }
}

TEST(BgpSessionFsm, KeepalivesCanBeMoreFrequent)
{
    BgpSessionSettings settings = MakeSessionSettings();
    settings.keepaliveTime = 3000;
    BgpSessionFsm machine = After(TO_OPEN_SENT, settings);
    EXPECT_EQ(Tell(machine, Event::OPEN_RECEIVED), "keepalive H- H+30 K+3~");
}

TEST(BgpSessionFsm, AnOpenThatDoesNotFitIsRefused)
{
    BgpSessionFsm machine = After(TO_OPEN_SENT);
    EXPECT_EQ(Tell(machine, Event::OPEN_RECEIVED, {}, MakePeerOpen(30, 65003)),
              "2/2 H- close I+5~");
}

TEST(BgpSessionFsm, ReasonsAreSent)
{
    BgpSessionFsm machine = After(TO_ESTABLISHED);
    EXPECT_EQ(
        Tell(machine, Event::AUTOMATIC_STOP, BgpCease::MAXIMUM_PREFIXES_REACHED, MakePeerOpen()),
        "6/1 H- K- close down I+5~");
}
