// SPDX-License-Identifier: GPL-2.0-only

// Random events never lead the state machine of a connection to an impossible state, nor to one
// that nothing leads out of: RFC 4271, section 8.2.2.

#include "bgp-session-events.h"
#include "test/core/core-test.h"

using Event = BgpSessionEvent;
using State = BgpSessionState;
using Timer = BgpSessionTimer;
using Action = BgpSessionActionType;

std::optional<std::size_t>
GetTimer(Event event)
{
    for (std::size_t timer = 0; timer < static_cast<std::size_t>(Timer::N_TIMERS); ++timer)
    {
        if (GetBgpExpiryEvent(static_cast<Timer>(timer)) == event)
        {
            return timer;
        }
    }
    return std::nullopt;
}

/// Follows a machine's actions as a speaker would, and checks that they make sense.
struct Follower
{
    std::array<bool, 4> timers{}; //!< which of them run
    bool isUp{false};             //!< the session is up
    bool isConnecting{false};     //!< an attempt is under way
    bool isConnected{false};      //!< there is a connection

    void Follow(Event event, bool takesConnection)
    {
        if (const auto timer = GetTimer(event))
        {
            timers[*timer] = false;
        }
        if (event == Event::TCP_FAILED)
        {
            isConnecting = isConnected = false;
        }
        if (takesConnection)
        {
            isConnecting = false;
            isConnected = true;
        }
    }

    void Follow(const BgpSessionAction& action)
    {
        const auto timer = static_cast<std::size_t>(action.timer);
        switch (action.type)
        {
        case Action::CONNECT:
            RC_ASSERT(!isConnecting && !isConnected);
            isConnecting = true;
            break;
        case Action::CLOSE:
            RC_ASSERT(isConnecting || isConnected);
            isConnecting = isConnected = false;
            break;
        case Action::SEND_OPEN:
        case Action::SEND_KEEPALIVE:
        case Action::SEND_NOTIFICATION:
            RC_ASSERT(isConnected);
            break;
        case Action::START_TIMER:
            RC_ASSERT(action.milliseconds > 0U);
            timers[timer] = true;
            break;
        case Action::STOP_TIMER:
            RC_ASSERT(timers[timer]);
            timers[timer] = false;
            break;
        case Action::SESSION_UP:
        case Action::SESSION_DOWN:
            RC_ASSERT(isUp == (action.type == Action::SESSION_DOWN));
            isUp = !isUp;
            break;
        }
    }
};

/// What must hold in each state, and what leads out of it.
void
CheckState(const BgpSessionFsm& machine, const Follower& follower, bool isStopped)
{
    const auto runs = [&machine](Timer timer) { return machine.IsRunning(timer); };
    for (std::size_t i = 0; i < follower.timers.size(); ++i)
    {
        RC_ASSERT(follower.timers[i] == runs(static_cast<Timer>(i)));
    }
    const State state = machine.GetState();
    RC_ASSERT(follower.isUp == (state == State::ESTABLISHED));
    RC_ASSERT(follower.isConnected == (state >= State::OPEN_SENT));
    const bool hasHold = machine.GetHoldTime() > 0;
    switch (state)
    {
    case State::IDLE:
        RC_ASSERT(!follower.isConnected && !follower.isConnecting);
        RC_ASSERT(runs(Timer::IDLE_HOLD) == !isStopped);
        RC_ASSERT(!runs(Timer::CONNECT_RETRY) && !runs(Timer::HOLD));
        break;
    case State::CONNECT:
    case State::ACTIVE:
        RC_ASSERT(runs(Timer::CONNECT_RETRY) || machine.GetSettings().isPassive);
        RC_ASSERT(!runs(Timer::HOLD) && !runs(Timer::KEEPALIVE) && !runs(Timer::IDLE_HOLD));
        break;
    case State::OPEN_SENT:
        RC_ASSERT(follower.isConnected && runs(Timer::HOLD));
        RC_ASSERT(!runs(Timer::CONNECT_RETRY) && !runs(Timer::KEEPALIVE));
        break;
    case State::OPEN_CONFIRM:
    case State::ESTABLISHED:
        RC_ASSERT(follower.isConnected);
        RC_ASSERT(runs(Timer::HOLD) == hasHold && runs(Timer::KEEPALIVE) == hasHold);
        RC_ASSERT(!runs(Timer::CONNECT_RETRY));
        break;
    }
}

RC_GTEST_PROP(BgpSessionEvents, NoEventsLeadToAnImpossibleState, (bool isPassive))
{
    BgpSessionSettings settings = MakeSessionSettings();
    settings.isPassive = isPassive;
    BgpSessionFsm machine(std::make_shared<const BgpSessionSettings>(settings));
    Follower follower;
    bool isStopped = true;
    const auto nEvents = DrawInRange(1, 80);
    for (int i = 0; i < nEvents; ++i)
    {
        // Events that lead on come more often, or nothing but Idle is seen.
        const Event event =
            *rc::gen::oneOf(rc::gen::elementOf(std::vector<Event>(std::begin(ALL_SESSION_EVENTS),
                                                                  std::end(ALL_SESSION_EVENTS))),
                            rc::gen::element(Event::AUTOMATIC_START,
                                             Event::TCP_ACKNOWLEDGED,
                                             Event::OPEN_RECEIVED,
                                             Event::KEEPALIVE_RECEIVED));
        // No timer expires that does not run; and no connection is made that nobody makes.
        const auto timer = GetTimer(event);
        const bool isConnection = event == Event::TCP_ACKNOWLEDGED || event == Event::TCP_CONFIRMED;
        if ((timer && !follower.timers[*timer]) ||
            (isConnection && (follower.isConnected || machine.GetState() == State::IDLE)))
        {
            continue;
        }
        const BgpOpen open = MakePeerOpen(DrawElement<uint16_t>({0, 1, 3, 30, 90}),
                                          DrawElement<uint32_t>({65002, 65002, 65002, 65003}));
        BgpNotification notification = GetUsualNotification(event);
        if (event == Event::NOTIFICATION_RECEIVED && DrawAny<bool>())
        {
            notification = BgpOpenError::UNSUPPORTED_VERSION;
        }
        const State before = machine.GetState();
        BgpSessionActions actions;
        follower.Follow(event, isConnection);
        machine.Handle({event, &open, notification}, actions);
        for (const BgpSessionAction& action : actions)
        {
            follower.Follow(action);
        }
        if (machine.GetState() != State::IDLE)
        {
            isStopped = false;
        }
        else if (event == Event::MANUAL_STOP)
        {
            isStopped = true;
        }
        RC_ASSERT(before != State::IDLE || machine.GetState() <= State::ACTIVE);
        CheckState(machine, follower, isStopped);
    }
}
